"""Which alternatives take the events of a match."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import written
from limecep_why.alternatives import MOST_FITTING, fitting, holds


def fits(query: str, events: str, variables: str) -> list[str]:
    """The variables of the alternatives that take the events of a text, each by the variable at its place."""
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 1 h"), name="p")
    groups: dict[str, tuple[object, ...]] = {}
    for event, variable in zip(written(events), variables, strict=True):
        groups[variable] = (*groups.get(variable, ()), event)
    found = fitting(plan, groups)  # type: ignore[arg-type]
    return ["".join(s.variable for s in f.alternative.steps) for f in found]


@pytest.mark.parametrize(
    ("query", "events", "variables", "expected"),
    [
        ("SEQ(A a, B b)", "a1 b2", "ab", ["ab"]),
        ("SEQ(A a, B? c, B b)", "a1 b2", "ab", ["acb"]),
        ("SEQ(A a, B b)", "a1 a2", "ab", []),
        ("SEQ(A a, B b)", "b1 a2", "ba", []),
        ("SEQ(A a, B b)", "a1 b2", "ax", []),
        ("SEQ(A{2} a[], B b)", "a1 b2", "ab", []),
        ("AND(A a, B b)", "b1 a2", "ba", ["ba"]),
        ("AND(A a, B b)", "a1 b1", "ab", ["ab", "ba"]),
        ("OR(SEQ(A a, B b), SEQ(A a, C b))", "a1 c2", "ab", ["ab"]),
    ],
)
def test_an_alternative_takes_events_by_type_number_and_order(
    query: str, events: str, variables: str, expected: list[str]
) -> None:
    assert fits(query, events, variables) == expected


def test_of_many_only_some_are_given() -> None:
    variables = "abcdefgh"
    query = f"AND({', '.join(f'A {v}' for v in variables)})"
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 1 h"), name="p")
    groups = {v: (Event("A", v, 0),) for v in variables}
    assert len(fitting(plan, groups)) == MOST_FITTING


@pytest.mark.parametrize(
    ("events", "expected"), [("a1=2 b2=3", True), ("a1=2 b2=1", False), ("a1 b2=1", False)]
)
def test_all_conditions_hold_or_not(events: str, expected: bool) -> None:
    plan = compile_plan(parse("PATTERN SEQ(A a, B b) WHERE a.v > 1 AND b.v > a.v WITHIN 1 h"), name="p")
    a, b = written(events)
    [found] = fitting(plan, {"a": (a,), "b": (b,)})
    assert holds(*found) is expected
