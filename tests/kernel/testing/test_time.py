"""The suite for time formats finds what is wrong with one."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.testing.time import TimeConformance


class Right:
    """Reads seconds."""

    def read(self, value: Any) -> Any:
        if type(value) is not int and not isinstance(value, str):
            raise ValueError("is no whole number")
        seconds = int(value)
        if abs(seconds) > 10**9:
            raise ValueError("is far off")
        return seconds * 1_000_000


class Raising(Right):
    def read(self, value: Any) -> Any:
        return int(value) * 1_000_000


class Fractional(Right):
    def read(self, value: Any) -> Any:
        return super().read(value) / 1_000_000


class Wrong(Right):
    def read(self, value: Any) -> Any:
        return super().read(value) + 1


class OfTextOtherwise(Right):
    def read(self, value: Any) -> Any:
        return super().read(value) + (type(value) is not int)


class Remembering(Right):
    def __init__(self) -> None:
        self._last = 0

    def read(self, value: Any) -> Any:
        self._last += 1
        return super().read(value) + self._last


def suite(kind: type[Right]) -> TimeConformance:
    class Suite(TimeConformance):
        samples = ((5, 5_000_000), ("7", 7_000_000))

        def make_format(self, context: Any) -> Right:
            return kind()

    return Suite()


class TestRight(TimeConformance):
    samples = ((5, 5_000_000),)

    def make_format(self, context: Any) -> Right:
        return Right()


@pytest.mark.parametrize(
    ("kind", "test"),
    [
        (Wrong, "test_samples_are_read"),
        (Raising, "test_what_is_no_time_is_told_as_that"),
        (Fractional, "test_what_is_no_time_is_told_as_that"),
        (OfTextOtherwise, "test_numbers_are_read_however_they_are_spelled"),
        (Remembering, "test_a_value_is_the_same_instant_each_time"),
    ],
)
def test_what_is_wrong_is_found(kind: type[Right], test: str) -> None:
    with pytest.raises(AssertionError):
        getattr(suite(kind), test)()
