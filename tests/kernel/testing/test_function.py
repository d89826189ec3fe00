"""The suite for functions finds what is wrong with one."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest

from limecep.testing.function import FunctionConformance

SEEN: list[object] = []


def right(text: str, number: float = 0, *more: object) -> str | None:
    return text[:3] if number != 7 else None


def unsaid(text) -> str:  # type: ignore[no-untyped-def]
    return str(text)


def raising(x: float) -> float:
    return 1 / x


def another(x: float) -> int:
    return x / 2  # type: ignore[return-value]


def nan(x: float) -> float:
    return x - x


def counting(x: object) -> int:
    SEEN.append(x)
    return len(SEEN)


def changing(x: object) -> bool:
    if isinstance(x, list):
        x.append(1)
    return True


def unordered(text: str) -> str:
    return "".join({*text})


def weekday(text: str) -> str:
    return f"{text} {datetime.now(UTC):%A}"


def slow(text: str) -> str:
    time.sleep(0.003)
    return text


def suite(function: Any, **members: Any) -> FunctionConformance:
    made = type("Suite", (FunctionConformance,), {"make_function": lambda _: function, **members})()
    assert isinstance(made, FunctionConformance)
    return made


NOWHERE = "test_what_it_gives_depends_on_no_hash_and_no_wall_clock"
TESTS = sorted(name for name in dir(FunctionConformance) if name.startswith("test_"))


@pytest.mark.parametrize("test", TESTS)
def test_what_is_right_passes(test: str) -> None:
    declared = "(text: str, number: float = ..., *more: object) -> str"
    getattr(suite(right, declared=declared), test)()


@pytest.mark.parametrize(
    ("function", "test", "says"),
    [
        (unsaid, "test_it_says_what_it_takes_and_gives", "argument 'text' has no annotation"),
        (raising, "test_it_raises_nothing", "division by zero"),
        (another, "test_its_value_is_of_the_kind_that_it_says", "and says a whole number"),
        (nan, "test_its_value_is_of_the_kind_that_it_says", "gives nan"),
        (counting, "test_the_same_arguments_give_the_same_value", "made a difference"),
        (changing, "test_it_leaves_its_arguments_as_they_are", "an argument was changed"),
        (unordered, NOWHERE, "a hash, made a difference"),
        (weekday, NOWHERE, "the wall clock made a difference"),
        (slow, "test_it_is_fast", "more than 0.001 s"),
    ],
)
def test_what_is_wrong_is_found(function: Any, test: str, says: str) -> None:
    with pytest.raises((AssertionError, ValueError, ZeroDivisionError), match=says):
        getattr(suite(function), test)()


def test_a_spec_that_says_another_signature_is_found() -> None:
    with pytest.raises(AssertionError, match="another signature"):
        suite(right, declared="(text: str) -> str").test_it_says_what_it_takes_and_gives()
