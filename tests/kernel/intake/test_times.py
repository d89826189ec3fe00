"""Times are read exactly, or refused in words."""

from __future__ import annotations

import contextlib
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.contracts.codec import Spelled
from limecep.intake.times import (
    FORMATS,
    Inexact,
    Unreadable,
    time_problem,
    time_reader,
    times_reader,
)
from limecep.model.instants import rfc3339
from limecep.model.time import EARLIEST, LATEST


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-01-05 12:00:00", "2026-01-05T10:00:00Z"),
        ("2026-07-05 12:00:00", "2026-07-05T09:00:00Z"),
        ("2026-10-25 03:30:00", "2026-10-25T00:30:00Z"),  # twice that night: the first
        ("2026-03-29 03:30:00", "2026-03-29T01:30:00Z"),  # skipped: as if the clock had not moved
        ("2026-01-05 12:00:00+00:00", "2026-01-05T12:00:00Z"),  # what the text says comes first
    ],
)
def test_local_times_are_read_in_their_zone(text: str, utc: str) -> None:
    assert rfc3339(time_reader("iso8601", "Europe/Athens")(text)) == utc


@pytest.mark.parametrize(
    ("format", "value", "utc"),
    [
        ("%d/%b/%Y:%H:%M:%S %z", "17/May/2015:10:05:03 +0200", "2015-05-17T08:05:03Z"),
        ("%Y%m%d", 20260105, "2026-01-05T00:00:00Z"),
        ("%Y%m%d-%H:%M:%S:%L", "20260105-22:15:29:96", "2026-01-05T22:15:29.096Z"),
        ("%Y%m%d-%H:%M:%S:%L", "20260105-22:15:29:606", "2026-01-05T22:15:29.606Z"),
        ("%Y%m%d-%H:%M:%S:%L", "20260105-22:15:29:6", "2026-01-05T22:15:29.006Z"),
        ("%Y%m%d-%H:%M:%S:%L", "20260105-22:15:29:0606", "2026-01-05T22:15:29.606Z"),
        ("%Y%m%d%H%M%S%L", "20260105221529606", "2026-01-05T22:15:29.606Z"),
        ("%Y-%m-%d %H:%M:%S.%f", "2026-01-05 10:00:00.12", "2026-01-05T10:00:00.12Z"),
        ("%Y-%m-%d %H:%M:%S,%f", "2026-01-05 10:00:00,1234565", "2026-01-05T10:00:00.123456Z"),
        ("%Y-%m-%d %H:%M:%S,%f", "2026-01-05 10:00:00,1234575", "2026-01-05T10:00:00.123458Z"),
        ("%Y-%m-%d %H:%M:%S.%f", "2026-01-05 10:00:59.9999999", "2026-01-05T10:01:00Z"),
        ("%Y-%m-%d %H:%M:%S", "2026-01-05 24:00:00", "2026-01-06T00:00:00Z"),
        ("%d.%m.%Y %H:%M", "24.12.2026 24:00", "2026-12-25T00:00:00Z"),
        ("%Y-%m-%d %H:%M:%S", "2016-12-31 23:59:60", "2017-01-01T00:00:00Z"),
        ("%Y-%j", "2026-005", "2026-01-05T00:00:00Z"),
        ("%Y%jT%H%M", "2024366T1200", "2024-12-31T12:00:00Z"),
        ("%G-W%V-%u", "2026-W01-1", "2025-12-29T00:00:00Z"),
        ("%Y-%m-%d %H:%M:%S%z", "2026-01-05 10:00:00 UTC", "2026-01-05T10:00:00Z"),
        ("%Y-%m-%d %H:%M:%S%z", "2026-01-05 10:00:00 Z", "2026-01-05T10:00:00Z"),
        ("%m/%d/%y %I:%M:%S %p", "1/5/26 12:05:03 am", "2026-01-05T00:05:03Z"),
        ("%m/%d/%y %I:%M:%S %p", "01/05/99 12:05:03 PM", "1999-01-05T12:05:03Z"),
        ("%a %b %e %T %Y", "Mon Jan  5 10:00:00 2026", "2026-01-05T10:00:00Z"),
        ("100%% %F", "100% 2026-01-05", "2026-01-05T00:00:00Z"),
    ],
)
def test_strptime_text_is_read(format: str, value: object, utc: str) -> None:
    assert rfc3339(time_reader(format, "UTC")(value)) == utc


