"""Rule (c) of SEMANTICS 7 where two numbers do not decide it: which runs were completed, and when.

Under STNM the events of a group follow from the groups before it and its own first event. So one candidate's
groups are a prefix of another's iff the groups before its last one are equal, its last one begins with the
same event, and is no longer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.model.match import Match

Run = tuple[int, tuple[int | tuple[int, ...], ...], int]


class Completions:
    """The runs that the end events at `begin` to `stop` (not included) of their lane completed.

    Args:
        begin: The first of them.
        stand: What else, that later events change, the candidates depended on (trailing negation).
    """

    def __init__(self, begin: int, stand: tuple[int, ...]) -> None:
        self.stand = stand
        self.begin = begin
        self.stop = begin
        self._by_run: dict[Run, list[tuple[int, int]]] = {}
        self._by_end: dict[int, list[Run]] = {}

    def add(self, place: int, candidates: list[Match]) -> None:
        """Takes in the candidates that end at `place`, the next one after those known."""
        runs = []
        for match in candidates:
            taken = list(_runs(match))
            if taken:
                run, length = taken[-1]
                self._by_run.setdefault(run, []).append((place, length))
                runs.append(run)
        if runs:
            self._by_end[place] = runs
        self.stop = place + 1

    def forget(self, before: int) -> None:
        """Drops what ended before a place."""
        while self.begin < before:
            for run in self._by_end.pop(self.begin, ()):
                kept = [c for c in self._by_run.get(run, ()) if c[0] > self.begin]
                if kept:
                    self._by_run[run] = kept
                else:
                    self._by_run.pop(run, None)
            self.begin += 1

    def completed(self, match: Match, place: int) -> bool:
        """Whether a candidate that ended before `place` completed the run of this one."""
        return any(
            ended < place and size <= length
            for run, length in _runs(match)
            for ended, size in self._by_run.get(run, ())
        )


def _runs(match: Match) -> Iterator[tuple[Run, int]]:
    """For each group before the end step that took something: what a prefix that ends in it looks like, and
    how long the group is."""
    keys = match.key()
    for k, group in enumerate(match.groups[:-1]):
        if len(group):
            yield (k, keys[:k], next(iter(group)).ordinal), len(group)
