"""Matches are counted by what leads to an end event, not one by one."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, overload

import pytest

from limecep_maximal.bounds import NEVER
from limecep_maximal.chains import count_chains, leading_to


class Read(Sequence[int]):
    """Order numbers that count how often one is read."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers
        self.reads = 0

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[int]: ...
    def __getitem__(self, place: int | slice) -> int | Sequence[int]:
        self.reads += 1
        return self._numbers[place]

    def __len__(self) -> int:
        return len(self._numbers)


def counted(*lanes: Sequence[int], need: int = 1, floor: int = 0) -> int:
    minimum = [1, *[need] * (len(lanes) - 2), 1]
    shape: Any = SimpleNamespace(minimum=minimum)
    steps: Any = [SimpleNamespace(order=numbers) for numbers in lanes]
    return count_chains(shape, steps, len(lanes[-1]) - 1, floor)


def test_what_leads_to_a_step_lies_between_the_event_before_its_first_and_its_last() -> None:
    assert leading_to([2, 5, 8], 1, 4, 9) == (2, 8)
    assert leading_to([2, 5, 8], 1, 1, 8) == (NEVER, 5)
    assert leading_to([2, 5, 8], 1, 6, 8) is None
    assert leading_to([], 1, 0, 9) is None


def test_of_a_group_the_last_event_that_it_needs_must_be_there_in_time() -> None:
    assert leading_to([2, 5, 8], 2, 4, 9) == (NEVER, 5)
    assert leading_to([2, 5, 8], 2, 6, 9) == (2, 5)
    assert leading_to([2, 5, 8], 4, 0, 9) is None


@pytest.mark.interpreted
def test_a_match_is_counted_once_at_the_end_event_that_completes_it() -> None:
    assert counted([1, 2, 5], [3, 6], [7]) == 3
    assert counted([1, 2, 5], [3, 6], [4, 7]) == 1
    assert counted([1, 2, 5], [3, 6], [7, 8]) == 0


@pytest.mark.interpreted
def test_nothing_is_counted_that_starts_before_the_window_or_does_not_precede() -> None:
    assert counted([1, 2, 5], [3, 6], [7], floor=2) == 2
    assert counted([3, 4], [3, 6], [7]) == 2
    assert counted([1], [7], [7]) == 0


@pytest.mark.interpreted
def test_many_matches_are_counted_as_soon_as_few() -> None:
    def reads(starts: int) -> int:
        lanes = [Read(range(starts)), Read([starts]), Read([starts + 1])]
        assert counted(*lanes) == starts
        return sum(lane.reads for lane in lanes)

    assert reads(10_000) <= reads(10) + 2 * 12
