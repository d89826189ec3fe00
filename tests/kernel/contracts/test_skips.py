"""A skip strategy is one of those there are, and names a variable of the pattern where it needs one."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.contracts.results import Skip
from limecep.contracts.skips import skip_problem


@pytest.mark.parametrize(
    "skip", [None, Skip("next"), Skip("past-last"), Skip("first", "a"), Skip("last", "b")], ids=repr
)
def test_those_there_are_can_be_had(skip: Skip | None) -> None:
    assert skip_problem(skip, {"a", "b"}) == ""


NEAR = "none of the strategies next, past-last, first, last"


@pytest.mark.parametrize(
    ("skip", "said"),
    [
        ("next", "neither None nor a Skip"),
        (Skip("past_last"), f"{NEAR}: did you mean 'past-last'?"),  # type: ignore[arg-type]
        (Skip("zz"), NEAR),  # type: ignore[arg-type]
        (Skip([]), NEAR),  # type: ignore[arg-type]
        (Skip("first", "zz"), "a Skip to 'zz', no variable of the pattern that takes events: known: a, b"),
        (Skip("first", 5), "a Skip whose variable is no text"),  # type: ignore[arg-type]
        (Skip("last"), "a Skip without a variable, and 'last' needs one"),
        (Skip("next", "a"), "a Skip with a variable, and 'next' has none"),
    ],
    ids=repr,
)
def test_anything_else_is_told(skip: Any, said: str) -> None:
    assert skip_problem(skip, {"a", "b"}) == said


def test_without_a_pattern_any_variable_may_be_one() -> None:
    assert skip_problem(Skip("first", "zz")) == ""
