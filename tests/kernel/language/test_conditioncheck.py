"""Conditions that can be read but cannot be meant."""

from __future__ import annotations

import pytest

from limecep.language.check import check
from limecep.language.conditioncheck import ConditionCheck
from limecep.language.parser import parse

ATTRIBUTES = {"Gas": {"level", "room", "id.orig_h"}, "Smoke": {"density", "room"}}


def found(query: str) -> list[tuple[str, str, str]]:
    """Code, text meant and severity of each problem."""
    check = ConditionCheck(parse(query), params=["limit"], attributes=ATTRIBUTES, own={})
    return [(p.code, query[p.start : p.end], p.severity) for p in check.problems()]


@pytest.mark.parametrize(
    ("query", "code", "meant", "severity"),
    [
        ("SEQ(Gas a) WHERE b.v > 1 WITHIN 1 s", "unknown-variable", "b.v", "error"),
        ("SEQ(Gas a) WHERE count(b) > 1 WITHIN 1 s", "unknown-variable", "count(b)", "error"),
        ("SEQ(Gas a) WHERE a.level > $limt WITHIN 1 s", "unknown-parameter", "$limt", "error"),
        ("SEQ(Gas a) WHERE a.levl > 3 WITHIN 1 s", "unknown-attribute", "levl", "error"),
        ("SEQ(Gas a) WHERE a.id.resp_h > 3 WITHIN 1 s", "unknown-attribute", "id", "error"),
        ("SEQ(Gas a) WHERE a.id = 1 WITHIN 1 s", "text-attribute", "a.id = 1", "warning"),
        ("SEQ(Gas a) WHERE 1 < a.source WITHIN 1 s", "text-attribute", "1 < a.source", "warning"),
        ("SEQ(Gas a) WHERE a.type IN (1, 2) WITHIN 1 s", "text-attribute", "a.type IN (1, 2)", "warning"),
        ("SEQ(Gas+ a[]) WHERE a[i].id = true WITHIN 1 s", "text-attribute", "a[i].id = true", "warning"),
        ("SEQ(Gas+ a) WHERE a[i+1].level > a.level WITHIN 1 s", "mixed-index", "a.level", "error"),
        ("SEQ(Gas+ a) WHERE a.level > avg(a[..i-1].level) WITHIN 1 s", "mixed-index", "a.level", "error"),
        ("SEQ(Gas a) WHERE a.level > null WITHIN 1 s", "order-of-null", "a.level > null", "warning"),
    ],
)  # fmt: skip
def test_a_problem_is_found_where_it_is(query: str, code: str, meant: str, severity: str) -> None:
    assert found(f"PATTERN {query}") == [(code, meant, severity)]


def test_a_parameter_that_no_query_could_name_is_not_suggested() -> None:
    (problem,) = check(
        parse("PATTERN SEQ(Gas a) WHERE a.level > $limt WITHIN 1 s"), params=["lim it", "other"]
    )
    assert problem.hint == "known: other"


@pytest.mark.parametrize(
    "query",
    [
        "SEQ(Gas{2,3} a, Smoke b) WHERE a[3].level = 1 AND last(a).level > 1 WITHIN 1 s",
        "SEQ(Gas{2,3} a) WHERE count(a) > 2 AND a[i+1].level > a[i].level WITHIN 1 s",
        "SEQ(Gas? a, Smoke b) WHERE count(a) = 0 AND count(b.density) = 1 WITHIN 1 s",
        "SEQ(Gas? a, Smoke b) WHERE a[i].level > a.level WITHIN 1 s",
        "SEQ(!Gas a, Smoke b, !Gas c) WHERE a.level > 1 AND c.level > b.density WITHIN 1 s",
        "OR(SEQ(Gas a, Smoke b), SEQ(Gas+ a, Smoke b)) WHERE count(a) > 1 WITHIN 1 s",
    ],
)
def test_what_only_looks_wrong_is_no_problem(query: str) -> None:
    assert found(f"PATTERN {query}") == []


@pytest.mark.parametrize(
    ("condition", "message", "hint"),
    [
        ("b[2].v = 1", "'b' takes 1 at most", "places are counted from 1"),
        ("g[i+1].v > g.v", "g without index means each of its events", "write g[i], or put it"),
        (
            "count(n) > 1",
            "'n' is negated: it has no group",
            "what its events must be like is written n.value",
        ),
        ("bb.level > 1", "there is no variable 'bb'", "did you mean 'b'?"),
        ("Gas.level > 1", "there is no variable 'Gas'", "events of type Gas are b and g here"),
        ("n.v > m.v", "'n' and 'm' are both negated", "a condition says what must be absent for one"),
    ],
)
def test_a_problem_says_what_to_write(condition: str, message: str, hint: str) -> None:
    query = parse(f"PATTERN SEQ(!Smoke n, Gas b, Gas+ g, !Smoke m) WHERE {condition} WITHIN 1 s")
    (problem,) = ConditionCheck(query, params=(), attributes={}, own={}).problems()
    assert problem.message.startswith(message)
    assert problem.hint.startswith(hint)
