"""Arguments that are never of the kind that a function takes."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.language.check import check
from limecep.language.parser import parse
from limecep.model.function import Function
from limecep.signature import read

FUNCTIONS = {
    name: Function(name, read(signature), lambda *_: None)
    for name, signature in {
        "text": "(x: str) -> str",
        "maybe": "(x: str | None) -> str",
        "whole": "(x: int) -> int",
        "real": "(x: float) -> float",
        "truth": "(x: bool) -> bool",
        "every": "(x: object, *more: float) -> object",
        "pick": "(x: object, y: object) -> object",
    }.items()
}
FUNCTIONS["pick"].compute.kind = lambda x, y: x if x == y else "null" if x and y else ""  # type: ignore[attr-defined]
PARAMS = {"name": "x", "limit": 5, "half": 0.5, "on": True, "none": None}


def problems(
    condition: str, params: Any = PARAMS, code: str = "argument-kind", compared: str = " = a.v"
) -> list[tuple[str, str]]:
    text = f"PATTERN SEQ(A a, B+ b[]) WHERE {condition}{compared} WITHIN 1 s"
    found = check(parse(text, FUNCTIONS.get), params=params)
    return [(text[p.start : p.end], p.message) for p in found if p.code == code]


@pytest.mark.parametrize(
    ("condition", "where", "says"),
    [
        ("text(5)", "5", "text takes a text as 'x', and 5 is a whole number"),
        ("text(true)", "true", "text takes a text as 'x', and true is a boolean"),
        ("text(null)", "null", "text takes a text as 'x', and null is null"),
        ("text($limit)", "$limit", "text takes a text as 'x', and $limit is a whole number"),
        ("text($none)", "$none", "text takes a text as 'x', and $none is null"),
        ("text(count(b))", "count(b)", "text takes a text as 'x', and count(b) is a whole number"),
        ("text(a.v > 3)", "a.v > 3", "text takes a text as 'x', and a.v > 3 is a boolean"),
        ("text(whole(a.v))", "whole(a.v)", "text takes a text as 'x', and whole(a.v) is a whole number"),
        ("whole(1.5)", "1.5", "whole takes a whole number as 'x', and 1.5 is a number that is not whole"),
        (
            "whole(3 / 2)",
            "3 / 2",
            "whole takes a whole number as 'x', and 3 / 2 is a number that is not whole",
        ),
        ("whole(avg(b.v))", "avg(b.v)", "and avg(b.v) is a number that is not whole"),
        ("whole($half * 2)", "$half * 2", "and $half * 2 is a number that is not whole"),
        ("whole(-0.5)", "-0.5", "and -0.5 is a number that is not whole"),
        ("whole(-avg(b.v))", "-avg(b.v)", "and -avg(b.v) is a number that is not whole"),
        ("text(-a.v)", "-a.v", "text takes a text as 'x', and -a.v is a number"),
        ("real('5')", "'5'", "real takes a number as 'x', and '5' is a text"),
        ("truth(a.v + 1)", "a.v + 1", "truth takes a boolean as 'x', and a.v + 1 is a number"),
        ("every(1, 2, 'x')", "'x'", "every takes a number as 'more', and 'x' is a text"),
        ("text(every(text(1)))", "1", "text takes a text as 'x', and 1 is a whole number"),
    ],
)
def test_a_kind_that_is_known_is_held_against_the_signature(condition: str, where: str, says: str) -> None:
    [(place, message)] = problems(condition)
    assert place == where
    assert says in message


@pytest.mark.parametrize(
    "condition",
    [
        "text(a.v)",
        "text('x')",
        "text($name)",
        "text($unknown)",
        "text(every(5))",
        "text(min(b.v))",
        "text(text(a.v))",
        "maybe(null)",
        "maybe($none)",
        "whole(5)",
        "whole(count(b) - 1)",
        "whole(a.v + 1)",
        "whole(sum(b.v))",
        "whole(real(a.v))",
        "whole(-whole(a.v))",
        "whole(abs(a.v))",
        "real(5)",
        "real(avg(b.v))",
        "real($half)",
        "truth($on)",
        "truth(a.v IN (1, 2))",
        "truth(NOT a.v)",
        "every(null, 1.5)",
    ],
)
def test_what_may_be_of_the_kind_is_not_complained_of(condition: str) -> None:
    params = None if "$unknown" in condition else PARAMS
    assert problems(condition, params) == []


@pytest.mark.parametrize(
    ("condition", "where", "says"),
    [
        ("whole(a.v) = 'x'", "whole(a.v) = 'x'", "whole(a.v) is a whole number, and 'x' is a text"),
        ("NOT 5 < text(a.v)", "5 < text(a.v)", "5 is a whole number, and text(a.v) is a text"),
        ("text(a.v) != truth(a.w)", "text(a.v) != truth(a.w)", "is a text, and truth(a.w) is a boolean"),
        ("text(a.v) IN (1, 2.5)", "text(a.v) IN (1, 2.5)", "text(a.v) is a text, and 1 is a whole number"),
        ("real(a.v) BETWEEN 'a' AND 'b'", "real(a.v) BETWEEN 'a' AND 'b'", "is a number, and 'a' is a text"),
        ("truth(a.v) > true", "truth(a.v) > true", "truth(a.v) is a boolean, and booleans have no order"),
        ("whole(a.v)", "whole(a.v)", "whole(a.v) is a whole number, and neither true nor false"),
        ("NOT text(a.v)", "text(a.v)", "text(a.v) is a text, and neither true nor false"),
        ("a.v > 1 OR real(a.v)", "real(a.v)", "real(a.v) is a number, and neither true nor false"),
        ("count(b)", "count(b)", "count(b) is a whole number, and neither true nor false"),
        ("a.v + 1", "a.v + 1", "a.v + 1 is a number, and neither true nor false"),
        ("a.v > 1 OR $name", "$name", "$name is a text, and neither true nor false"),
        (
            "pick(count(b), 6)",
            "pick(count(b), 6)",
            "pick(count(b), 6) is a whole number, and neither true nor false",
        ),
        ("pick(5, 'x') = 5", "pick(5, 'x')", "is always missing: its values do not compare"),
        ("count(b) = '3'", "count(b) = '3'", "count(b) is a whole number, and '3' is a text"),
        ("a.v * 2 > $name", "a.v * 2 > $name", "a.v * 2 is a number, and $name is a text"),
        ("(a.v = 1) = 2", "(a.v = 1) = 2", "is a boolean, and 2 is a whole number"),
        ("avg(b.time) > 1", "avg(b.time)", "is always missing: nothing can be calculated so with times"),
        ("-a.time > 1", "-a.time", "is always missing: nothing can be calculated so with a time"),
        ("a.v + $name > 1", "a.v + $name", "is always missing: nothing can be calculated so with a text"),
        ("a.v + (a.w > 1) > 1", "a.v + (a.w > 1)", "nothing can be calculated so with a boolean"),
    ],
)
def test_a_value_of_which_nothing_comes_is_warned_of(condition: str, where: str, says: str) -> None:
    [(place, message)] = problems(condition, code="value-kind", compared="")
    assert place == where
    assert says in message


def test_such_a_value_keeps_no_pipeline_from_running() -> None:
    pattern = parse("PATTERN SEQ(A a) WHERE text(a.v) = 5 WITHIN 1 s", FUNCTIONS.get)
    assert [p.severity for p in check(pattern)] == ["warning"]


@pytest.mark.parametrize(
    "condition",
    [
        "whole(a.v) = 2.5",
        "real(a.v) < whole(a.v)",
        "text(a.v) IN (1, 'x')",
        "text(a.v) IN (1, a.w)",
        "text(a.v) = a.w",
        "every(a.v) = 'x'",
        "truth(a.v) = true",
        "text(a.v) = null",
        "text(a.v) = $none",
        "text(a.v) > $unknown",
        "truth(a.v)",
        "every(a.v) AND NOT every(a.w)",
        "pick(a.v, 5) = 'x'",
        "avg(b.v) > $limit AND NOT a.on",
        "max(b.time) - min(b.time) > 5",
        "5",
    ],
)
def test_a_value_of_which_something_may_come_is_not_warned_of(condition: str) -> None:
    params = None if "$unknown" in condition else PARAMS
    assert problems(condition, params, code="value-kind", compared="") == []
