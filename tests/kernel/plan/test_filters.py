from __future__ import annotations

from collections import Counter

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan

STEPS = "A a, B+ b[], C? c"


def alternative(where: str, structure: str = f"SEQ({STEPS})", **params: object):
    query = f"PATTERN {structure} WHERE {where} WITHIN 10 seconds"
    (made,) = compile_plan(parse(query), name="p", params=params).alternatives
    return made


def event(**payload: object) -> Event:
    return Event(type="A", id="e", t_gen=0, source="s", payload=payload)


@pytest.mark.parametrize(
    ("where", "payload", "expected"),
    [
        ("a.v > 3", {"v": 4}, True),
        ("a.v > 3", {"v": 3}, False),
        ("a.v > 3", {"v": True}, False),
        ("a.v > 3", {"v": "4"}, False),
        ("a.v > 3", {}, False),
        ("3 < a.v", {"v": 4}, True),
        ("NOT a.v > 3", {"v": 3}, True),
        ("NOT a.v > 3", {}, False),
        ("a.v > -3", {"v": 0}, True),
        ("a.v != 3", {"v": 4}, True),
        ("a.v != 3", {"v": float("nan")}, False),
        ("a.v != 'x'", {"v": "y"}, True),
        ("a.v != 'x'", {"v": 1}, True),
        ("a.v != 'x'", {"v": [1]}, True),
        ("a.v != 'x'", {}, False),
        ("NOT a.v = 1", {"v": "1"}, True),
        ("NOT a.v < 1", {"v": "1"}, False),
        ("a.v != 1", {"v": True}, True),
        ("a.v == true", {"v": True}, True),
        ("a.v == true", {"v": 1}, False),
        ("a.v != true", {"v": False}, True),
        ("a.v != true", {"v": 1}, True),
        ("a.v != true", {"v": None}, False),
        ("a.v < true", {"v": False}, False),
        ("a.v", {"v": True}, True),
        ("a.v", {"v": 1}, False),
        ("NOT a.v", {"v": False}, True),
        ("a.v = null", {}, True),
        ("a.v = null", {"v": None}, True),
        ("a.v = null", {"v": 1}, False),
        ("null != a.v", {"v": 1}, True),
        ("NOT a.v = null", {"v": 1}, True),
        ("a.v > null", {"v": 1}, False),
        ("a.v = $nothing", {}, True),
        ("a.v = $limit", {"v": 7.0}, True),
        ("a.v > a.w", {"v": 2, "w": 1.5}, True),
        ("a.v > a.w", {"v": "b", "w": "a"}, True),
        ("a.v > a.w", {"v": True, "w": False}, False),
        ("a.v != a.w", {"v": True, "w": False}, True),
        ("a.v != a.w", {"v": 1, "w": "1"}, True),
        ("NOT a.v = a.w", {"v": 1, "w": True}, True),
        ("a.v != a.w", {"v": 1}, False),
        ("a.v = a.w", {"v": [1], "w": [1]}, False),
        ("a.v != a.w", {"v": [1], "w": [2]}, False),
        ("a.v != a.w", {"v": [1], "w": {}}, True),
        ("a.v IN (1, 2.5)", {"v": 2.5}, True),
        ("a.v IN (1, 2)", {"v": True}, False),
        ("a.v IN ('x', 'y')", {"v": "y"}, True),
        ("NOT a.v IN ('x', 'y')", {"v": "z"}, True),
        ("NOT a.v IN ('x', 'y')", {"v": 1}, True),
        ("NOT a.v IN ('x', 'y')", {"v": [1]}, True),
        ("NOT a.v IN ('x', 'y')", {}, False),
        ("NOT a.v IN ('x', 1)", {"v": "1"}, True),
        ("NOT a.v IN (1, 2)", {"v": float("nan")}, False),
        ("a.v IN (1, true)", {"v": True}, True),
        ("a.v IN (1, null)", {}, True),
        ("a.v BETWEEN 1 AND 3", {"v": 3}, True),
        ("NOT a.v BETWEEN 1 AND 3", {"v": 4}, True),
        ("NOT a.v BETWEEN 1 AND 3", {"v": "4"}, False),
        ("a.v > 1 OR a.w > 1", {"w": 2}, True),
        ("NOT (a.v > 1 AND a.w > 1)", {"w": 0}, True),
        ("NOT (a.v > 1 OR a.w > 1)", {"w": 0}, False),
        ("(a.v > 1) = a.w", {"v": 2, "w": True}, True),
        ("(a.v > 1) = a.w", {"w": False}, False),
        ("a.v + 1 > 2 * a.w", {"v": 4, "w": 2}, True),
        ("a.v / a.w > 0", {"v": 4, "w": 0}, False),
        ("abs(a.v) >= 3", {"v": -3}, True),
        ("a.payload.temp > 1", {"payload": {"temp": 2}}, True),
        ("a.payload.temp > 1", {"payload": 2}, False),
        ("a.id = 'e' AND a.source = 's' AND a.type = 'A'", {}, True),
        ("a.id = 'e'", {"id": "f"}, False),
    ],
)
def test_conditions_on_one_event(where, payload, expected):
    made = alternative(where, nothing=None, limit=7)
    assert made.conditions == ()
    assert made.steps[0].filter.accepts(event(**payload)) is expected


