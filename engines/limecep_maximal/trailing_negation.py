"""Negated steps after the end: what comes after an end event may hit what it completed, so that a later one
does."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from limecep.model.event import Event
    from limecep_maximal.hits import Hits
    from limecep_maximal.law import Law

_SWEEP = 1024


class Completed(Protocol):
    """Something that an end event completed."""

    groups: list[Sequence[Event]]


Run = TypeVar("Run", bound=Completed)
#: The order number of an end event, a run that it completed, and the groups that something may hit.
Aside = tuple[int, Run, "Sequence[Sequence[Event]]"]


class TrailingNegation(Generic[Run]):
    """The negated steps after the end, and the runs that are complete until one of them is hit.

    Args:
        law: The alternative's.
        hits: The lanes of negated steps.
        low: The order number that no window begins before.
    """

    def __init__(self, law: Law, hits: Sequence[Hits], low: int) -> None:
        self._hits = [hits[n] for n in law.trails]
        self._laws = [law.forbidding[n] for n in law.trails]
        self._looked_at = [bisect_left(h.content.order, low) for h in self._hits]
        self._known = self._looked_at.copy()
        # By negated step, the runs that something with a value hits, each with the end event that completed
        # it.
        self._aside: list[dict[Hashable, list[Aside[Run]]]] = [{} for _ in self._hits]
        self._kept = 0
        self._sweep_at = _SWEEP

    def stand(self, order: int) -> tuple[int, ...]:
        """How much there is up to an order number: what an answer depended on."""
        return tuple([bisect_right(h.content.order, order) for h in self._hits])

    def hit(self, after: int, until: int, groups: Sequence[Sequence[Event]]) -> bool:
        """Whether something after an order number, and up to another, hits a match with these groups."""
        for hits in self._hits:
            numbers = hits.content.order
            if hits.between(bisect_right(numbers, after), bisect_right(numbers, until), groups):
                return True
        return False

    def first_new(self) -> int | None:
        """The least order number of what came since this was asked last; None if nothing did."""
        first = None
        for i, hits in enumerate(self._hits):
            numbers = hits.content.order
            if self._known[i] < len(numbers):
                order = numbers[self._known[i]]
                first = order if first is None else min(first, order)
                self._known[i] = len(numbers)
        return first

    def put_aside(self, run: Run, order: int, groups: Sequence[Sequence[Event]]) -> None:
        """Keeps a run that the end event at an order number completed, with the groups of that match."""
        for law, aside in zip(self._laws, self._aside, strict=True):
            value = None if law.key is None else law.key(groups)
            if law.key is None or value is not None:
                aside.setdefault(value, []).append((order, run, groups))
                self._kept += 1

    def reopened(self, until: int | None, over: Callable[[Run, int], bool] | None = None) -> list[Aside[Run]]:
        """The runs whose end events were hit by what came since, up to an order number.

        Args:
            until: The order number; None for whatever came.
            over: Whether a run is beyond what stands at an order number.
        """
        found: dict[int, Aside[Run]] = {}
        for i, (hits, law, aside) in enumerate(zip(self._hits, self._laws, self._aside, strict=True)):
            numbers = hits.content.order
            stop = len(numbers) if until is None else bisect_right(numbers, until)
            for place in range(self._looked_at[i], stop):
                value = None if law.key is None else hits.value(place)
                kept = []
                for entry in aside.pop(value, ()):
                    order, run, groups = entry
                    if over is not None and over(run, numbers[place]):
                        self._kept -= 1
                    elif order < numbers[place] and hits.between(place, place + 1, groups):
                        found[id(run)] = entry
                        self._kept -= 1
                    else:
                        kept.append(entry)
                if kept:
                    aside[value] = kept
            self._looked_at[i] = stop
        if found and len(self._aside) > 1:
            self._drop(lambda run: id(run) in found)
        return list(found.values())

    def forget(self, over: Callable[[Run], bool]) -> None:
        """Lets go, now and then, of runs that are over."""
        if self._kept > self._sweep_at:
            self._drop(over)
            self._sweep_at = max(_SWEEP, 2 * self._kept)

    def _drop(self, unwanted: Callable[[Run], bool]) -> None:
        self._aside = [
            {
                value: kept
                for value, runs in aside.items()
                if (kept := [entry for entry in runs if not unwanted(entry[1])])
            }
            for aside in self._aside
        ]
        self._kept = sum(len(runs) for aside in self._aside for runs in aside.values())
