"""Look-ups in conditions, compiled."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import ConfigurationError
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.table import Rows, Table, TableRow
from limecep.plan.compiler import compile_plan
from limecep.plan.lookups import among, held, indexed, part
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from limecep.plan.plan import Alternative

LIMITS = Table(
    "limits",
    ("m",),
    False,
    Rows(
        [
            TableRow(("p",), None, {"max": 5, "in": {"deep": 7}, "dot.ted": 9}),
            TableRow((1,), None, {"max": 3}),
            TableRow((True,), None, {"max": 4}),
            TableRow((2.5,), None, {"max": None}),
        ]
    ),
)
PAIRS = Table("pairs", ("x", "y"), False, Rows([TableRow((1, "a"), None, {"z": 1})]))
TURNS = Table(
    "turns",
    ("m",),
    True,
    Rows([TableRow(("p",), 2 * SECOND, {"max": 3}), TableRow(("p",), 5 * SECOND, {"max": 8})]),
)
TABLES = {t.name: t for t in (LIMITS, PAIRS, TURNS)}


def plan_of(
    condition: str, structure: str = "SEQ(A a, B b)", counters: Counter[str] | None = None
) -> Alternative:
    pattern = parse(f"PATTERN {structure} WHERE {condition} WITHIN 20 s", tables=TABLES)
    (alternative,) = compile_plan(pattern, name="p", counters=counters).alternatives
    return alternative


def accepts(condition: str, t: int = 0, **payload: Any) -> bool:
    accept = plan_of(condition).steps[0].filter.accepts
    assert accept is not None
    return accept(Event("A", "a", t * SECOND, payload=payload))


@pytest.mark.parametrize(
    ("key", "value"),
    [("p", 5), (1, 3), (1.0, 3), (True, 4), (2.5, None), ("q", None), (None, None), ([1], None), ({}, None),
     (float("nan"), None), (0, None), ("1", None)],
)  # fmt: skip
def test_a_row_is_found_by_what_is_equal_to_its_key(key: Any, value: Any) -> None:
    assert accepts("limits[a.m].max = null", m=key) == (value is None)
    assert accepts(f"limits[a.m].max = {value or 0}", m=key) == (value is not None)


def test_a_column_may_be_within_an_object_or_have_a_dot() -> None:
    assert accepts("limits[a.m].in.deep = 7", m="p")
    assert accepts("limits[a.m].dot.ted = 9", m="p")
    assert accepts("limits[a.m].in.more = null", m="p")


@pytest.mark.parametrize(
    ("condition", "payload", "holds"),
    [
        ("pairs[a.x, a.y].z = 1", {"x": 1.0, "y": "a"}, True),
        ("pairs[a.x, 'a'].z = 1", {"x": 1}, True),
        ("pairs[1, a.y].z = 1", {"y": "a"}, True),
        ("pairs[a.x, a.y].z = 1", {"x": True, "y": "a"}, False),
        ("pairs[a.x, a.y].z = 1", {"x": 1}, False),
        ("limits[true].max = 4", {}, True),
        ("limits[limits[a.m].max - 4].max = 3", {"m": "p"}, True),
        ("a.v > limits[a.m].max", {"m": "p", "v": 6}, True),
        ("a.v + limits[a.m].max > 9", {"m": "p", "v": 5}, True),
    ],
)
def test_keys_are_values_of_any_kind(condition: str, payload: dict[str, Any], holds: bool) -> None:
    assert accepts(f"{condition} AND a.always = null", **payload) is holds


@pytest.mark.parametrize(
    ("value", "there"),
    [("p", True), (1, True), (1.0, True), (True, True), (False, False), ("x", False), ([1], False),
     (None, None), (float("nan"), None)],
)  # fmt: skip
def test_in_asks_whether_there_is_a_row(value: Any, there: bool | None) -> None:
    assert accepts("a.m IN limits", m=value) is (there is True)
    assert accepts("a.m NOT IN limits", m=value) is (there is False)


def test_what_is_not_found_is_unknown_and_counted() -> None:
    counters: Counter[str] = Counter()
    accept = plan_of("a.v > limits[a.m].max", counters=counters).steps[0].filter.accepts
    assert accept is not None
    assert not accept(Event("A", "a", 0, payload={"m": "q", "v": 1}))
    assert counters == {"unknown": 1}


@pytest.mark.parametrize(("second", "value"), [(0, None), (1, None), (2, 3), (4, 3), (5, 8), (99, 8)])
def test_the_row_holds_that_began_last(second: int, value: int | None) -> None:
    assert accepts("turns[a.m].max = 3", second, m="p") == (value == 3)
    assert accepts("turns[a.m].max = 8", second, m="p") == (value == 8)
    assert accepts("turns[a.m].max = null", second, m="p") == (value is None)
    assert accepts("a.m IN turns", second, m="p") == (value is not None)


def test_a_key_of_no_one_event_is_looked_up_at_the_time_of_the_end_event() -> None:
    alternative = plan_of("turns['p'].max > a.v")
    assert alternative.steps[0].filter.accepts is None
    (condition,) = alternative.conditions
    assert condition.steps == (0, 1)
    early, late = Event("B", "b", 3 * SECOND), Event("B", "b", 6 * SECOND)
    a = Event("A", "a", SECOND, payload={"v": 5})
    assert [condition.holds([[a], [b]]) for b in (early, late)] == [False, True]


def test_a_group_at_the_end_is_decided_when_it_is_left() -> None:
    (condition,) = plan_of("turns['p'].max > a.v", "SEQ(A a, B+ b[])").conditions
    assert condition.closes
    a, b = Event("A", "a", SECOND, payload={"v": 5}), [Event("B", f"b{n}", n * SECOND) for n in (3, 6)]
    assert [condition.holds([[a], b[:n]]) for n in (1, 2)] == [False, True]


def test_a_negated_step_is_held_against_the_end_event() -> None:
    (negation,) = plan_of("x.v < turns['p'].max", "SEQ(A a, !X x, B b)").negations
    x = Event("X", "x", 2 * SECOND, payload={"v": 5})
    assert negation.hits is not None
    hit = [negation.hits(x, [[Event("A", "a", 0)], [Event("B", "b", t * SECOND)]]) for t in (4, 6)]
    assert hit == [False, True]


def test_where_the_last_step_may_be_empty_it_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"'turns\['p'\].max > a.v' looks up .* 'b', the last step"):
        plan_of("turns['p'].max > a.v", "SEQ(A a, B? b)")
    plan_of("turns[a.m].max > a.v", "SEQ(A a, B? b)")


def test_filters_of_other_look_ups_are_others() -> None:
    conditions = ("limits[a.m].max > 1", "limits[a.m].min > 1", "limits[a.n].max > 1", "turns[a.m].max > 1")
    signatures = {plan_of(c).steps[0].filter.signature for c in (*conditions, "a.m IN limits")}
    assert len(signatures) == 5
    assert plan_of("1 < limits[a.m].max").steps[0].filter.signature in signatures


def test_a_column_is_indexed_once() -> None:
    assert indexed(LIMITS, ("max",)) is indexed(LIMITS, ("max",))
    assert indexed(LIMITS, ("max",)) == {"p": 5, 1: 3, (True,): 4, 2.5: None}
    assert indexed(TURNS, ("max",)) == {"p": ([2 * SECOND, 5 * SECOND], [3, 8])}


def test_what_has_no_row_holds_at_no_time() -> None:
    assert held(None, 5) is None
    assert held(([1], ["x"]), None) is None
    assert (part(None), part(1.0), part(False)) == (None, 1, (False,))
    assert [among(True, 1), among(None, 1), among(None, None)] == [True, False, None]
