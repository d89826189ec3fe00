"""Numbers that count from some day on."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep_times.config import SinceOptions
from limecep_times.since import Since


def since(begin: str, unit: Any = "s") -> Since:
    context = Context(label="sources.s.time", clock=ManualClock(), counters=Counter(), logger=None)
    return Since(SinceOptions(begin=begin, unit=unit), context)


@pytest.mark.parametrize(
    ("begin", "unit", "value", "instant"),
    [
        ("1858-11-17", "days", 61_045, datetime(2026, 1, 5, tzinfo=UTC)),
        ("2001-01-01", "s", 789_264_000.5, datetime(2026, 1, 5, 0, 0, 0, 500_000, tzinfo=UTC)),
        ("1980-01-05T23:59:42Z", "s", "1451606418", datetime(2026, 1, 5, tzinfo=UTC)),
        ("1899-12-30T00:00:00+02:00", "days", 46_027, datetime(2026, 1, 4, 22, tzinfo=UTC)),
    ],
)
def test_what_others_count_is_read(begin: str, unit: str, value: Any, instant: datetime) -> None:
    assert since(begin, unit).read(value) == int(instant.timestamp() * 1_000_000)


def test_what_is_beyond_microseconds_is_rounded_half_to_even() -> None:
    assert [since("1970-01-01", "ns").read(n) for n in (500, 501, 1_500, 2_500, -500)] == [0, 1, 2, 2, 0]


@pytest.mark.parametrize("value", [None, True, "noon", "1_000", float("nan"), "inf", [1], "9" * 65])
def test_what_is_no_number_is_told(value: Any) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        since("1970-01-01").read(value)
