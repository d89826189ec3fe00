"""What is wrong with RETURN is told with its place."""

from __future__ import annotations

import pytest

from limecep.language.check import check
from limecep.language.parser import parse
from limecep.testing.tables import TABLES

STEPS = "PATTERN OR(SEQ(A a, B+ b[], C? c, !D n), SEQ(A a, E e)) WHERE n.x > 1 WITHIN 9 s"


@pytest.mark.parametrize(
    ("value", "code", "at"),
    [
        ("b.v AS x", "group-value", "b.v"),
        ("b.v > 3 AS x", "group-value", "b.v"),
        ("b[i].v AS x", "index-value", "b[i].v"),
        ("b[i+1].v AS x", "index-value", "b[i+1].v"),
        ("avg(b[..i-1].v) AS x", "index-value", "avg(b[..i-1].v)"),
        ("n.x AS x", "negated-value", "n.x"),
        ("first(n).x AS x", "negated-group", "first(n).x"),
        ("q.v AS x", "unknown-variable", "q.v"),
        ("a.v AS x, a.w AS x", "value-twice", "a.w AS x"),
        ("a.v + $lim AS x", "unknown-parameter", "$lim"),
    ],
)
def test_a_value_that_a_match_cannot_have_is_refused(value: str, code: str, at: str) -> None:
    text = f"{STEPS} RETURN {value}"
    (problem,) = [p for p in check(parse(text)) if p.severity == "error"]
    assert (problem.code, text[problem.start : problem.end]) == (code, at)
    assert problem.hint


@pytest.mark.parametrize(
    "value",
    ["a.v AS x", "c.v AS x", "e.v AS x", "first(b).v AS x", "b[2].v AS x", "avg(b.v) AS x", "count(b) AS x",
     "a.v > 3 AND last(b).v < 2 AS x", "1 AS x", "a.v AS x, a.v AS y"],
)  # fmt: skip
def test_what_a_match_has_is_a_value(value: str) -> None:
    assert check(parse(f"{STEPS} RETURN {value}")) == []


def test_what_holds_at_the_end_event_may_be_looked_up_where_the_last_step_may_take_none() -> None:
    query = "PATTERN SEQ(A a, B? b) {} 1 s RETURN phases[1].x AS x"
    assert check(parse(query.format("WITHIN"), tables=TABLES)) == []
    (problem,) = check(parse(query.format("WHERE phases[1].x > 3 WITHIN"), tables=TABLES))
    assert problem.code == "no-end-event"


def test_an_attribute_that_no_event_has_is_told_in_values_as_in_conditions() -> None:
    text = "PATTERN SEQ(A a) WITHIN 1 s RETURN a.rom AS room"
    (problem,) = check(parse(text), attributes={"A": {"room"}})
    assert (problem.code, text[problem.start : problem.end]) == ("unknown-attribute", "rom")
    assert "room" in problem.hint
