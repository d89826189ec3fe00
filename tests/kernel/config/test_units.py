from __future__ import annotations

import pytest

from limecep.config.units import duration, percentage, size


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("30s", 30_000_000),
        ("250ms", 250_000),
        ("5m", 300_000_000),
        ("1 minute", 60_000_000),
        ("1.5 h", 5_400_000_000),
        ("2 days", 172_800_000_000),
        ("10 secs", 10_000_000),
        ("7us", 7),
        ("0.1s", 100_000),
    ],
)
def test_durations_are_microseconds(text: str, microseconds: int) -> None:
    assert duration(text) == microseconds


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (30, "needs a unit: 30s"),
        ("30", "needs a unit"),
        ("30 secondz", "unknown unit of time 'secondz'; did you mean 'second'?"),
        ("soon", "must be a duration such as 30s, 5m or 250ms, not 'soon'"),
        ("-5s", "must not be negative"),
        ("99999999999999999 days", "is too large"),
    ],
)
def test_what_is_no_duration_says_so(value: str | float, said: str) -> None:
    with pytest.raises(ValueError) as error:
        duration(value)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("value", "number"), [("64MB", 64_000_000), ("1GiB", 2**30), (512, 512), ("1.5 kb", 1500), ("3 B", 3)]
)
def test_sizes_are_bytes(value: str | float, number: int) -> None:
    assert size(value) == number


def test_an_unknown_unit_of_size_is_named() -> None:
    with pytest.raises(ValueError, match="unknown unit of size 'QB'"):
        size("3 QB")


@pytest.mark.parametrize(
    ("value", "fraction"), [("10%", 0.1), (0.1, 0.1), ("150 %", 1.5), (1, 1.0), ("0", 0.0)]
)
def test_percentages_are_fractions(value: str | float, fraction: float) -> None:
    assert percentage(value) == fraction


@pytest.mark.parametrize(
    ("value", "said"),
    [(10, "is ambiguous: write 10%"), ("-1%", "negative"), ("10 parts", "must be a percentage")],
)
def test_what_is_no_percentage_says_so(value: str | float, said: str) -> None:
    with pytest.raises(ValueError) as error:
        percentage(value)
    assert said in str(error.value)
