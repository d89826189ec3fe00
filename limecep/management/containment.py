"""Containment across end events (SEMANTICS 7)."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING

from limecep.model.match import Range

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from limecep.management.ledger import Key
    from limecep.model.event import Event
    from limecep.model.match import Group, Match
    from limecep.plan.plan import Alternative


def contains(larger: Match, smaller: Match) -> bool:
    """Whether every group of one match is a subset of the same step's group in the other."""
    return all(map(_holds, larger.groups, smaller.groups))


def _holds(larger: Group, smaller: Group) -> bool:
    if len(smaller) > len(larger):
        return False
    if isinstance(larger, Range) and isinstance(smaller, Range):
        # Of what stands between its ends, a range lacks only what came after it was made.
        if larger.content is smaller.content and larger.version >= smaller.version:
            start, stop = larger.span()
            first, after = smaller.span()
            return start <= first and after <= stop
    elif len(larger) == 1 and len(smaller) == 1:
        return next(iter(larger)) is next(iter(smaller))
    return {e.ordinal for e in larger}.issuperset([e.ordinal for e in smaller])


class Net:
    """The live matches of an alternative that grows at its end: those contained in no other.

    Where no condition looks at a whole group, a match cut off at an earlier end event is a candidate there,
    so one match contains another only if both have one start. Elsewhere all are looked at that a window may
    hold together.

    Args:
        alternative: The alternative.
        within: Its window, in microseconds.

    Attributes:
        starts: The ordinal of the first event of each match, by key.
    """

    def __init__(self, alternative: Alternative, within: int) -> None:
        self._within = within
        self._across_starts = any(c.pair is None and not c.cross for c in alternative.conditions) or any(
            n.hits is not None for n in alternative.negations
        )
        self._by_start: dict[int, dict[Key, Match]] = {}
        self._start_times: dict[int, int] = {}
        # The same pairs by time: the ordinal of each start, where several starts are looked at.
        self._in_time: list[tuple[int, int]] = []
        self._by_end: dict[int, dict[Key, None]] = {}
        self.starts: dict[Key, int] = {}

    def join(self, candidates: Iterable[Match]) -> tuple[list[Match], list[Match]]:
        """Takes in candidates of one end event.

        Returns:
            What is live now and was not; what is contained in it and live no more.
        """
        come, gone = [], []
        for match in candidates:
            key = match.key()
            if key in self.starts:
                continue
            rivals = list(self._rivals(match))
            if any(contains(r, match) for r in rivals):
                continue
            for rival in rivals:
                if contains(match, rival):
                    self._remove(rival)
                    gone.append(rival)
            self._insert(key, match)
            come.append(match)
        return come, gone

    def replace(self, ends: Collection[Event], candidates: list[Match]) -> tuple[list[Match], list[Match]]:
        """Takes in what was found anew for a range of end events, in place of what was live there.

        Returns:
            What is live now and was not; what was and is no more.
        """
        old = {}
        for end in ends:
            for key in list(self._by_end.get(end.ordinal, ())):
                match = self._by_start[self.starts[key]][key]
                old[key] = match
                self._remove(match)
        joined, displaced = self.join(sorted(candidates, key=_size))
        new = {m.key(): m for m in joined}
        come = [m for k, m in new.items() if k not in old]
        return come, [m for k, m in old.items() if k not in new] + displaced

    def __len__(self) -> int:
        return len(self.starts)

    def ending(self, end: Event) -> list[Match]:
        """The live matches with an end event."""
        return [self._by_start[self.starts[k]][k] for k in self._by_end.get(end.ordinal, ())]

    def forget(self, before: int) -> None:
        """Drops what starts before a `t_gen`, in microseconds."""
        for start in [start for start, t_gen in self._start_times.items() if t_gen < before]:
            for match in list(self._by_start[start].values()):
                self._remove(match)

    def match(self, key: Key) -> Match:
        """The live match of a key."""
        return self._by_start[self.starts[key]][key]

    def put_back(self, match: Match) -> None:
        """A match is live whose key is in `starts` already."""
        self._place(match.key(), match)

    def _rivals(self, match: Match) -> Iterable[Match]:
        if not self._across_starts:
            return self._by_start.get(match.start.ordinal, {}).values()
        # Of two matches one of which contains the other, either starts within the other's window.
        end = match.end.t_gen
        low = bisect_left(self._in_time, (end - self._within, 0))
        high = bisect_left(self._in_time, (end + 1, 0), low)
        return (m for _, start in self._in_time[low:high] for m in self._by_start[start].values())

    def _insert(self, key: Key, match: Match) -> None:
        self.starts[key] = match.start.ordinal
        self._place(key, match)

    def _place(self, key: Key, match: Match) -> None:
        first = match.start
        start = first.ordinal
        if self._across_starts and start not in self._start_times:
            insort(self._in_time, (first.t_gen, start))
        self._start_times[start] = first.t_gen
        self._by_start.setdefault(start, {})[key] = match
        self._by_end.setdefault(match.end.ordinal, {})[key] = None

    def _remove(self, match: Match) -> None:
        key = match.key()
        start = self.starts.pop(key)
        del self._by_start[start][key]
        if not self._by_start[start]:
            del self._by_start[start]
            placed = (self._start_times.pop(start), start)
            if self._across_starts:
                del self._in_time[bisect_left(self._in_time, placed)]
        end = match.end.ordinal
        self._by_end[end].pop(key, None)
        if not self._by_end[end]:
            del self._by_end[end]


def _size(match: Match) -> int:
    """For the largest first: none of them then displaces another."""
    return -sum(map(len, match.groups))
