"""Steps, windows and partitions that cannot be meant."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.language.structurecheck import StructureCheck, has_attribute

TYPES = ["Gas", "Temperature", "Smoke"]
ATTRIBUTES = {"Gas": {"level", "room", "id.orig_h"}, "Smoke": {"density", "room"}}


def found(query: str) -> list[tuple[str, str, str]]:
    """Code, text meant and severity of each problem."""
    check = StructureCheck(parse(query), types=TYPES, attributes=ATTRIBUTES)
    return [(p.code, query[p.start : p.end], p.severity) for p in check.problems()]


@pytest.mark.parametrize(
    ("query", "code", "meant", "severity"),
    [
        ("SEQ(Gaz a, Smoke b) WITHIN 1 s", "unknown-type", "Gaz", "error"),
        ("SEQ((Gas OR Smok) a) WITHIN 1 s", "unknown-type", "Smok", "error"),
        ("SEQ(Gas a) WITHIN 1 s PARTITION BY rom", "unknown-attribute", "rom", "error"),
        ("SEQ(Gas a) WHERE [rom] WITHIN 1 s", "unknown-attribute", "rom", "error"),
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
    "query",
    [
        "SEQ(Gas{2,2} a, Smoke{0,1} b) WITHIN 1 s PARTITION BY room",
        "SEQ(Gas a, Smoke? b) WITHIN 0 s",
        "AND(Gas a, Smoke b) WITHIN 0 s",
        "SEQ(Gas a) WITHIN 1 s PARTITION BY id.orig_h, id",
        "SEQ(Temperature a) WITHIN 1 s PARTITION BY anything",
        "AND(Gas a, Gas b, Gas c, Gas d, Gas e, Gas f, Gas g) WITHIN 1 s",
    ],
)
def test_what_only_looks_wrong_is_no_problem(query: str) -> None:
    assert found(f"PATTERN {query}") == []


@pytest.mark.parametrize(
    ("query", "message", "hint"),
    [
        ("SEQ(Gas{3,2} a) WITHIN 1 s", "{3,2} asks for the impossible", "write {2,3}"),
        ("SEQ(Gaz a) WITHIN 1 s", "no source gives events of type 'Gaz'", "did you mean 'Gas'?"),
        ("SEQ(Gas a) WITHIN 1 s PARTITION BY rom", "events of type 'Gas' have no attribute 'rom'", "did you"),
        (
            "SEQ(Gas a) WITHIN 1 s PARTITION BY a.room.`x y`",
            "the attributes that all events agree on are named without variable",
            "write PARTITION BY room.`x y`, unless the events have an object 'a'",
        ),
    ],
)
def test_a_problem_says_what_to_write(query: str, message: str, hint: str) -> None:
    (problem,) = StructureCheck(parse(f"PATTERN {query}"), types=TYPES, attributes=ATTRIBUTES).problems()
    assert problem.message == message
    assert problem.hint.startswith(hint)


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("SEQ(Gas room) WHERE room.level > 1 AND [rom] WITHIN 1 s", "rom"),
        ("SEQ(Gas+ a[]) WHERE a[i].rom > 1 AND [rom, level] WITHIN 1 s", "rom"),
        ("SEQ(Gas a) WHERE a.partition > 1 WITHIN 1 s PARTITION BY rom", "rom"),
    ],
)
def test_an_attribute_is_meant_where_events_are_to_agree_on_it(query: str, meant: str) -> None:
    text = f"PATTERN {query}"
    (problem,) = StructureCheck(parse(text), types=TYPES, attributes=ATTRIBUTES).problems()
    assert text[problem.start : problem.end] == meant
    assert problem.start == text.rindex(meant)


def test_an_attribute_may_be_had_by_a_path_that_begins_like_a_name_with_dots() -> None:
    known = {"id.orig_h", "meta"}
    assert has_attribute(known, ("id", "orig_h"))
    assert has_attribute(known, ("meta", "anything"))
    assert has_attribute(known, ("id",))
    assert not has_attribute(known, ("id", "resp_h"))
    assert not has_attribute(known, ("orig_h",))
