"""`any(...)` prints what it says, and takes what it names."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.model.exists import Exists
from limecep.model.expression import Call


def call(text: str) -> Call:
    found = parse(f"PATTERN SEQ(A a, B+ b[]) WHERE {text} WITHIN 1 s").where
    assert isinstance(found, Call)
    assert isinstance(found.function, Exists)
    return found


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("any(b.v > b.w)", ["column(b.v)", "column(b.w)"]),
        ("any(b.v > 3 AND b.w = a.w)", ["column(b.v)", "column(b.w)", "a.w"]),
        ("any(b.v == null OR b.v > avg(b.v))", ["column(b.v)", "avg(b.v)"]),
        ("any(b.v IN ($l, 3) AND NOT b.v > first(b).v)", ["column(b.v)", "b[1].v"]),
    ],
)
def test_it_prints_what_it_says_and_takes_each_thing_once(text: str, arguments: list[str]) -> None:
    found = call(text)
    assert list(map(str, found.arguments)) == arguments
    assert call(str(found)) == found


def test_two_that_take_the_same_are_told_apart_by_what_they_say() -> None:
    one, other = call("any(b.v > 3 AND b.v > b.w)"), call("any(b.v > 3 AND b.w > b.v)")
    assert one.arguments == other.arguments
    assert one != other
    assert one.function.name != other.function.name
