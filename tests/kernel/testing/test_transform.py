"""The suite for transforms finds what is wrong with one."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.testing.transform import TransformConformance


class Right:
    """Marks records."""

    def apply(self, record: dict[str, Any]) -> dict[str, Any] | None:
        return {**record, "seen": True}


class Changing(Right):
    def apply(self, record: dict[str, Any]) -> dict[str, Any]:
        record["source"] = "x"
        return record


class NoRecord(Right):
    def apply(self, record: dict[str, Any]) -> Any:
        return [record]


class Unwritten(Right):
    def apply(self, record: dict[str, Any]) -> Any:
        return {**record, "at": b"x"}


class Renaming(Right):
    def apply(self, record: dict[str, Any]) -> dict[str, Any]:
        return {**record, "match": "x"}


class Counting(Right):
    def __init__(self) -> None:
        self._count = 0

    def apply(self, record: dict[str, Any]) -> dict[str, Any]:
        self._count += 1
        return {**record, "number": self._count}


def suite(kind: type[Right]) -> TransformConformance:
    class Suite(TransformConformance):
        def make_transform(self, context: Any) -> Right:
            return kind()

    return Suite()


class TestRight(TransformConformance):
    def make_transform(self, context: Any) -> Right:
        return Right()


@pytest.mark.parametrize(
    ("kind", "test"),
    [
        (Changing, "test_it_leaves_what_it_is_given_as_it_is"),
        (NoRecord, "test_what_it_gives_is_a_record_that_can_be_written"),
        (Unwritten, "test_what_it_gives_is_a_record_that_can_be_written"),
        (Renaming, "test_records_are_known_again"),
        (Counting, "test_it_depends_on_the_record_alone"),
    ],
)
def test_what_is_wrong_is_found(kind: type[Right], test: str) -> None:
    with pytest.raises(AssertionError):
        getattr(suite(kind), test)()
