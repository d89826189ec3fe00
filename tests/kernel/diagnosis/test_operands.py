"""What conditions compare and calculate with, where they call functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.diagnosis.operands import compared, may_be_missing, operands
from limecep.language.parser import parse
from limecep.model.function import Function
from limecep.model.walk import walk
from limecep.signature import read

if TYPE_CHECKING:
    from conftest import Why

    from limecep.model.event import Event
    from limecep.model.expression import Expression

SIGNATURE = read("(x: str, y: float, z: object = ..., u: bool | None = ...) -> str")
FUNCTIONS = {"f": Function("f", SIGNATURE, lambda *_: "")}


def nodes(condition: str) -> list[Expression]:
    where = parse(f"PATTERN SEQ(A a, B+ b[]) WHERE {condition} WITHIN 1 s", FUNCTIONS.get).where
    assert where is not None
    return list(walk(where))


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("a.v * 2 > 2", {"a.v": {"a number"}, "2": {"a number"}}),
        ("a.v + 1 > 2", {"a.v": {"a number", "a time"}, "1": {"a number", "a time"}}),
        ("abs(a.v) > 2", {"a.v": {"a number"}}),
        ("min(b.v) > 2", {"b.v": {"a number", "text", "a time"}}),
        ("count(b) > 2 AND collect(b.v) = 3", {}),
        ("sum(b.v) > 2", {"b.v": {"a number"}}),
        ("count(b.v) > 2", {}),
        (
            "f(a.x, a.y, a.z, a.u) = 'x'",
            {"a.x": {"text"}, "a.y": {"a number"}, "a.u": {"a boolean"}},
        ),
    ],
)
def test_what_is_calculated_with_is_of_some_kinds(condition: str, found: dict[str, set[str]]) -> None:
    assert {str(o): set(kinds) for n in nodes(condition) for o, kinds in operands(n)} == found


def test_what_may_be_missing_is_no_mistake() -> None:
    condition = "a.w = null OR f(a.x, a.y, a.z, a.u) = 'x'"
    named = {str(n) for node in nodes(condition) for n in may_be_missing(node)}
    assert named == {"a.w", "null", "a.z", "a.u"}


def test_what_is_asked_of_one_event_of_a_group_may_be_missing() -> None:
    (call, *_) = nodes("any(b.v IS NULL AND b.w > b.x OR f('x', b.y, b.z) = 'x')")
    assert {str(n) for n in may_be_missing(call)} == {"column(b.v)", "column(b.z)"}


def test_comparisons_have_an_operator_and_two_sides() -> None:
    found = [
        (operator, str(left), [*map(str, right)])
        for node in nodes("f(a.x, 1) IN ('x', 'y') AND a.v BETWEEN 1 AND 2")
        for operator, left, right in compared(node)
    ]
    assert found == [
        ("==", "f(a.x, 1)", ["'x'", "'y'"]),
        (">=", "a.v", ["1"]),
        ("<=", "a.v", ["2"]),
    ]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("lower(a.v) = 'x'", [("kinds-differ", "lower(a.v): v is a number in all 2 Gas", "")]),
        ("length(a.room) = 'k'", [("kinds-differ", "compared a number with text in all 2 Gas", "")]),
        ("length(a.room)", [("kinds-differ", "length(a.room): length(a.room) is a number", "> 0")]),
        ("lower(a.w) = 'x'", [("absent-attribute", "a.w was missing in all 2 Gas", "")]),
    ],
)
def test_a_run_says_what_functions_cannot_do_with(
    condition: str, said: list[tuple[str, str, str]], why: Why, room: list[Event]
) -> None:
    found = why(room, f"SEQ(Gas a, Smoke b) WHERE {condition} WITHIN 1 min")
    for code, message, hint in said:
        assert any(c == code and message in m and hint in h for c, m, h in found), found


def test_what_a_function_takes_though_it_is_missing_is_not_complained_of(why: Why, room: list[Event]) -> None:
    found = why(room, "SEQ(Gas a, Smoke b) WHERE coalesce(a.level, 0) > 3 WITHIN 1 min")
    assert not [message for code, message, _ in found if code == "absent-attribute"]
