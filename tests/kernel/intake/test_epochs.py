"""Numbers are times, exactly, or to the nearest microsecond."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from limecep.contracts.codec import Spelled
from limecep.intake.times import (
    EPOCHS,
    Inexact,
    Unreadable,
    time_reader,
)
from limecep.model.time import EARLIEST, LATEST


@pytest.mark.parametrize(
    ("format", "value", "expected"),
    [
        ("epoch_s", 1, 1_000_000),
        ("epoch_s", "1.001", 1_001_000),
        ("epoch_s", 1.001, 1_001_000),
        ("epoch_s", 1767607203.123456, 1767607203123456),
        ("epoch_s", "0.0000005", 0),
        ("epoch_s", "0.0000015", 2),
        ("epoch_s", "-0.0000015", -2),
        ("epoch_s", "1e3", 1_000_000_000),
        ("epoch_s", "0e9999", 0),
        ("epoch_s", "1e-9999", 0),
        ("epoch_s", " 12 ", 12_000_000),
        ("epoch_ms", 1, 1000),
        ("epoch_ms", "1.5", 1500),
        ("epoch_us", "7", 7),
        ("epoch_ns", 1500, 2),
        ("epoch_ns", 2500, 2),
        ("epoch_ns", "1767607203123456789", 1767607203123457),
        ("epoch_ns", Spelled("2500"), 2),
        ("filetime", 116_444_736_000_000_000, 0),
        ("filetime", "134120808000000000", 1767607200000000),
        ("filetime", 116_444_736_000_000_015, 2),
        ("filetime", 116_444_736_000_000_025, 2),
        ("filetime", 0, -11644473600000000),
    ],
)
def test_epochs_become_microseconds(format: str, value: object, expected: int) -> None:
    assert time_reader(format, None)(value) == expected


@given(
    st.sampled_from(sorted(EPOCHS)),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12, places=9),
)
@example("epoch_s", Decimal("0.0000005"))
def test_numeric_text_is_converted_half_to_even(format: str, number: Decimal) -> None:
    with localcontext() as context:
        context.prec = 80
        exact = number.scaleb(EPOCHS[format]).to_integral_value(rounding=ROUND_HALF_EVEN)
    read = time_reader(format, None)
    if EARLIEST <= exact <= LATEST:
        assert read(f"{number:f}") == exact
    else:
        with pytest.raises(Unreadable, match="out of range"):
            read(f"{number:f}")


@pytest.mark.parametrize(("t", "beyond"), [(EARLIEST, EARLIEST - 1), (LATEST, LATEST + 1)])
def test_the_first_and_the_last_time_are_times_and_none_beyond(t: int, beyond: int) -> None:
    read = time_reader("epoch_us", None)
    assert read(t) == t
    with pytest.raises(Unreadable, match="out of range"):
        read(beyond)


@given(st.sampled_from(sorted(EPOCHS)), st.integers(-(10**17), 10**17), st.integers(0, 12))
def test_a_float_is_exact_or_sends_for_its_spelling(format: str, digits: int, places: int) -> None:
    text = f"{Decimal(digits).scaleb(-places):f}"
    exact = round(Fraction(text) * Fraction(10) ** EPOCHS[format])
    try:
        assert time_reader(format, None)(float(text)) == exact
    except Unreadable:
        assert not EARLIEST <= exact <= LATEST
    except Inexact:
        try:
            assert time_reader(format, None)(Spelled(text)) == exact
        except Unreadable:
            assert not EARLIEST <= exact <= LATEST
