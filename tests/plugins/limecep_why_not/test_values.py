"""Values that make a match of an assignment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.streams import written
from limecep_why_not.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("where", "text", "changed"),
    [
        ("a.v > 40", "a1=38 b2=1", [("a", 41)]),
        ("b.v > a.v", "a1=9 b2=5", [("b", 10)]),
        ("a.v + b.v >= 20", "a1=9 b2=5", [("a", 15)]),
        ("a.v BETWEEN 3 AND 5", "a1=900 b2=1", [("a", 5)]),
        ("a.v * 3 > 100000", "a1=30000 b2=1", [("a", 33334)]),
        ("a.v = 'on'", "a1=off b2=1", [("a", "on")]),
        ("a.v > 40 AND a.v < 60", "a1=70 b2=1", [("a", 59)]),
    ],
)
def test_the_least_other_value_is_found(
    house: Callable[..., Any], where: str, text: str, changed: list[tuple[str, object]]
) -> None:
    [alternative] = house(f"SEQ(A a, B b) WHERE {where} WITHIN 9 seconds").plan.alternatives
    a, b = written(text)
    mended = Values(alternative, (), [a, b]).mended([[a], [b]], set(), 1)[0]
    assert [("ab"[c.place.step], c.new) for c in mended.values] == changed
    assert a.payload["v"] == written(text)[0].payload["v"], "the events are as they were"


def test_two_conditions_may_take_two_values(house: Callable[..., Any]) -> None:
    [alternative] = house("SEQ(A a, B b) WHERE a.v > 4 AND b.v > 6 WITHIN 9 seconds").plan.alternatives
    values, (a, b) = Values(alternative, (), []), written("a1=3 b2=3")
    assert values.mended([[a], [b]], set(), 1) == []
    assert [c.new for c in values.mended([[a], [b]], set(), 2)[0].values] == [5, 7]


def test_one_condition_may_take_a_value_of_each_event_of_a_group(house: Callable[..., Any]) -> None:
    [alternative] = house("SEQ(A+ a[]) WHERE a[i].v > 4 WITHIN 9 seconds").plan.alternatives
    values, events = Values(alternative, (), []), written("a1=3 a2=3")
    assert [c.new for c in values.mended([events], set(), 2)[0].values] == [5, 5]


def test_values_of_added_events_are_filled_in(house: Callable[..., Any]) -> None:
    [alternative] = house("SEQ(A a, B b) WHERE b.v > a.v AND b.w = 'x' WITHIN 9 seconds").plan.alternatives
    a, b = written("a1=7 b2")
    mended = Values(alternative, (), [a]).mended([[a], [b]], {(1, 0)}, 0)[0]
    assert mended.payloads[1, 0] == {"v": 8, "w": "x"}


def test_a_key_does_not_change(house: Callable[..., Any]) -> None:
    [alternative] = house("SEQ(A a, B b) WHERE a.v > 4 WITHIN 9 seconds").plan.alternatives
    a, b = written("a1=3 b2=3")
    assert Values(alternative, [("v",)], []).mended([[a], [b]], set(), 1) == []


def test_what_hits_may_change_or_go(house: Callable[..., Any]) -> None:
    [alternative] = house("SEQ(A a, !X x, B b) WHERE x.v > a.v WITHIN 9 seconds").plan.alternatives
    a, x, b = written("a1=3 x2=5 b3")
    [negation] = alternative.negations
    assert negation.hits is not None

    def hits(groups: Any) -> list[Any]:
        assert negation.hits is not None
        return [(x, "x")] if negation.hits(x, groups) else []

    values = Values(alternative, (), []).mended([[a], [b]], set(), 1, hits, [5])
    assert [(c.new, h) for m in values[:1] for c in m.values for h in [m.hits]] == [(5, ())]
    assert any(not m.values and m.hits == ((x, "x"),) for m in values)


def test_conditions_may_depend_on_time(house: Callable[..., Any]) -> None:
    for where, timed in (("a.v > 1", False), ("b.time - a.time < 5 seconds", True)):
        [alternative] = house(f"SEQ(A a, B b) WHERE {where} WITHIN 9 seconds").plan.alternatives
        assert Values(alternative, (), []).timed is timed


def test_a_value_of_an_added_event_may_be_held_against_a_count(house: Callable[..., Any]) -> None:
    [alternative] = house(
        "SEQ(A a, B b) WHERE a.v <= 4 AND count(a) >= a.v WITHIN 9 seconds"
    ).plan.alternatives
    a, b = written("a1 b2=3")
    [payload, *_] = [m.payloads[0, 0] for m in Values(alternative, (), []).mended([[a], [b]], {(0, 0)}, 0)]
    assert payload["v"] <= 1


def test_two_events_of_a_group_may_break_one_condition(house: Callable[..., Any]) -> None:
    query = "SEQ(A{2} a[]) WHERE count(a) >= a.v AND a[i-1].v != a[i].v WITHIN 9 seconds"
    [alternative] = house(query).plan.alternatives
    values, events = Values(alternative, (), []), written("a1=3 a2=3")
    assert sorted(c.new for c in values.mended([events], set(), 2)[0].values) == [1, 2]


def test_one_value_may_get_several_events_out_of_the_way(house: Callable[..., Any]) -> None:
    [alternative] = house("SEQ(B a, !A b) WHERE b.v <= a.v WITHIN 9 seconds").plan.alternatives
    b, *rivals = written("b1=1 a2=0 a3=0")
    [negation] = alternative.negations

    def hits(groups: Any) -> list[Any]:
        assert negation.hits is not None
        return [(x, "b") for x in rivals if negation.hits(x, groups)]

    mended = Values(alternative, (), []).mended([[b]], set(), 1, hits, [0, 0])
    assert mended[0].hits == ()
    assert mended[0].values[0].new in (-1, None)
