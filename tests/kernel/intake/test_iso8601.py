"""ISO 8601 is read in all its forms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.intake.times import (
    Unreadable,
    time_reader,
)
from limecep.model.instants import rfc3339
from limecep.model.time import EARLIEST, LATEST


@given(
    st.datetimes(timezones=st.timezones() | st.just(UTC), allow_imaginary=False),
    st.sampled_from(["T", " "]),
)
def test_iso_text_with_an_offset_is_that_instant(when: datetime, between: str) -> None:
    exact = (when - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    text = when.isoformat(sep=between)
    if EARLIEST <= exact <= LATEST:
        assert time_reader("iso8601", None)(text) == exact
    else:
        with pytest.raises(Unreadable, match="out of range"):
            time_reader("iso8601", None)(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:01Z", 1_000_000),
        ("1970-01-01t00:00:01z", 1_000_000),
        ("1970-01-01T02:00:01+0200", 1_000_000),
        ("19700101T000001Z", 1_000_000),
        (" 1970-01-01 00:00:01.5Z ", 1_500_000),
        ("1970-01-01T00:00:00.123456500Z", 123456),
        ("1970-01-01T00:00:00.123457500Z", 123458),
        ("1970-01-01T00:00:00.1234575001Z", 123458),
        ("1970-01-01T00:00:00,1234564Z", 123456),
        ("19700101T000000.0000009Z", 1),
        ("1970-01-01 00:00:01 Z", 1_000_000),
        ("1970-01-01 00:00:01 UTC", 1_000_000),
        ("1970-01-01 00:00:01utc", 1_000_000),
        ("1970-01-01 00:00:01 GMT", 1_000_000),
        ("1970-01-01 02:00:01.5 +02:00", 1_500_000),
        ("1970-01-02 UTC", 86_400_000_000),
        ("1970-01-02 +0100", 82_800_000_000),
        ("1970-01-01T24:00:00Z", 86_400_000_000),
        ("1970-01-01 24:00Z", 86_400_000_000),
        ("19700101T240000.000+0100", 82_800_000_000),
        ("1970-01-01T23:59:60Z", 86_400_000_000),
        ("1970-01-01T23:59:60.25Z", 86_400_250_000),
        ("19700101T235960Z", 86_400_000_000),
        ("1970-002T00:00:01Z", 86_401_000_000),
        ("1970002T000001Z", 86_401_000_000),
        ("1972-366T24:00:00 UTC", 94_694_400_000_000),
        ("1970-W01-5T00:00:01Z", 86_401_000_000),
        ("1970W015T000001Z", 86_401_000_000),
    ],
)
def test_forms_of_iso_8601(text: str, expected: int) -> None:
    assert time_reader("iso8601", None)(text) == expected


@pytest.mark.parametrize("text", ["2026-005", "2026-01-05", "20260105", "2026-W02-1", "2026W021", "2026005"])
def test_a_day_by_itself_begins_at_midnight_of_its_zone(text: str) -> None:
    assert rfc3339(time_reader("iso8601", "Europe/Athens")(text)) == "2026-01-04T22:00:00Z"
