"""Negated steps (SEMANTICS 4): what an event that must not be there leaves of the matches of an end event.

Between two positive events it cuts a transition, which `limecep_nfa.policies` sees to. Before the first or
after the last one it limits where a match may begin. One that is held against other variables is looked for
when a match is whole.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.plan.plan import Alternative
    from limecep.store.lane import Content, Ordering


class Absence:
    """The negated steps of an alternative.

    Attributes:
        conditional: Whether some are held against other variables.
        trails: Whether some may stand after the end event.
    """

    def __init__(self, alternative: Alternative) -> None:
        self._size = len(alternative.steps)
        self._plain = [(n, x.after) for n, x in enumerate(alternative.negations) if x.hits is None]
        self._held = [(n, x.after, x.hits) for n, x in enumerate(alternative.negations) if x.hits is not None]
        self.conditional = bool(self._held)
        self.trails = any(x.after > alternative.ends[0] for x in alternative.negations)

    def latest_starts(
        self, negations: Sequence[Content], ordering: Ordering, order: int, end_step: int
    ) -> list[int]:
        """For every step, the greatest order number of a first event with which a match may begin there.

        Args:
            negations: The lanes of the negated steps.
            ordering: Precedence and the window.
            order: The greatest order number of the end event.
            end_step: The step that takes it.
        """
        latest = [order] * self._size
        floor = ordering.floor(order)
        for n, after in self._plain:
            numbers = negations[n].order
            if after > end_step:
                i = bisect_right(numbers, order)
                bound = ordering.floor(numbers[i]) - 1 if i < len(numbers) else order
                latest = [min(bound, number) for number in latest]
            else:
                i = bisect_left(numbers, floor)
                if i < len(numbers):
                    latest[after:] = [min(numbers[i], number) for number in latest[after:]]
        return latest

    def hit(
        self, groups: Sequence[Group], negations: Sequence[Content], ordering: Ordering, floor: int
    ) -> bool:
        """Whether an event of a step that is held against other variables forbids a match.

        Args:
            groups: The match.
            negations: The lanes of the negated steps.
            ordering: Precedence and the window.
            floor: The least order number in the window that ends with the match.
        """
        whole: list[Sequence[Event]] = [tuple(g) for g in groups]
        for n, after, hits in self._held:
            numbers = negations[n].order
            before = next((g for g in reversed(whole[:after]) if g), None)
            behind = next((g for g in whole[after:] if g), None)
            low = bisect_left(numbers, floor)
            high = len(numbers)
            if before is not None:
                low = bisect_right(numbers, ordering.latest(before[-1]))
            if behind is not None:
                high = bisect_left(numbers, ordering.of(behind[0]))
            else:
                start = next(g for g in whole if g)[0]
                high = bisect_right(numbers, ordering.ceiling(ordering.of(start)))
            if any(hits(x, whole) for x in negations[n].events[low:high]):
                return True
        return False
