"""Start groups: which of them count in a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.store.lane import Ordering
from limecep.testing.streams import SECOND
from limecep_maximal.paths import Forest
from limecep_maximal.starts import Ranges, Singles, Trees, container, widest

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.store.lane import Content


def test_single_events_each_count() -> None:
    singles = Singles([2, 5, 7])
    assert singles.latest == 7
    assert [*singles.counting(2)] == [(2, 1), (5, 1), (7, 1)]
    assert [*singles.counting(3)] == [(5, 1), (7, 1)]
    assert [*singles.counting(8)] == []


def test_a_range_counts_unless_another_contains_it() -> None:
    ranges = Ranges([5, 7], None, 1, 100)
    assert ranges.latest == 7
    assert [*ranges.counting(2)] == [(2, 6)]
    assert [*ranges.counting(6)] == [(6, 2)]


def test_a_range_has_enough_and_not_too_many() -> None:
    ranges = Ranges([5, 7], None, 2, 3)
    assert ranges.latest == 6
    assert [*ranges.counting(0)] == [(5, 3), (3, 3)]
    assert [*ranges.counting(4)] == [(5, 3), (4, 2)]
    assert [*ranges.counting(6)] == [(6, 2)]
    assert [*ranges.counting(7)] == []


def test_a_range_begins_where_it_is_accepted() -> None:
    asked = []

    def accepts(first: int, length: int) -> bool:
        asked.append((first, length))
        return first % 3 == 1

    ranges = Ranges([5, 8], accepts, 1, 100)
    assert [*ranges.counting(0)] == [(1, 8)]
    assert [*ranges.counting(2)] == [(4, 5)]
    count = len(asked)
    assert [*ranges.counting(3)] == [(4, 5)]
    assert len(asked) == count + 1
    assert [*ranges.counting(8)] == []


@pytest.fixture
def forest(lanes: Callable[..., list[Content]]) -> Forest:
    """0 leads to 2, 1 to 3, 2 to 4 and 3 to 5."""
    (lane,) = lanes([f"a{n}={n % 2}" for n in range(6)])
    made = Forest(lane, Ordering(10 * SECOND), lambda a, b: a.payload == b.payload, 0)
    made.catch_up(9 * SECOND)
    return made


def test_a_path_counts_once_what_leads_to_it_has_left_the_window(forest: Forest) -> None:
    trees = Trees({0: 3, 2: 2, 3: 1}, {0: 4, 2: 4, 3: 3}, forest, 0)
    assert trees.latest == 3
    assert [*trees.counting(0)] == [(0, 3), (3, 1)]
    assert [*trees.counting(1)] == [(2, 2), (3, 1)]
    assert [*trees.counting(3)] == [(3, 1)]


def test_a_group_is_contained_in_what_leads_to_it_and_ends_no_earlier(forest: Forest) -> None:
    assert container(4, {0: 4, 2: 2, 4: 4}, forest, 0) == 0
    assert container(4, {0: 4, 2: 4, 4: 4}, forest, 0) == 2
    assert container(4, {0: 4, 4: 4}, forest, 1) == 0
    assert container(4, {0: 2, 4: 4}, forest, 0) == -1
    assert container(5, {5: 5}, forest, 3) == 2


def test_the_widest_ranges_are_those_that_no_other_contains() -> None:
    assert widest([(0, 3), (1, 2), (2, 2), (3, 1), (5, 1)]) == [(0, 3), (2, 2), (5, 1)]
