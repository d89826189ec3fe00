"""The suite for tables finds what is wrong with one."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.errors import RunFailure
from limecep.testing.table import TableConformance

ROWS = ({"m": "p", "max": 5}, {"m": "q", "max": None})


class Right:
    def __init__(self, channel: str) -> None:
        self._channel = channel

    def rows(self) -> Any:
        if self._channel == "nowhere":
            raise RunFailure("nothing is there")
        return [dict(row) for row in ROWS]


class Fewer(Right):
    def rows(self) -> Any:
        return super().rows()[:1]


class NoMapping(Right):
    def rows(self) -> Any:
        return [tuple(row.items()) for row in super().rows()]


class Odd(Right):
    def rows(self) -> Any:
        return [{**row, "o": object()} for row in super().rows()]


class Changing(Right):
    count = 0

    def rows(self) -> Any:
        type(self).count += 1
        return [{**row, "max": self.count} for row in super().rows()]


class Silent(Right):
    def rows(self) -> Any:
        return [] if self._channel == "nowhere" else super().rows()


def suite(kind: Any) -> TableConformance:
    class Suite(TableConformance):
        channel = "somewhere"
        absent = "nowhere"
        samples = ROWS

        def make_table(self, channel: str, context: Any) -> Any:
            return kind(channel)

    return Suite()


TESTS = sorted(name for name in dir(TableConformance) if name.startswith("test_"))


@pytest.mark.parametrize("test", TESTS)
def test_it_has_nothing_against_one_that_is_right(test: str) -> None:
    getattr(suite(Right), test)()


@pytest.mark.parametrize(
    ("kind", "test", "says"),
    [
        (Fewer, "test_it_gives_its_rows", "assert"),
        (NoMapping, "test_rows_are_values_by_names_of_columns", "is no row: give a mapping"),
        (Odd, "test_rows_are_values_by_names_of_columns", "row 1 'o'"),
        (Changing, "test_it_gives_the_same_rows_each_time", "assert"),
        (Silent, "test_where_nothing_is_it_says_so", "DID NOT RAISE"),
    ],
)
def test_it_finds_what_is_wrong(kind: Any, test: str, says: str) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception), match=says):
        getattr(suite(kind), test)()


def test_without_samples_it_says_that_it_knows_none() -> None:
    class Suite(TableConformance):
        def make_table(self, channel: str, context: Any) -> Right:
            return Right(channel)

    with pytest.raises(pytest.skip.Exception, match="give 'samples'"):
        Suite().test_it_gives_its_rows()
    with pytest.raises(pytest.skip.Exception, match="give 'absent'"):
        Suite().test_where_nothing_is_it_says_so()
