from __future__ import annotations

from collections import Counter

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan

STEPS = "SEQ(A a, B+ b[], C? c, D{1,3} d[])"


def condition(where: str, structure: str = STEPS):
    query = f"PATTERN {structure} WHERE {where} WITHIN 10 seconds"
    (alternative,) = compile_plan(parse(query), name="p").alternatives
    (made,) = alternative.conditions
    return made


def groups(*values: list[object]) -> list[tuple[Event, ...]]:
    return [
        tuple(Event(type="X", id=f"{k}{n}", t_gen=0, payload={"v": v}) for n, v in enumerate(group))
        for k, group in enumerate(values)
    ]


@pytest.mark.parametrize(
    ("where", "values", "expected"),
    [
        ("b[i+1].v > b[i].v", ([0], [1, 2, 3], [], [0]), True),
        ("b[i+1].v > b[i].v", ([0], [1, 3, 2], [], [0]), False),
        ("b[i+1].v > b[i].v", ([0], [1], [], [0]), True),
        ("b[i+1].v > b[i].v", ([0], [1, None], [], [0]), False),
        ("b[i].v > b[i-1].v", ([0], [1, 3, 2], [], [0]), False),
        ("b[i+1].v > 2", ([0], [1, 3, 3], [], [0]), True),
        ("b[i+1].v > 2", ([0], [3, 3, 1], [], [0]), False),
        ("b[i+1].v > 2", ([0], [1], [], [0]), True),
        ("b[i-1].v > 2", ([0], [3, 3, 1], [], [0]), True),
        ("b[i-1].v > 2", ([0], [1, 3, 3], [], [0]), False),
        ("b[i+1].v > d[i+1].v", ([0], [0, 2, 2], [], [1, 1]), True),
        ("b[i+1].v > d[i+1].v", ([0], [2, 1, 2], [], [1, 1]), False),
        ("b[i-1].v > d[i].v", ([0], [2, 2, 0], [], [9, 1, 1]), True),
        ("b[i-1].v > d[i].v", ([0], [2, 1, 2], [], [0, 1, 1]), False),
        ("b[i+1].v > a.v", ([1], [0, 2], [], [0]), True),
        ("b[i+1].v > a.v", ([1], [2, 0], [], [0]), False),
        ("c[i+1].v > a.v", ([1], [0], [0], [0]), True),
        ("b[i+1].v > a[i+1].v", ([1], [0, 0], [], [0]), True),
        ("b[i+1].v > b[i-1].v", ([0], [1, 0, 2, 1], [], [0]), True),
        ("b[i+1].v > b[i-1].v", ([0], [1, 9, 1], [], [0]), False),
        ("b.v > a.v", ([0], [1, 2], [], [0]), True),
        ("b.v > a.v", ([1], [2, 1], [], [0]), False),
        ("b[i].v > a.v", ([1], [2, 1], [], [0]), False),
        ("b[i].v > a[i].v", ([1], [2, 1], [], [0]), True),
        ("b[i+1].v > a[i].v", ([1], [0, 2, 1], [], [0]), True),
        ("b.v < d.v", ([0], [1, 2], [], [3, 4]), True),
        ("b.v < d.v", ([0], [1, 2], [], [2, 4]), False),
        ("b[i].v < d[i].v", ([0], [1, 2], [], [2, 4]), True),
        ("b[i].v < d[i].v", ([0], [1, 2, 9], [], [2, 2]), False),
        ("b[i].v < d[i+1].v", ([0], [1, 2], [], [0, 4]), True),
        ("c.v > a.v", ([1], [0], [], [0]), True),
        ("c.v > a.v", ([1], [0], [2], [0]), True),
        ("c.v > a.v", ([1], [0], [1], [0]), False),
        ("c.v = null AND NOT c.v = a.v", ([1], [0], [], [0]), True),
        ("first(c).v = null", ([1], [0], [], [0]), True),
        ("first(c).v = a.v", ([1], [0], [], [0]), False),
        ("first(c).v != a.v OR first(c).v = null", ([1], [0], [], [0]), True),
        ("b[1].v = 1", ([0], [1, 2], [], [0]), True),
        ("b[2].v = 2", ([0], [1, 2], [], [0]), True),
        ("b[3].v = null", ([0], [1, 2], [], [0]), True),
        ("NOT b[3].v > 1", ([0], [1, 2], [], [0]), False),
        ("last(b).v > first(b).v", ([0], [1, 0, 2], [], [0]), True),
        ("b.v <= last(b).v", ([0], [1, 3, 2], [], [0]), False),
        ("count(b) >= 3", ([0], [1, None, 2], [], [0]), True),
        ("count(b.v) >= 3", ([0], [1, None, 2], [], [0]), False),
        ("avg(b.v) = 1.5", ([0], [1, None, 2], [], [0]), True),
        ("sum(c.v) = 0 AND a.v > 5", ([6], [1], [], [0]), True),
        ("avg(c.v) = null", ([0], [1], [], [0]), True),
        ("count(b) > count(d)", ([0], [1, 2], [], [0]), True),
        ("b[i].v > avg(b[..i-1].v)", ([0], [1, 2, 3], [], [0]), True),
        ("b[i].v > avg(b[..i-1].v)", ([0], [1, 3, 2], [], [0]), False),
        ("b[i].v > avg(b[..i-1].v)", ([0], [1], [], [0]), True),
        ("b[i].v > count(b[..i-1])", ([0], [9, 2, 3], [], [0]), True),
        ("b[i].v > count(b[..i-1])", ([0], [9, 1, 3], [], [0]), False),
        ("d[i].v > max(b[..i-1].v)", ([0], [1, 2], [], [0, 2, 0]), True),
        ("d[i].v > max(b[..i-1].v)", ([0], [1, 2], [], [0, 1, 0]), False),
        ("b[i].v > min(b[..i-1].v) + a.v", ([1], [1, 3, 2.5], [], [0]), True),
        ("b[i].v - b[i-1].v < avg(b.v)", ([1], [1, 3, 2], [], [0]), False),
        ("a.v + b.v > c.v OR last(d).v = 0", ([1], [1], [9], [1, 0]), True),
    ],
)
def test_conditions_hold_for_complete_groups(where, values, expected):
    query = f"PATTERN {STEPS} WHERE {where} WITHIN 10 seconds"
    (alternative,) = compile_plan(parse(query), name="p").alternatives
    filled = groups(*values)
    held = all(c.holds(filled) for c in alternative.conditions)
    taken = all(
        s.filter.accepts is None or all(map(s.filter.accepts, g))
        for s, g in zip(alternative.steps, filled, strict=True)
    )
    assert (held and taken) is expected


