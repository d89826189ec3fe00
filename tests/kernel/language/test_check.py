"""Queries that can be read but cannot be meant."""

from __future__ import annotations

import pytest

from limecep.language.check import check
from limecep.language.parser import parse

TYPES = ["Gas", "Temperature", "Smoke"]
ATTRIBUTES = {"Gas": {"level", "room", "id.orig_h"}, "Smoke": {"density", "room"}}


def found(query: str) -> list[tuple[str, str, str]]:
    """Code, text meant and severity of each problem."""
    problems = check(parse(query), types=TYPES, params=["limit"], attributes=ATTRIBUTES)
    return [(p.code, query[p.start : p.end], p.severity) for p in problems]


@pytest.mark.parametrize(
    "query",
    [
        "PATTERN SEQ(Gas a, Temperature+ b[], Smoke c) WHERE a.level > $limit AND b[i+1].v > b[i].v"
        " AND count(b) > 2 AND last(b).v > b[1].v AND c.density > 3 WITHIN 1 s PARTITION BY room",
        "PATTERN SEQ(!Gas g, Temperature? b, !Smoke s) WHERE g.level > b.v AND s.density > b.v WITHIN 0 s",
        "PATTERN OR(SEQ(Gas a, Smoke b), SEQ(Smoke b, Gas a)) WHERE a.level > 3 AND a.id != b.id WITHIN 1 s",
        "PATTERN SEQ((Gas OR Smoke)+ x[]) WHERE x.density > 3 AND x[i].level > 3 WITHIN 1 s",
        "PATTERN AND(Gas a, Gas b, Gas c, Gas d, Gas e, Gas f, Gas g) WITHIN 1 s",
        "PATTERN SEQ(Gas a, Temperature+ b[]) WHERE b.v = 1 AND b[i].v > 0 WITHIN 1 s",
        "PATTERN OR(SEQ(Gas a, !Smoke b), SEQ(Temperature a, !Smoke b)) WHERE b.density > 3 WITHIN 1 s",
        "PATTERN SEQ(Gas a, Gas b) WHERE a.id.orig_h = b.`id.orig_h` WITHIN 1 s PARTITION BY id.orig_h",
    ],
)
def test_a_sound_query_has_no_problems(query: str) -> None:
    assert found(query) == []


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("SEQ(Temprature a) WITHIN 1 s", "did you mean 'Temperature'?"),
        ("SEQ(Gas gas) WHERE gsa.level > 1 WITHIN 1 s", "did you mean 'gas'?"),
        ("SEQ(Gas a, Gas b) WHERE Gas.level > 1 WITHIN 1 s", "events of type Gas are a and b here"),
        ("SEQ(Gas a) WHERE a.level > $limt WITHIN 1 s", "did you mean 'limit'?"),
        ("SEQ(Gas a) WHERE a.levle > 1 WITHIN 1 s", "did you mean 'level'?"),
    ],
)
def test_a_problem_comes_with_a_suggestion(query: str, hint: str) -> None:
    (problem,) = check(parse(f"PATTERN {query}"), types=TYPES, params=["limit"], attributes=ATTRIBUTES)
    assert problem.hint == hint


def test_without_knowledge_of_parameters_they_are_taken_as_they_are() -> None:
    assert check(parse("PATTERN SEQ(Gas a) WHERE a.level > $limit WITHIN 1 s"), params=None) == []


def test_all_problems_are_reported_in_the_order_of_the_text() -> None:
    codes = [code for code, _, _ in found("PATTERN SEQ(Gaz a, Gas a) WHERE x.v > $y WITHIN 1 s")]
    assert codes == ["unknown-type", "duplicate-variable", "unknown-variable", "unknown-parameter"]


def test_without_knowledge_of_types_and_attributes_they_are_taken_as_they_are() -> None:
    assert check(parse("PATTERN SEQ(Any a) WHERE a.thing > 1 WITHIN 1 s PARTITION BY some.thing")) == []


def test_a_model_without_text_can_be_checked() -> None:
    printed = parse("PATTERN SEQ(Gaz a) WHERE b.v > 1 WITHIN 1 s PARTITION BY x")
    model = type(printed)(printed.structure, printed.where, printed.within, printed.partition)
    assert [p.code for p in check(model, types=TYPES)] == ["unknown-type", "unknown-variable"]
