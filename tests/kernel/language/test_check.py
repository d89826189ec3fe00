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
    ("query", "code", "meant", "severity"),
    [
        ("SEQ(Gaz a, Smoke b) WITHIN 1 s", "unknown-type", "Gaz", "error"),
        ("SEQ((Gas OR Smok) a) WITHIN 1 s", "unknown-type", "Smok", "error"),
        ("SEQ(Gas a) WHERE b.v > 1 WITHIN 1 s", "unknown-variable", "b.v", "error"),
        ("SEQ(Gas a) WHERE count(b) > 1 WITHIN 1 s", "unknown-variable", "count(b)", "error"),
        ("SEQ(Gas a) WHERE a.level > $limt WITHIN 1 s", "unknown-parameter", "$limt", "error"),
        ("SEQ(Gas a) WHERE a.levl > 3 WITHIN 1 s", "unknown-attribute", "levl", "error"),
        ("SEQ(Gas a) WHERE a.id.resp_h > 3 WITHIN 1 s", "unknown-attribute", "id", "error"),
        ("SEQ(Gas a) WITHIN 1 s PARTITION BY rom", "unknown-attribute", "rom", "error"),
        ("SEQ(Gas a) WHERE [rom] WITHIN 1 s", "unknown-attribute", "rom", "error"),
        ("SEQ(Gas a) WHERE a.id = 1 WITHIN 1 s", "text-attribute", "a.id = 1", "warning"),
        ("SEQ(Gas a) WHERE 1 < a.source WITHIN 1 s", "text-attribute", "1 < a.source", "warning"),
        ("SEQ(Gas a) WHERE a.type IN (1, 2) WITHIN 1 s", "text-attribute", "a.type IN (1, 2)", "warning"),
        ("SEQ(Gas+ a[]) WHERE a[i].id = true WITHIN 1 s", "text-attribute", "a[i].id = true", "warning"),
        ("SEQ(Gas a) WITHIN 1 s PARTITION BY a.room", "variable-in-partition", "room", "warning"),
        ("SEQ(Gas a, Smoke a) WITHIN 1 s", "duplicate-variable", "Smoke a", "error"),
        ("SEQ(Gas a, !Smoke a) WITHIN 1 s", "duplicate-variable", "!Smoke a", "error"),
        ("SEQ(Gas a, AND(Smoke b, Gas a)) WITHIN 1 s", "duplicate-variable", "Gas a", "error"),
        ("OR(SEQ(Gas a, Smoke b), SEQ(Gas a, !Smoke b)) WITHIN 1 s", "negated-elsewhere", "!Smoke b",
         "error"),
        ("OR(SEQ(!Gas a, Smoke b), SEQ(Smoke b, AND(Gas a, Gas c))) WITHIN 1 s", "negated-elsewhere", "Gas a",
         "error"),
        ("SEQ(Gas a, !Smoke+ b) WITHIN 1 s", "negated-quantifier", "!Smoke+ b", "error"),
        ("SEQ(!Gas a, !Smoke b) WITHIN 1 s", "only-negated", "!Gas a, !Smoke b", "error"),
        ("OR(Gas a, !Smoke b) WITHIN 1 s", "only-negated", "!Smoke b", "error"),
        ("SEQ(Gas{3,2} a) WITHIN 1 s", "empty-quantifier", "Gas{3,2} a", "error"),
        ("SEQ(Gas a, Smoke{0} b) WITHIN 1 s", "empty-quantifier", "Smoke{0} b", "error"),
        ("SEQ(Gas a) WHERE a[i+1].level > 3 WITHIN 1 s", "never-compared", "a[i+1].level", "warning"),
        ("SEQ(Gas? a) WHERE a[i].level > max(a[..i-1].level) WITHIN 1 s", "never-compared",
         "max(a[..i-1].level)", "warning"),
        ("SEQ(Gas+ a) WHERE a[i+1].level > a.level WITHIN 1 s", "mixed-index", "a.level", "error"),
        ("SEQ(Gas+ a) WHERE a.level > avg(a[..i-1].level) WITHIN 1 s", "mixed-index", "a.level", "error"),
        ("SEQ(!Gas a, Smoke b, !Gas c) WHERE a.level > c.room WITHIN 1 s", "two-negated", "c.room", "error"),
        ("SEQ(!Gas a, Smoke b) WHERE count(a) > 1 WITHIN 1 s", "negated-group", "count(a)", "error"),
        ("SEQ(!Gas a, Smoke b) WHERE a[i].level > 1 WITHIN 1 s", "negated-group", "a[i].level", "error"),
        ("SEQ(Gas a) WHERE count(a) = 1 WITHIN 1 s", "constant-count", "count(a)", "warning"),
        ("SEQ(Gas{2,3} a) WHERE a[4].level = 1 WITHIN 1 s", "never-there", "a[4].level", "warning"),
        ("SEQ(Gas a) WHERE a.level > null WITHIN 1 s", "order-of-null", "a.level > null", "warning"),
        ("SEQ(Gas a, Smoke b) WITHIN 0 s", "empty-window", "WITHIN 0 s", "warning"),
        ("SEQ(AND(Gas a, Smoke b), Gas c) WITHIN 0 s", "empty-window", "WITHIN 0 s", "warning"),
        ("AND(Gas a, !Smoke b) WITHIN 1 s", "negated-in-and", "!Smoke b", "warning"),
        ("AND(Gas a, Gas b, Gas c, Gas d, Gas e, Gas f, Gas g, Gas h) WITHIN 1 s", "too-many-orders",
         "Gas a, Gas b, Gas c, Gas d, Gas e, Gas f, Gas g, Gas h", "error"),
        ("SEQ(AND(Gas a, Gas b, Gas c, Gas d, Gas e), AND(Gas f, Gas g, Gas h, Gas i, Gas j)) WITHIN 1 s",
         "too-many-orders",
         "Gas a, Gas b, Gas c, Gas d, Gas e), AND(Gas f, Gas g, Gas h, Gas i, Gas j", "error"),
    ],
)  # fmt: skip
def test_a_problem_is_found_where_it_is(query: str, code: str, meant: str, severity: str) -> None:
    assert found(f"PATTERN {query}") == [(code, meant, severity)]


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


