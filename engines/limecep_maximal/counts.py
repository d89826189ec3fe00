"""Counting without enumerating."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def count_singles(lanes: Sequence[Sequence[int]], floor: int, end: int) -> int:
    """How many ways there are to choose one event a step, each strictly before the next, in a window.

    Args:
        lanes: The order numbers of each step before the end step.
        floor: The least order number in the window.
        end: The end event's.
    """
    numbers: Sequence[int] = ()
    ways: list[int] = []
    for k, lane in enumerate(lanes):
        window = lane[bisect_left(lane, floor) : bisect_left(lane, end)]
        if not k:
            numbers, ways = window, [1] * len(window)
            continue
        total, i, counted = 0, 0, []
        for number in window:
            while i < len(numbers) and numbers[i] < number:
                total += ways[i]
                i += 1
            counted.append(total)
        numbers, ways = window, counted
    return sum(ways) if lanes else 1