@pytest.mark.parametrize(
    ("format", "value", "words"),
    [
        ("iso8601", "2026-01-05T10:00:00", "no time zone"),
        ("iso8601", 1767607203, "say its unit"),
        ("iso8601", Spelled("1.5"), "say its unit"),
        ("iso8601", "yesterday", "not a time in ISO 8601"),
        ("iso8601", True, "not a time"),
        ("iso8601", ["2026"], "not a time"),
        ("iso8601", "0001-01-01T00:00:00+14:00", "out of range"),
        ("iso8601", "9999-12-31T23:59:59.9999999Z", "out of range"),
        ("%Y-%m-%d", "05.01.2026", "not a time like"),
        ("%Y-%m-%d", "2026-01-05", "no time zone"),
        ("epoch_s", "1_000", "not a number of s"),
        ("epoch_s", "nan", "not a number of s"),
        ("epoch_s", "١٢", "not a number of s"),
        ("epoch_s", "", "not a number of s"),
        ("epoch_s", True, "not a number of s"),
        ("epoch_s", float("nan"), "not a number of s"),
        ("epoch_s", 10**20, "out of range"),
        ("epoch_s", "9" * 60, "out of range"),
        ("epoch_s", "1e9999", "out of range"),
        ("epoch_s", Spelled("1e300"), "out of range"),
        ("epoch_ns", 10**4000, "out of range"),
        ("epoch_ms", {"t": 1}, "not a number of ms"),
        ("filetime", -100, "out of range"),
        ("filetime", "2026-01-05", "not a number of 100 ns"),
        ("iso8601", "1710120312315456789", "say its unit"),
        ("iso8601", "2026-366", "not a time in ISO 8601"),
        ("iso8601", "2026-000", "not a time in ISO 8601"),
        ("iso8601", "2026-01-05T24:00:01Z", "not a time in ISO 8601"),
        ("iso8601", "2026-01-05T24:01Z", "not a time in ISO 8601"),
        ("iso8601", "2026-01-05T10:00:61Z", "not a time in ISO 8601"),
        ("iso8601", "2026-01-05T10:00+02:00 UTC", "not a time in ISO 8601"),
        ("iso8601", "2026-01-05T10:00" + "Z" * 5000, "not a time in ISO 8601"),
        ("iso8601", "9999-12-31T24:00:00Z", "out of range"),
        ("%Y-%j %z", "2026-366 Z", "not a time like"),
        ("%Y-%m-%d %H:%M %z", "9999-12-31 24:00 Z", "out of range"),
        ("%H:%M %d.%m.%Y %z", "24:01 05.01.2026 Z", "not a time like"),
    ],
)
def test_what_is_no_time_is_refused_in_words(format: str, value: object, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        time_reader(format, None)(value)


@given(
    st.sampled_from([*FORMATS, "%Y-%m-%d %H:%M"]),
    st.sampled_from([None, "UTC", "Europe/Athens"]),
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.lists(st.text())
    | st.datetimes(),
)
def test_odd_values_never_raise_anything_else(format: str, zone: str | None, value: object) -> None:
    value = value.isoformat() if isinstance(value, datetime) else value
    t = EARLIEST
    with contextlib.suppress(Unreadable, Inexact):
        t = time_reader(format, zone)(value)
    assert EARLIEST <= t <= LATEST


@pytest.mark.parametrize(
    ("format", "zone", "words"),
    [
        ("epoch_x", None, "epoch_s"),
        ("iso8601", "Europe/Atens", "unknown time zone"),
        ("iso8601", "../etc/passwd", "unknown time zone"),
        ("%Y-%m-%d %Q", None, "no strptime text"),
        ("%Y %Y", None, "no strptime text"),
        ("%H:%M:%S", "UTC", "no year"),
        ("%Y-%m-%d %Z", None, "%z"),
        ("ms", None, "'epoch_ms'"),
        ("s", None, "'epoch_s'"),
        ("us", None, "'epoch_us'"),
        ("ns", None, "'epoch_ns'"),
        ("millis", None, "'epoch_ms'"),
        ("unix", None, "'epoch_s'"),
        ("Unix-MS", None, "'epoch_ms'"),
        ("rfc3339", None, "'iso8601'"),
        ("%Y-%m-%d %I:%M", None, "%I needs %p"),
        ("%G-W%V", None, "day of the week"),
        ("%Y-W%W", None, "day of the week"),
        ("%V-%u %Y", None, "%V needs %G"),
        ("%Y-%m-%d %H:%M:%S.%f%L", None, "both %f and %L"),
        ("%Y-%m-%d %", None, "ends with a %"),
    ],
)
def test_wrong_formats_and_zones_are_named(format: str, zone: str | None, words: str) -> None:
    assert words in time_problem(format, zone)


@pytest.mark.parametrize(
    "format", [*FORMATS, "%Y-%m-%d %H:%M:%S", "%d/%b/%Y:%H:%M:%S %z", "%Y-%j", "%G-W%V-%u", "%c", "%F %T"]
)
def test_right_formats_have_no_problem(format: str) -> None:
    assert time_problem(format, "Europe/Athens") == ""


@given(st.integers(EARLIEST, LATEST))
def test_rendered_instants_read_back(t: int) -> None:
    assert time_reader("iso8601", None)(rfc3339(t)) == t


@pytest.mark.parametrize("format", ["iso8601", "%b %d %Y %z", "%Y-%m-%d %H:%M:%S.%f %z"])
@pytest.mark.parametrize(
    "text", ["x" + " " * 1_000_000 + "y", "1" * 1_000_000, "2026-01-05 10:00:00" + " Z" * 500_000]
)
def test_a_long_text_is_soon_refused(format: str, text: str) -> None:
    with pytest.raises(Unreadable):
        time_reader(format, "UTC")(text)


_stamp = st.one_of(
    st.from_regex(
        r"2026-0[12]-(0[1-9]|3[01])[T ]([01][0-9]|24):[0-5][0-9](:[0-6][0-9]([.,]([0-9]{3}|[0-9]{5,8}))?)?"
        r"(Z|[+-]0[0-9]:30(:0[0-9](\.[0-9]{7})?)?)?",
        fullmatch=True,
    ),
    st.sampled_from(
        [
            "2026-01-05T10:00:00Z", "2026-01-05T10:00:00.123Z", "2026-01-05T10:00:00.123456Z",
            "2026-01-05T10:00:00.123456+02:00", "0001-01-01T00:00:00+02:00", "20260105T100000.12345678Z",
            "2026-01-05T100000.12345678Z", "2026-01-05T10:00:00.1234565Z", "2026-W02-1T10:00:00.1234567Z",
        ]
    ),
)  # fmt: skip


@given(st.sampled_from(["iso8601", "epoch_ms", "epoch_ns"]), st.lists(_stamp | st.integers() | st.just("7")))
def test_many_values_are_read_as_each_by_itself(format: str, values: list[object]) -> None:
    read = time_reader(format, None)
    try:
        wanted = [read(value) for value in values]
    except (Unreadable, Inexact) as error:
        with pytest.raises(type(error)):
            times_reader(format, read)(values)
    else:
        assert times_reader(format, read)(values) == wanted


@given(st.lists(_stamp.filter(lambda text: _reads(text)), max_size=4))
def test_many_stamps_are_read_as_each_by_itself(texts: list[str]) -> None:
    read = time_reader("iso8601", None)
    assert times_reader("iso8601", read)(texts) == [read(text) for text in texts]


def _reads(text: str) -> bool:
    try:
        time_reader("iso8601", None)(text)
    except Unreadable:
        return False
    return True