def test_a_parameter_that_no_query_could_name_is_not_suggested() -> None:
    (problem,) = check(
        parse("PATTERN SEQ(Gas a) WHERE a.level > $limt WITHIN 1 s"), params=["lim it", "other"]
    )
    assert problem.hint == "known: other"


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


@pytest.mark.parametrize(
    "condition", ["a.id = '1'", "a.id = b.level", "a.id = null", "b.id = 1", "c.id = 1", "a.meta.id = 1"]
)
def test_an_id_may_be_compared_with_text_and_one_of_the_payload_with_anything(condition: str) -> None:
    query = f"PATTERN SEQ(Gas a, Smoke b, Temperature c) WHERE {condition} WITHIN 1 s"
    attributes = {"Gas": {"level", "meta"}, "Smoke": {"id", "level"}}
    assert check(parse(query), types=TYPES, attributes=attributes) == []


OWN = {"id": ("n",), "type": ()}


@pytest.mark.parametrize(
    ("condition", "message", "hint"),
    [
        ("c.id = 1", "c.id is text: it does not compare with 1", "write '1', or name the field itself, c.n"),
        ("c.id IN (1, 2)", "c.id is text: it does not compare with 1", "write '1', or"),
        ("c.id BETWEEN 1 AND 2", "c.id is text: it does not compare with 1", "write '1', or"),
        ("c.id = $x", "c.id is text: it does not compare with 7", "write '7', or"),
        ("c.id + 1 = 2", "c.id is text: nothing can be calculated with it", "name the field itself, c.n"),
        ("abs(c.id) = 2", "c.id is text: nothing can be calculated with it", "name the field itself, c.n"),
        ("c.type = 1", "c.type is text: it does not compare with 1", "write '1'"),
    ],
)
def test_where_attributes_are_not_known_an_id_made_of_another_field_is_text(
    condition: str, message: str, hint: str
) -> None:
    query = parse(f"PATTERN SEQ(Temperature c) WHERE {condition} WITHIN 1 s")
    (problem,) = check(query, params={"x": 7}, own=OWN)
    name = "type" if "type" in condition else "id"
    assert problem.message == f"{message}, unless the record has a field '{name}'"
    assert problem.hint.startswith(hint)
    (problem,) = check(query, params={"x": 7}, own=OWN, attributes={"Temperature": {"level", "n"}})
    assert problem.message == message


@pytest.mark.parametrize("own", [{"id": ("id",)}, {"id": ("n", "id")}, {"id": ()}, {}])
@pytest.mark.parametrize("condition", ["c.id = 1", "c.id = $x", "c.id + 1 = 2"])
def test_a_record_with_an_id_of_its_own_may_be_compared_with_anything(
    condition: str, own: dict[str, tuple[str, ...]]
) -> None:
    query = parse(f"PATTERN SEQ(Temperature c) WHERE {condition} WITHIN 1 s")
    assert check(query, params={"x": 7}, own=own) == []


def test_a_field_that_the_payload_does_not_keep_is_not_advised() -> None:
    query = parse("PATTERN SEQ(Temperature c) WHERE c.id = 1 WITHIN 1 s")
    (problem,) = check(query, own=OWN, attributes={"Temperature": {"level"}})
    assert problem.hint == "write '1'"
