"""STAM with conditions on whole groups: the largest first.

Without those conditions the maximal matches are found by pairs, and every match is contained in one of them.
One that satisfies the conditions is maximal as it is, and nothing inside it has to be looked at. Only inside
the others is there anything to enumerate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.match import Range
from limecep.store.lane import Content, numbers_in
from limecep_maximal.search import LOOK_EVERY, Rules, Search

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.model.event import Event
    from limecep.store.lane import Ordering
    from limecep_maximal.tight_pairs import Window

Groups = tuple[tuple["Event", ...], ...]


class Subsets:
    """One evaluation.

    Args:
        rules: The alternative's, all conditions included.
        window: Gives the maximal matches without conditions on whole groups.
        ordering: Precedence and the window.
        enumeration: How many steps of enumeration at most.

    Attributes:
        budget: What is left of the work; negative where it was cut short.
        bound: What bounds it.
    """

    def __init__(self, rules: Rules, window: Window, ordering: Ordering, enumeration: int) -> None:
        self._rules = rules
        self._window = window
        self._ordering = ordering
        self.budget = window.budget
        self.bound = "max_per_end"
        self._enumeration = enumeration

    def ending(self, place: int, step: int) -> Iterator[Groups]:
        """The matches whose last event is the one at `place` of the lane of `step`."""
        conditions = self._rules.alternative.conditions
        kept: list[tuple[frozenset[int], ...]] = []
        failed: list[Groups] = []
        for groups in self._window.ending(place, step, completing=False):
            # No ranges: a group that is one now may be a match without what comes between its events later.
            events = tuple([tuple(g.events()) if isinstance(g, Range) else g for g in groups])
            if all(c.holds(events) for c in conditions):
                kept.append(_sets(events))
                yield events
            else:
                failed.append(events)
            self.budget -= 1
            if not self.budget % LOOK_EVERY:
                self._rules.raise_if_stopped()
        self.budget = min(self.budget, self._window.budget)
        found: dict[tuple[frozenset[int], ...], Groups] = {}
        for larger in failed:
            # Inside a match its own events are all there is.
            lanes = [
                Content(numbers_in(content, g, self._ordering), list(g), revised=content.revised)
                for content, g in zip(self._window.steps, larger, strict=True)
            ]
            search = Search(self._rules, lanes, self._window.negations, self._ordering, self._enumeration)
            for inner in search.ending(len(lanes[step].events) - 1, step):
                found[_sets(inner)] = inner
            self._enumeration = search.budget
            if self._enumeration < 0:
                self.budget = -1
                self.bound = "enumeration"
                break
        for sets in sorted(found, key=lambda s: -sum(map(len, s))):
            if not any(all(map(frozenset.issubset, sets, k)) for k in kept):
                kept.append(sets)
                yield found[sets]


def _sets(groups: Sequence[Sequence[Event]]) -> tuple[frozenset[int], ...]:
    return tuple([frozenset([e.ordinal for e in g]) for g in groups])
