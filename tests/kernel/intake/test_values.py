"""Values of programs are converted exactly, or refused."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from typing import Any
from uuid import UUID

import pytest

from limecep.intake.fields import Unusable
from limecep.intake.values import identity, instant, plain, whole
from limecep.intake.zones import LocalTimes

ATHENS = LocalTimes("Europe/Athens")
TEN = datetime(2026, 1, 5, 10, tzinfo=UTC)


class Level(IntEnum):
    HIGH = 3


class Colour(StrEnum):
    RED = "red"


class Shape(Enum):
    ROUND = "round"


@pytest.mark.parametrize(
    ("value", "known"),
    [
        (Decimal("1.00"), 1),
        (Decimal("0.1"), 0.1),
        (Decimal("1E+3"), 1000),
        (Decimal("NaN"), None),
        (math.nan, None),
        (Level.HIGH, 3),
        (Colour.RED, "red"),
        (Shape.ROUND, "round"),
        ((1, Decimal(2)), [1, 2]),
        ({"a": {"b": Decimal("2.5")}}, {"a": {"b": 2.5}}),
        (TEN, "2026-01-05T10:00:00.000000Z"),
        (TEN.astimezone(timezone(timedelta(hours=2))), "2026-01-05T10:00:00.000000Z"),
        (date(2026, 1, 5), "2026-01-05"),
        (UUID(int=5), "00000000-0000-0000-0000-000000000005"),
    ],
)
def test_what_is_meant_as_a_known_value_becomes_one(value: Any, known: Any) -> None:
    converted = plain(value)
    assert converted == known
    assert type(converted) is type(known)


def test_what_is_known_stays_the_same_object() -> None:
    for value in ({"a": [1, "b", None, True]}, [1.5, {"c": []}], "text"):
        assert plain(value) is value


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (Decimal("0.12345678901234567890"), "no float holds exactly: round it, or give it as text"),
        (Decimal("Infinity"), "no float holds"),
        (Fraction(1, 3), "is a fractions.Fraction, which no condition knows"),
        (datetime(2026, 1, 5), "has no time zone, 2026-01-05 00:00:00: give the datetime a tzinfo, or"),
        (timedelta(seconds=1), r"give seconds, value.total_seconds\(\)"),
        (time(10), "give it as text"),
        (b"x", "is bytes: decode them to text"),
        ({1, 2}, "is a set, which has no order: give a list"),
        ({1: 2}, "has the key 1, which is no text: rename it"),
        (1j, "is a complex"),
        (object(), "is a object, which no condition knows"),
    ],
)  # fmt: skip
def test_what_cannot_be_converted_is_refused_with_a_way_out(value: Any, error: str) -> None:
    for nested in (value, [value]):
        with pytest.raises(Unusable, match=error):
            plain(nested)


def test_what_contains_itself_is_refused() -> None:
    ring: list[Any] = []
    ring.append(ring)
    with pytest.raises(Unusable, match="nested too deeply"):
        plain(ring)


def test_scalars_and_arrays_of_numpy_are_those_of_python() -> None:
    numpy = pytest.importorskip("numpy")
    for value, known in (
        (numpy.int64(2**62 + 1), 2**62 + 1),
        (numpy.uint8(7), 7),
        (numpy.float32(0.1), 0.10000000149011612),
        (numpy.float64(0.1), 0.1),
        (numpy.bool_(True), True),
        (numpy.str_("x"), "x"),
        (numpy.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (numpy.array(5), 5),
        (numpy.datetime64("NaT", "us"), None),
        (numpy.float64("nan"), None),
    ):
        converted = plain(value)
        assert converted == known
        assert type(converted) is type(known)
    for value in (numpy.longdouble("0.1"), numpy.complex128(1), numpy.timedelta64(1, "s")):
        with pytest.raises(Unusable, match="which no condition knows"):
            plain(value)
    with pytest.raises(Unusable, match=r"has no time zone.*say zone='UTC'"):
        plain(numpy.datetime64("2026-01-05T10:00"))


def test_instants_round_nanoseconds_half_to_even() -> None:
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    ten = 1_767_607_200_000_000
    assert instant(TEN) == instant(TEN.replace(tzinfo=None, hour=12), ATHENS) == ten
    for decimals, more in (("000000499", 0), ("000000500", 0), ("000001500", 2), ("000000501", 1)):
        text = f"2026-01-05T10:00:00.{decimals}"
        assert instant(numpy.datetime64(text), LocalTimes("UTC")) == ten + more
        assert instant(pandas.Timestamp(f"{text}Z")) == ten + more
    assert instant(numpy.datetime64("2026-01-05T10:00", "m"), LocalTimes("UTC")) == ten
    for missing in (pandas.NaT, numpy.datetime64("NaT", "us")):
        with pytest.raises(Unusable, match="is missing"):
            instant(missing)
    with pytest.raises(Unusable, match="years 1 to 9999"):
        instant(numpy.datetime64("20000-01-01"), LocalTimes("UTC"))


def test_ids_and_sequence_numbers_are_text_and_integers() -> None:
    assert [identity(17), identity("g1"), identity(UUID(int=1))[-1]] == ["17", "g1", "1"]
    for odd in (1.5, True, None, [1], TEN):
        with pytest.raises(Unusable, match="is no id"):
            identity(odd)
    assert whole(Decimal(5)) == 5
    with pytest.raises(Unusable, match=r"is no integer: 1\.5"):
        whole(1.5)
