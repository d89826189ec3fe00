"""Functions of instants, against Python's own answers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.model.instants import Instant
from limecep.model.time import EARLIEST, LATEST
from limecep_functions import times

ZONES = ["UTC", "Europe/Athens", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]


@given(
    st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)), st.sampled_from(ZONES)
)
def test_an_instant_is_what_clocks_and_calendars_of_a_zone_say(when: datetime, zone: str) -> None:
    at = when.astimezone(ZoneInfo(zone))
    instant = times.instant(when.isoformat())
    assert instant is not None
    parts = ("hour", "minute", "weekday", "day", "month", "year", "date")
    assert [getattr(times, part)(instant, zone) for part in parts] == [
        at.hour, at.minute, at.isoweekday(), at.day, at.month, at.year, f"{at:%Y-%m-%d}",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("2026-01-05T10:00:00Z",), "2026-01-05T10:00:00Z"),
        ((" 2026-01-05T12:00:00.5+02:00 ", "Asia/Tokyo"), "2026-01-05T10:00:00.5Z"),
        (("2026-07-05 12:00", "Europe/Athens"), "2026-07-05T09:00:00Z"),
        (("2026-01-05",), "2026-01-05T00:00:00Z"),
        (("yesterday",), "None"),
        (("",), "None"),
        (("2026-01-05", "Europe/Atlantis"), "None"),
    ],
)
def test_a_text_is_an_instant(arguments: Any, told: str) -> None:
    assert str(times.instant(*arguments)) == told


@pytest.mark.parametrize("t", [EARLIEST, LATEST, LATEST + 10**12, -(1 << 62)])
def test_what_no_calendar_says_is_missing(t: int) -> None:
    for zone in ZONES:
        assert times.year(Instant(t), zone) in (None, 1, 9999)
    assert times.hour(Instant(0), "Europe/Atlantis") is None


def test_a_zone_that_is_none_is_told_before_any_event() -> None:
    vet: Any = times.hour
    assert vet.vet(None, "Europe/Athens") == vet.vet(None, None) == ""
    assert "no time zone 'Europe/Atlantis'" in vet.vet(None, "Europe/Atlantis")
