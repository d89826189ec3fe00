"""How the suites hand over from one component to another."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.testing.remembering import hand_over


class Learning:
    def __init__(self, known: Any = ()) -> None:
        self.known = known

    def remembered(self) -> Any:
        return self.known

    def recall(self, known: Any) -> None:
        self.known = known


class Forgets(Learning):
    def recall(self, known: Any) -> None: ...


def test_another_knows_what_the_first_knew_as_values_of_json() -> None:
    other = Learning()
    hand_over(Learning((1, 2)), other)
    assert other.known == [1, 2]


def test_one_that_forgets_is_noticed() -> None:
    with pytest.raises(AssertionError, match="is not what it remembers"):
        hand_over(Learning([1]), Forgets([]))


def test_what_cannot_be_written_down_is_noticed() -> None:
    with pytest.raises(TypeError):
        hand_over(Learning({1}), Learning())


def test_one_that_remembers_nothing_is_skipped() -> None:
    with pytest.raises(pytest.skip.Exception):
        hand_over(object(), object())
