"""Where any number of events may be chosen, matches are exponentially many."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.plan.growth import growth

ALL = True
MAXIMAL = False


@pytest.mark.parametrize(
    ("query", "everything", "condition"),
    [
        ("SEQ(A a, B+ b[], C c)", ALL, ""),
        ("SEQ(A a, B* b[], C c)", ALL, ""),
        ("SEQ(A a, B{2,} b[], C c) WHERE count(b) > 3", ALL, ""),
        ("SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v", MAXIMAL, "b[i+1].v > b[i].v"),
        ("SEQ(A a, B+ b[], C c) WHERE b[i].v > avg(b[..i-1].v)", MAXIMAL, "b[i].v > avg(b[..i-1].v)"),
        ("SEQ(A a, B+ b[], C c) WHERE avg(b.v) > 3", MAXIMAL, "avg(b.v) > 3"),
        ("SEQ(A a, B+ b[], C c) WHERE sum(b.v) < a.v", MAXIMAL, "sum(b.v) < a.v"),
        ("SEQ(A a, B+ b[], C+ c[]) WHERE b.v > c.v", MAXIMAL, "b.v > c.v"),
    ],
)
def test_it_is_exponential_where_any_number_of_events_may_be_chosen(
    query: str, everything: bool, condition: str
) -> None:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p", select="stam")
    found = growth(plan, everything=everything)
    assert (found.power, found.variables, found.condition) == (None, ("b",), condition)
