"""`any(...)` is true if its condition is of one event of a group."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest

from limecep.host import Host
from limecep.language.functions import function
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan

FUNCTIONS = partial(function, Host.load().registry)
GROUP = [{"v": 5, "w": 9}, {"v": 2, "w": 1, "k": "X"}, {"w": 4, "k": "y"}]


def holds(condition: str, *group: dict[str, Any], counters: Counter[str] | None = None, **a: Any) -> bool:
    pattern = parse(f"PATTERN SEQ(A a, B* b[], C+ c[]) WHERE {condition} WITHIN 1 s", FUNCTIONS)
    plan = compile_plan(pattern, name="p", params={"l": [2, "y"], "n": 5}, counters=counters)
    ((condition_of_group,),) = [alternative.conditions for alternative in plan.alternatives]
    events = [Event(type="B", id=str(n), t_gen=n, payload=payload) for n, payload in enumerate(group)]
    single = Event(type="A", id="a", t_gen=0, payload=a)
    return condition_of_group.holds([[single], events, [single]])


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ("any(b.v > 3 AND b.w > 3)", True),
        ("any(b.v > 3 AND b.w < 3)", False),
        ("any(b.v > b.w)", True),
        ("any(b.w < b.v AND b.v > 3)", False),
        ("any(b.v IS NULL)", True),
        ("any(b.v IS NOT NULL AND b.k IS NOT NULL)", True),
        ("any(b.x IS NOT NULL)", False),
        ("any(b.v IN $l)", True),
        ("any(b.v = $n AND b.w = a.w)", True),
        ("any(lower(b.k) = 'x' AND b.v < avg(b.v))", True),
        ("any(b.v BETWEEN 3 AND 4 OR b.k LIKE 'z%')", False),
        ("any(b.w = max(b.w) AND b.time > first(b).time)", False),
        ("any(NOT b.v > 3)", True),
        ("NOT any(b.v > 3 AND b.w > 3)", False),
        ("any(3 < b.v) AND 1 = 1", True),
        ("any(a.w > b.w AND b.v > 1)", True),
    ],
)
def test_a_condition_is_true_of_one_event_or_not(condition: str, true: bool) -> None:
    assert holds(condition, *GROUP, w=9) is true


def test_of_no_event_it_is_false() -> None:
    assert not holds("any(b.v IS NULL)")
    assert holds("NOT any(b.v IS NULL)")


def test_what_a_function_in_it_raises_is_counted() -> None:
    counters: Counter[str] = Counter()

    def fail(x: float) -> float:
        raise ZeroDivisionError

    from limecep.model.function import Function
    from limecep.signature import read

    functions = {"fail": Function("fail", read("(x: float) -> float"), fail)}
    pattern = parse("PATTERN SEQ(B+ b[]) WHERE any(fail(b.v) > 3 OR b.v IS NULL) WITHIN 1 s", functions.get)
    (alternative,) = compile_plan(pattern, name="p", counters=counters).alternatives
    assert not alternative.conditions[0].holds([[Event(type="B", id="1", t_gen=0, payload={"v": 1})]])
    assert counters["raised_by_fail"] == 1