@pytest.mark.parametrize(
    ("where", "values", "step", "expected"),
    [
        # each: as soon as both events are there
        ("b.v > a.v", ([1], [], [], []), 0, True),
        ("b.v > a.v", ([1], [0], [], []), 1, False),
        ("b.v > a.v", ([1], [2, 3], [], []), 1, True),
        ("b.v > a.v", ([1], [2, 0], [], []), 1, False),
        ("d.v > a.v", ([1], [0], [], [1]), 3, False),
        # an optional step that took nothing is passed over
        ("c.v > a.v", ([1], [0], [], []), 1, True),
        ("c.v > a.v", ([1], [0], [], [1]), 3, True),
        # adjacent: with the later of the two
        ("b[i+1].v > b[i].v", ([0], [1], [], []), 1, True),
        ("b[i+1].v > b[i].v", ([0], [1, 1], [], []), 1, False),
        ("b[i+1].v > 1", ([0], [1], [], []), 1, True),
        ("b[i+1].v > 1", ([0], [1, 1], [], []), 1, False),
        ("b[i-1].v > 1", ([0], [1], [], []), 1, True),
        ("b[i-1].v > 1", ([0], [1], [], [0]), 3, True),
        ("b[i-1].v > 1", ([0], [1, 2], [], []), 1, False),
        ("b[i-1].v > a.v", ([1], [2, 1], [], []), 1, True),
        ("b[i-1].v > a.v", ([1], [2, 1, 1], [], []), 1, False),
        ("b[i].v < d[i].v", ([0], [1, 2], [], [2]), 3, True),
        ("b[i].v < d[i].v", ([0], [1, 2], [], [2, 2]), 3, False),
        # position: once it is there, or missing for good
        ("b[2].v > 1", ([0], [0], [], []), 1, True),
        ("b[2].v > 1", ([0], [0, 0], [], []), 1, False),
        ("b[2].v > 1", ([0], [0], [], [0]), 3, False),
        ("first(b).v > 1", ([0], [0], [], []), 1, False),
        ("first(c).v > 1", ([0], [0], [], []), 1, True),
        ("first(c).v > 1", ([0], [0], [], [0]), 3, False),
        ("b[2].v > b.v", ([0], [5], [], []), 1, True),
        ("b[2].v >= b.v", ([0], [5, 4], [], []), 1, False),
        # last and final aggregates: when a later step has an event
        ("last(b).v > 1", ([0], [0], [], []), 1, True),
        ("last(b).v > 1", ([0], [0], [0], []), 2, False),
        ("last(b).v > 1", ([0], [0], [], [0]), 3, False),
        ("last(b).v > 1", ([0], [0, 2], [], [0]), 3, True),
        ("count(b) >= 2", ([0], [0], [], []), 1, True),
        ("count(b) >= 2", ([0], [0], [0], []), 2, False),
        ("count(b) < 2", ([0], [0, 0, 0], [], []), 1, True),
        ("avg(b.v) > 1 OR a.v > 5", ([0], [0], [], [0]), 3, False),
        ("avg(b.v) > d.v", ([0], [0], [], [0]), 3, False),
        ("b.v > avg(b.v)", ([0], [1, 1], [], []), 1, True),
        ("sum(a.v) > 1", ([0], [], [], []), 0, True),
        ("sum(a.v) > 1", ([0], [0], [], []), 1, False),
        # running aggregates: at once
        ("b[i].v > avg(b[..i-1].v)", ([0], [1], [], []), 1, True),
        ("b[i].v > avg(b[..i-1].v)", ([0], [1, 2, 1], [], []), 1, False),
        ("d[i].v > max(b[..i-1].v)", ([0], [1, 1], [], [0]), 3, True),
        ("d[i].v > max(b[..i-1].v)", ([0], [1, 1], [], [0, 1]), 3, False),
        # what names a later step waits for it, though it could be true or false by then
        ("b.v > 5 OR d.v > 5", ([0], [0], [0], []), 2, True),
        ("last(d).v > b.v", ([0], [0], [], [0]), 3, True),
    ],
)
def test_an_event_is_eligible_if_all_that_can_be_decided_is_true(where, values, step, expected):
    assert condition(where).allows(groups(*values), step) is expected


