from __future__ import annotations

from typing import Any, cast

import pytest

from limecep.model.event import Event
from limecep.model.match import Group, Match, Range
from limecep.plan.completion import completes

EVENTS = {n: Event(type="X", id=str(n), t_gen=n, ordinal=n) for n in range(1, 10)}


class Content:
    """A lane's content, as ranges see it."""

    def __init__(self, *numbers: int) -> None:
        self.events = [EVENTS[n] for n in numbers]
        self.late: list[int] = []


def match(*groups: Group | list[int]) -> Match:
    made = tuple(tuple(EVENTS[n] for n in g) if isinstance(g, list) else g for g in groups)
    return Match(alternative=cast("Any", None), groups=made)


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [
        (([1], [2], [3]), ([1], [2], [4]), True),
        (([1], [2], [4]), ([1], [2], [3]), False),
        (([1], [2], [3]), ([1], [2], [3]), False),
        (([1], [2], [4]), ([1], [2, 3], [5]), True),
        (([1], [2, 3], [4]), ([1], [2], [5]), False),
        (([1], [3], [4]), ([1], [2, 3], [5]), False),
        (([1], [2], [4]), ([3], [2], [5]), False),
        (([1], [3], [4]), ([1, 2], [3], [5]), False),
        (([1], [], [2]), ([1], [3], [4]), True),
        (([1], [], [3]), ([1, 2], [], [4]), True),
        (([], [1], [2]), ([], [1, 3], [4]), True),
        (([], [2], [3]), ([1], [2], [4]), False),
        (([], [], [2]), ([], [], [4]), False),
        (([], [], [2]), ([1], [3], [4]), False),
        (([2],), ([4],), False),
    ],
)
def test_a_completed_run_takes_no_more_events(earlier, later, expected):
    assert completes(match(*earlier), match(*later)) is expected


def test_ends_at_one_time_are_told_apart_by_the_sort_key():
    first, second = Event(type="C", id="a", t_gen=5), Event(type="C", id="b", t_gen=5)
    start = (EVENTS[1],)
    m, n = (Match(alternative=cast("Any", None), groups=(start, (e,))) for e in (first, second))
    assert completes(m, n)
    assert not completes(n, m)


def test_groups_may_be_ranges():
    content = cast("Any", Content(1, 2, 3, 4))
    short, long, shifted = Range(content, 0, 2, 0), Range(content, 0, 3, 0), Range(content, 1, 4, 0)
    assert completes(match(short, [8]), match(long, [9]))
    assert not completes(match(long, [8]), match(short, [9]))
    assert not completes(match(short, [8]), match(shifted, [9]))
    assert completes(match([1, 2], [8]), match(long, [9]))
    assert completes(match(short, [8]), match([1, 2, 3], [9]))


def test_ranges_made_before_a_late_event_go_on_meaning_what_they_meant():
    content = cast("Any", Content(1, 3))
    before = Range(content, 0, 2, 0)
    content.events.insert(1, EVENTS[2])
    content.late.append(1)
    after = Range(content, 0, 3, 1)
    assert not completes(match(before, [8]), match(after, [9]))
    assert completes(match(Range(content, 0, 2, 1), [8]), match(after, [9]))