@pytest.mark.parametrize(
    ("where", "step"),
    [
        ("a.v > 1", 0),
        ("a[i].v > 1", 0),
        ("a[1].v > 1", 0),
        ("first(a).v > 1", 0),
        ("last(a).v + a.v > 1", 0),
        ("b.v > 1", 1),
        ("b[i].v > 1", 1),
        ("b[i].v > 1 OR b[i].v < 0", 1),
        ("c.v > 1", 2),
        ("c[i].v > 1", 2),
    ],
)
def test_what_is_about_single_events_of_one_step_filters_it(where, step):
    made = alternative(where)
    assert made.conditions == ()
    accepting = [s.filter.accepts is not None for s in made.steps]
    assert accepting == [k == step for k in range(3)]
    assert made.steps[step].filter.accepts(event(v=2))
    assert not made.steps[step].filter.accepts(event(v=0.5))


@pytest.mark.parametrize(
    "where",
    [
        "b[1].v > 1",
        "last(b).v > 1",
        "first(c).v > 1",
        "a[2].v > 1",
        "count(a) = 1",
        "avg(b.v) > 1",
        "b[i+1].v > b[i].v",
        "b[i+1].v > 1",
        "b[i-1].v > 1 OR b[i-1].v < 0",
        "b[i].v > avg(b[..i-1].v)",
        "b.v > a.v",
    ],
)
def test_what_is_about_more_is_a_condition(where):
    made = alternative(where)
    assert [c.text for c in made.conditions] == [where]
    assert all(s.filter.accepts is None for s in made.steps)


@pytest.mark.parametrize(
    "where",
    [
        "a[i+1].v > a[i].v",
        "a[i+1].v > 1",
        "a[i-1].v = null",
        "a[i+1].v > b[i].v",
        "a[i].v > avg(a[..i-1].v)",
        "a[i].v > 1 AND a[i].v < a[i-1].v",
    ],
)
def test_neighbours_of_a_single_event_are_nobody(where):
    assert alternative(where).conditions == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a.v > 1", "a.v > 1", True),
        ("a.v > 1", "1 < a.v", True),
        ("a.v > 1", "a[i].v > 1", True),
        ("a.v > $limit", "a.v > 7", True),
        ("a.v > 1 AND a.w = 2", "2 = a.w AND a.v > 1", True),
        ("a.v > 1 AND a.v > 1", "a.v > 1", True),
        ("a.v IN (1, 2)", "a.v = 2 OR a.v = 1", True),
        ("a.v BETWEEN 1 AND 2", "a.v >= 1 AND a.v <= 2", False),
        ("a.v > 1", "a.v >= 1", False),
        ("a.v > 1", "a.w > 1", False),
        ("a.v.w > 1", "a.`v.w` > 1", False),
        ("a.v = 1", "a.v = '1'", False),
        ("a.v = 'true'", "a.v = true", False),
        ("a.v - a.w > 0", "a.w - a.v > 0", False),
        ("a.v = $huge", "a.v = 1", False),
    ],
)
def test_equal_filters_have_equal_signatures(one, other, same):
    first, second = (alternative(w, limit=7, huge=10**5000).steps[0].filter.signature for w in (one, other))
    assert (first == second) is same


@pytest.mark.parametrize(
    ("where", "payload", "expected"),
    [
        ("a.v > 3", {"v": 4}, 0),
        ("a.v > 3", {"v": 3}, 0),
        ("a.v > 3", {}, 1),
        ("a.v > 3", {"v": "4"}, 1),
        ("NOT a.v > 3", {"v": float("nan")}, 1),
        ("a.v != 'x'", {"v": 1}, 0),
        ("a.v = 'x'", {"v": 1}, 0),
        ("a.v = 'x'", {}, 1),
        ("a.v = true", {"v": 1}, 0),
        ("a.v = a.w", {"v": 1, "w": "1"}, 0),
        ("a.v = a.w", {"v": [1], "w": [1]}, 1),
        ("a.v < true", {"v": True}, 1),
        ("a.v", {"v": 1}, 1),
        ("a.v = null", {}, 0),
        ("a.v > null", {"v": 1}, 1),
        ("a.v IN (1, 2)", {"v": "1"}, 0),
        ("a.v IN (1, 2)", {}, 1),
        ("a.v IN (1, 2)", {"v": 3}, 0),
        ("a.v > 3 OR a.w > 3", {"w": 4}, 0),
        ("a.v > 3 OR a.w > 3", {"w": 3}, 1),
        ("NOT (a.v > 3 AND a.w > 3)", {"w": 3}, 0),
        ("NOT (a.v > 3 OR a.w > 3)", {"w": 4}, 0),
        ("a.v BETWEEN 1 AND 3", {}, 1),
        ("a.v BETWEEN 1 AND 3", {"v": 4}, 0),
        ("a.v > 3 AND a.w > 3", {"v": 3}, 0),
        ("a.v > 3 AND a.w > 3", {}, 1),
    ],
)
def test_what_is_unknown_of_an_event_is_counted_once(where, payload, expected):
    counters = Counter()
    query = f"PATTERN SEQ({STEPS}) WHERE {where} WITHIN 10 seconds"
    (made,) = compile_plan(parse(query), name="p", counters=counters).alternatives
    made.steps[0].filter.accepts(event(**payload))
    assert counters["unknown"] == expected


def test_signatures_know_types_but_not_variables():
    made = alternative("x.v > 1 AND y.v > 1 AND z.v > 1", "SEQ((B OR A) x, (A OR B)+ y[], A z)")
    x, y, z = (s.filter for s in made.steps)
    assert x.signature == y.signature != z.signature
    assert x.types == ("A", "B")
