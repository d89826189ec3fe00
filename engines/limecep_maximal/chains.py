"""Chains: what leads to an end event where every group of a match follows from the one before it.

Under STNM, where the steps up to the last but one take one event each and no condition is left to decide, the
events that a step may take are a range of its lane, and so are those of the step before that lead there. So
matches are counted by two bisections a step, however many there are; and patterns that go the same way
backwards from their end event share it (SEMANTICS 7).
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from limecep_maximal.bounds import NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.store.lane import Content
    from limecep_maximal.shape import Shape

#: Order numbers, the second not included.
Span = tuple[int, int]


def leading_to(numbers: Sequence[int], need: int, low: int, high: int) -> Span | None:
    """The order numbers of the events of the step before that lead to a step.

    Args:
        numbers: Those of the step's lane.
        need: How many events the step needs; all of them but the last may stand before `low`.
        low, high: Where the last event it needs may stand.
    """
    stop = bisect_left(numbers, high)
    last = stop - need
    if last < 0 or numbers[stop - 1] < low:
        return None
    first = bisect_left(numbers, low, 0, stop) - need + 1
    return numbers[first - 1] if first > 0 else NEVER, numbers[last]


def count_chains(shape: Shape, steps: Sequence[Content], place: int, floor: int) -> int:
    """How many matches end with the event at a place of the last lane, and no earlier end event completed.

    Args:
        shape: A plain shape with no group of several events before the last but one.
        steps: What each step holds.
        place: The place of the end event.
        floor: The least order number in its window.
    """
    numbers = steps[-1].order
    low, high = max(floor, numbers[place - 1] if place else NEVER), numbers[place]
    for k in range(len(steps) - 2, 0, -1):
        before = leading_to(steps[k].order, shape.minimum[k], low, high)
        if before is None:
            return 0
        low, high = max(floor, before[0]), before[1]
    starts = steps[0].order
    return max(0, bisect_left(starts, high) - bisect_left(starts, low))