@pytest.mark.parametrize(
    ("where", "steps", "cross", "pair"),
    [
        ("b[i+1].v > b[i].v", (1,), False, True),
        ("b[i].v > b[i-1].v + 1", (1,), False, True),
        ("b[i+1].v > 1", (1,), False, True),
        ("b[i-1].v > 1 OR b[i-1].w = 0", (1,), False, True),
        ("b[i+1].v > a.v", (0, 1), False, False),
        ("b[i+1].v > b[i-1].v", (1,), False, False),
        ("b[i+1].v > b[i].v + a.v", (0, 1), False, False),
        ("b[i].v > avg(b[..i-1].v)", (1,), False, False),
        ("b[i+1].v > b[i].v OR count(b) = 1", (1,), False, False),
        ("b[i].v > a.v", (0, 1), True, False),
        ("b.v > first(a).v", (0, 1), True, False),
        ("c.v > a.v", (0, 2), True, False),
        ("c.v + a.v > b.v", (0, 1, 2), True, False),
        ("b.v > d.v", (1, 3), False, False),
        ("b[i].v > d[i].v", (1, 3), False, False),
        ("b[i].v > a[i].v", (0, 1), False, False),
        ("first(b).v > a.v", (0, 1), False, False),
        ("count(d) > a.v", (0, 3), False, False),
    ],
)
def test_engines_are_told_what_kind_of_condition_it_is(where, steps, cross, pair):
    made = condition(where)
    assert (made.steps, made.cross, made.pair is not None) == (steps, cross, pair)


def test_pair_tests_earlier_and_later():
    (low, high), *_ = groups([1, 2])
    for where in ("b[i+1].v > b[i].v", "b[i].v > b[i-1].v", "b[i-1].v < b[i].v"):
        pair = condition(where).pair
        assert pair(low, high) is True
        assert pair(high, low) is False


def test_pair_may_look_at_one_of_the_two():
    (low, high), *_ = groups([1, 2])
    of_later = condition("b[i+1].v > 1").pair
    of_earlier = condition("b[i-1].v > 1").pair
    assert (of_later(low, high), of_later(high, low)) == (True, False)
    assert (of_earlier(low, high), of_earlier(high, low)) == (False, True)


@pytest.mark.parametrize(
    ("where", "values", "expected"),
    [
        ("b.v > a.v", ([1], [2, 3], [], [0]), 0),
        ("b.v > a.v", ([1], [2, 0], [], [0]), 0),
        ("b.v > a.v", ([1], [2, "x", None], [], [0]), 1),
        ("b.v > a.v", ([None], [], [], [0]), 0),
        ("b[i+1].v > b[i].v", ([1], [1, None], [], [0]), 1),
        ("avg(c.v) > 1", ([1], [1], [], [0]), 1),
        ("b.v > a.v OR b.v = 0", ([1], ["x", 0], [], [0]), 1),
        ("b.v > a.v OR b.w = null", ([1], ["x", 0], [], [0]), 0),
    ],
)
def test_an_evaluation_that_comes_out_unknown_is_counted_once(where, values, expected):
    counters = Counter()
    query = f"PATTERN {STEPS} WHERE {where} WITHIN 10 seconds"
    (alternative,) = compile_plan(parse(query), name="p", counters=counters).alternatives
    (made,) = alternative.conditions
    made.holds(groups(*values))
    assert counters["unknown"] == expected


def test_pairs_count_what_is_unknown():
    counters = Counter()
    query = f"PATTERN {STEPS} WHERE b[i+1].v > b[i].v WITHIN 10 seconds"
    (alternative,) = compile_plan(parse(query), name="p", counters=counters).alternatives
    (low, odd), *_ = groups([1, "x"])
    assert alternative.conditions[0].pair(low, odd) is False
    assert counters == {"unknown": 1}


@pytest.mark.parametrize("where", ["b[i+1].v > b[i].v", "b.v > a.v", "last(b).v > avg(b.v)"])
@pytest.mark.parametrize("odd", [None, True, "x", [1], {"v": 1}, float("nan"), 10**400])
def test_odd_values_are_unknown_and_never_raise(where, odd):
    assert condition(where).holds(groups([1], [odd, 1], [], [1])) is False
