"""What JSON does not know of a value."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from limecep.contracts.values import json_problem, mended


def nested(depth: int, value: Any) -> Any:
    for _ in range(depth):
        value = [value]
    return value


def test_what_json_knows_is_no_problem() -> None:
    assert json_problem({"a": [1, 2.5, True, None, "x", {"b": {}}]}) == ""
    assert json_problem(nested(1000, date.min)) == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({1: 2}, "the key 1 is no text"),
        ({"a": {"b": {None: 1}}}, "in 'a' in 'b' the key None is no text"),
        ({"a": b"x"}, "in 'a' b'x' is no value of JSON"),
        (float("-inf"), "-inf is no value of JSON"),
        ({"a": 1, "b": float("nan")}, "in 'b' nan is no value of JSON"),
        ({"a": [1.5, float("nan")]}, "in 'a' nan is no value of JSON"),
        ([1, (2,)], "(2,) is no value of JSON"),
        ({"a": [1, {"b": 1j}]}, "in 'a' in 'b' 1j is no value of JSON"),
        (date(2026, 1, 5), "datetime.date(2026, 1, 5) is no value of JSON"),
    ],
)
def test_the_first_thing_that_it_does_not_know_is_told_with_its_place(value: Any, said: str) -> None:
    assert json_problem(value) == said


def test_numbers_that_are_not_finite_are_made_missing_however_deep() -> None:
    nan = float("nan")
    value = {"a": nan, "b": [nan, {"c": float("inf"), "d": 1.5}], "e": (nan,)}
    assert mended(value) == 3
    assert value == {"a": None, "b": [None, {"c": None, "d": 1.5}], "e": value["e"]}
    assert mended(nested(1000, nan)) == mended(nan) == mended(5) == 0
