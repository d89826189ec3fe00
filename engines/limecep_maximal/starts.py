"""The first groups of a run: which of them count at an end event.

A run may have many: all that lead to its first event. One counts while no other in the window contains it, so
with every event that leaves the window others may count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from limecep_maximal.paths import Forest

#: The place of the first event of a start group, and how long it is.
Start = tuple[int, int]


class Starts(Protocol):
    """Start groups. Places are those of the lane of the first step."""

    @property
    def latest(self) -> int:
        """The place of the latest event that one begins with."""

    def counting(self, first: int) -> Iterable[Start]:
        """Those that count in a window that begins with a place."""


class Singles:
    """Single events: each counts."""

    __slots__ = ("_begin", "_places", "latest")

    def __init__(self, places: Sequence[int]) -> None:
        self._places = places
        self._begin = 0
        self.latest = places[-1]

    def counting(self, first: int) -> Iterable[Start]:
        if self._places[0] >= first:
            return [(p, 1) for p in self._places]
        return [(p, 1) for p in self._places if p >= first]


class Ranges:
    """Groups that take every event of the lane.

    Args:
        lasts: The places they may end at, ascending.
        strand: The group that begins at a place.
        accepts: Whether the group that begins at a place and has a length is one.
        least, most: How many events there may be.
    """

    __slots__ = ("_accepts", "_firsts", "_lasts", "_least", "_most", "latest")

    def __init__(
        self, lasts: Sequence[int], accepts: Callable[[int, int], bool] | None, least: int, most: int
    ) -> None:
        self._lasts = lasts
        self._accepts = accepts
        self._least = least
        self._most = most
        self.latest = lasts[-1] - least + 1
        #: By last place, the first place that gives a group, as far as known.
        self._firsts: dict[int, int] = {}

    def counting(self, first: int) -> Iterable[Start]:
        found = []
        best = self.latest + 1
        for last in reversed(self._lasts):
            begin = self._first(last, first, best)
            if begin < best:
                best = begin
                found.append((begin, last - begin + 1))
                if begin == first:
                    break
        return found

    def _first(self, last: int, first: int, before: int) -> int:
        """The earliest place from one on, and before another, from which a group may end at a place."""
        begin = max(first, last - self._most + 1, self._firsts.get(last, 0))
        stop = min(before, last - self._least + 2)
        accepts = self._accepts
        if accepts is not None:
            while begin < stop and not accepts(begin, last - begin + 1):
                begin += 1
            self._firsts[last] = begin
        return begin if begin < stop else before


class Trees:
    """Groups whose neighbours go together: the one that begins with an event that another leads to is part of
    that one's.

    Args:
        groups: By first place, the length of the longest that counts at all.
        lasts: By first place, the place it ends at.
        paths: What follows what.
        low: No window that matters begins before this place.
    """

    __slots__ = ("_starts", "latest")

    def __init__(self, groups: Mapping[int, int], lasts: Mapping[int, int], paths: Forest, low: int) -> None:
        self._starts = [
            (place, groups[place], container(place, lasts, paths, low)) for place in sorted(groups)
        ]
        self.latest = self._starts[-1][0]

    def counting(self, first: int) -> Iterable[Start]:
        return [(p, n) for p, n, container in self._starts if container < first <= p]


def container(place: int, lasts: Mapping[int, int], paths: Forest, low: int) -> int:
    """The place of the latest event, from a place `low` on, whose group contains the one that begins at a
    place; less if there is none."""
    latest = low - 1
    last = lasts[place]
    stack = list(paths.sources(place))
    while stack:
        earlier = stack.pop()
        if earlier <= latest:
            continue
        if lasts.get(earlier, -1) >= last:
            latest = earlier
        else:
            stack += paths.sources(earlier)
    return latest


def widest(groups: Sequence[tuple[int, int]]) -> list[Start]:
    """Of ranges, by first place and length, in ascending order of first places: those that no other
    contains."""
    found = []
    stop = -1
    for first, length in groups:
        if first + length > stop:
            stop = first + length
            found.append((first, length))
    return found
