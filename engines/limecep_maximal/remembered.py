"""What is remembered of an end event: its matches, and those that start at some time."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from limecep.model.match import Range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.match import Group
    from limecep.store.lane import Ordering

    Groups = tuple[Group, ...]


class Answer:
    """The matches of one end event.

    Args:
        stand: What they depended on.
        found: The matches.
        ordering: Precedence and the window.
    """

    __slots__ = ("_by_start", "_ordering", "found", "stand")

    def __init__(self, stand: tuple[int, ...], found: Sequence[Groups], ordering: Ordering) -> None:
        self.stand = stand
        self.found = list(found)
        self._ordering = ordering
        #: The order numbers of the starts of those that were looked for, ascending, each with the place of
        #: the match.
        self._by_start: list[tuple[int, int]] = []

    def add(self, found: Sequence[Groups]) -> None:
        """There are more."""
        self.found.extend(found)

    def _sort(self) -> None:
        of = self._ordering.of
        for number in range(len(self._by_start), len(self.found)):
            first = self.found[number][0]
            start = of(first.first if isinstance(first, Range) else first[0])
            self._by_start.append((start, number))
        self._by_start.sort()

    def between(self, first: int, stop: int) -> list[tuple[Groups, int]]:
        """The matches that start from an order number to another (not included), each with that of its start,
        in the order in which they were found."""
        by_start = self._by_start
        if len(by_start) < len(self.found):
            self._sort()
        chosen = by_start[bisect_left(by_start, (first, -1)) : bisect_left(by_start, (stop, -1))]
        chosen.sort(key=_number)
        return [(self.found[number], start) for start, number in chosen]


def _number(entry: tuple[int, int]) -> int:
    return entry[1]
