"""Stamps without a year are of the one that brings them near."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

from limecep.intake.stamps import Form
from limecep.intake.years import Years


def instant(text: str) -> int:
    return (datetime.fromisoformat(text).replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(
        microseconds=1
    )


def read(years: Years, *stamps: str, arrival: str | None = None) -> list[str]:
    found = []
    for stamp in stamps:
        years.turn("log", None if arrival is None else instant(arrival))
        when = years.read(stamp)
        years.note(instant(when.isoformat()))
        found.append(when.strftime("%Y-%m-%d"))
    return found


def syslog(first: int | Literal["arrival"]) -> Years:
    return Years(Form("%b %d"), first)


@pytest.mark.parametrize(
    ("stamps", "years"),
    [
        (["Jan 5", "Jun 1", "Dec 31"], [2026, 2026, 2026]),
        (["Dec 30", "Dec 31", "Jan 1", "Jan 2"], [2026, 2026, 2027, 2027]),
        (["Dec 31", "Jan 1", "Dec 31", "Jan 1"], [2026, 2027, 2026, 2027]),
        (["Jan 1", "Dec 31"], [2026, 2025]),
        (["Jan 5", "Sep 10", "Jun 20"], [2026, 2026, 2026]),
        (["Aug 1", "Feb 1", "Aug 1"], [2026, 2027, 2027]),
        (["Dec 1", "Dec 1", "Nov 1", "Sep 10"], [2026, 2026, 2026, 2026]),
    ],
)
def test_the_first_has_the_year_given_and_the_others_follow(stamps: list[str], years: list[int]) -> None:
    assert [int(day[:4]) for day in read(syslog(2026), *stamps)] == years


@pytest.mark.parametrize(
    ("stamp", "arrival", "year"),
    [
        ("Dec 31", "2027-01-01T00:00:05", 2026),
        ("Jan 1", "2027-01-01T00:00:05", 2027),
        ("Jan 1", "2026-12-31T23:59:58", 2027),
        ("Mar 1", "2026-12-31T23:59:58", 2026),
        ("Feb 29", "2028-03-01T00:00:00", 2028),
        ("Feb 29", "2028-02-20T00:00:00", 2028),
    ],
)
def test_by_arrival_it_is_the_last_that_is_not_far_ahead(stamp: str, arrival: str, year: int) -> None:
    assert read(syslog("arrival"), stamp, arrival=arrival) == [
        f"{year}-{datetime.strptime(f'{stamp} 2028', '%b %d %Y'):%m-%d}"
    ]


def test_days_of_a_year_are_those_of_their_year() -> None:
    assert read(Years(Form("%j"), 2027), "364", "365", "060", "366") == [
        "2027-12-30", "2027-12-31", "2028-02-29", "2028-12-31"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("years", "stamp", "arrival"),
    [
        (syslog(2026), "Feb 29", None),
        (syslog("arrival"), "Feb 29", "2026-06-01T00:00:00"),
        (syslog("arrival"), "Jan 1", None),
        (syslog(2026), "yesterday", None),
    ],
)
def test_a_day_that_no_year_near_has_is_none(years: Years, stamp: str, arrival: str | None) -> None:
    with pytest.raises(ValueError):
        read(years, stamp, arrival=arrival)


def test_where_a_channel_has_come_to_is_remembered() -> None:
    years = syslog(2026)
    read(years, "Dec 31", "Jan 1")
    again = syslog(2026)
    again.recall(years.remembered())
    assert read(again, "Jan 2") == ["2027-01-02"]
    again.turn("other", None)
    assert again.read("Jan 2").year == 2026


def test_a_day_that_stands_in_no_year_near_says_so() -> None:
    # After 9999 there is none.
    with pytest.raises(ValueError, match=r"^no year near the times before it has such a day$"):
        read(syslog(9999), "Dec 31", "Jan 5")
