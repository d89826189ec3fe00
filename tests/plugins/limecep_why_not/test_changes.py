"""Changes: what they cost, and what a stream is once they are made."""

from __future__ import annotations

import pytest

from limecep.testing.streams import written
from limecep_why_not.changes import (
    MISSING,
    Added,
    Admitted,
    Cost,
    Lifted,
    Refused,
    Removed,
    Stream,
    Valued,
    Widened,
    cost,
    difference,
    put,
)


def test_changes_are_made_to_a_stream() -> None:
    a, b, late, new = written("a1=1 b2=2 b3=3 c4=4")
    stream = Stream([a, b], [Refused(late, 12.0, 10.0)])
    changes = (
        Added(event=new, variable="c", types=("C",), after=0, before=9),
        Removed(event=b),
        Valued(event=a, variable="a", path=("v",), old=1, new=5),
    )
    assert [(e.id, e.payload) for e in stream.changed(changes)] == [("a1", {"v": 5}), ("c4", {"v": 4})]
    assert a.payload == {"v": 1}
    assert [e.id for e in stream.changed([Lifted(rule="select", old="stnm")])] == ["a1", "b2"]


def test_a_higher_threshold_lets_in_all_that_score_no_more() -> None:
    events = written("a1 a2 a3")
    stream = Stream(
        [], [Refused(e, score, 10.0) for e, score in zip(events, (11.0, 12.0, 13.0), strict=True)]
    )
    admitted = Admitted(event=events[1], old=10.0, new=12.0)
    assert [e.id for e in stream.changed([admitted])] == ["a1", "a2"]


def test_a_value_of_a_refused_event_says_nothing_of_the_others() -> None:
    [event] = written("a1=1")
    stream = Stream([], [Refused(event, 11.0, 10.0)])
    assert stream.changed([Valued(event=event, variable="a", path=("v",), old=1, new=2)]) == []


def test_a_part_of_a_stream_is_that_of_a_time() -> None:
    a, b, c, late = written("a1 b2 c3 d2")
    part = Stream([a, b, c], [Refused(late, 1.0, 0.0)]).between(1_500_000, 2_000_000)
    assert ([e.id for e in part.events], [r.event.id for r in part.refused]) == (["b2"], ["d2"])


@pytest.mark.parametrize(
    ("old", "new", "amount"),
    [(30, 34, 4 / 64), (0, 0, 0), (-1, 1, 1), (1.0, 3, 0.5), ("x", "y", 1), (MISSING, 3, 1)],
)
def test_an_amount_is_relative(old: object, new: object, amount: float) -> None:
    assert difference(old, new) == amount


def test_fewer_things_cost_less_whatever_the_amount() -> None:
    one, two = cost([Lifted(rule="pick", old="last")]), cost([Widened(old=100, new=101)] * 2)
    assert one == Cost(1, 1.0)
    assert one < two


@pytest.mark.parametrize(
    ("payload", "path", "value", "changed"),
    [
        ({"v": 1}, ("v",), 2, {"v": 2}),
        ({"v": 1}, ("v",), MISSING, {}),
        ({"a": {"b": 1, "c": 2}}, ("a", "b"), 3, {"a": {"b": 3, "c": 2}}),
        ({"a.b": 1}, ("a", "b"), 3, {"a.b": 3}),
        ({}, ("a", "b"), 3, {"a": {"b": 3}}),
    ],
)
def test_a_value_is_put_where_conditions_find_it(
    payload: dict[str, object], path: tuple[str, ...], value: object, changed: dict[str, object]
) -> None:
    assert put(payload, path, value) == changed
