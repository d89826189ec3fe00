"""Local times on the nights when clocks are changed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.intake.zones import LocalTimes

if TYPE_CHECKING:
    from limecep.config.model import Fold

ATHENS = "Europe/Athens"
ZONES = [
    ATHENS,
    "America/Sao_Paulo",
    "Australia/Lord_Howe",
    "America/Havana",
    "Africa/Casablanca",
    "Asia/Kolkata",
]


def times(zone: str = ATHENS, fold: Fold = "first") -> LocalTimes:
    return LocalTimes(zone, fold)


def utc(t: int) -> str:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=t)).strftime("%H:%M")


def read(local: LocalTimes, *stamps: str, owner: str = "", channel: str = "") -> list[str]:
    """The instants of stamps in the night of 25 October 2026, when at 4:00 clocks go back to 3:00."""
    found = []
    for stamp in stamps:
        local.turn(channel, owner)
        found.append(utc(local.instant(datetime.fromisoformat(f"2026-10-25T{stamp}"))))
    return found


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2030, 1, 1)),
    st.sampled_from(ZONES),
    st.integers(-3, 3),
)
def test_instants_are_those_of_python(when: datetime, zone: str, hours: int) -> None:
    local = times(zone)
    # A day is looked at before, as in a stream.
    local.instant(when.replace(hour=(when.hour + hours) % 24))
    expected = when.replace(tzinfo=ZoneInfo(zone)) - datetime(1970, 1, 1, tzinfo=UTC)
    assert local.instant(when) == expected // timedelta(microseconds=1)


@pytest.mark.parametrize(("fold", "expected"), [("first", "00:30"), ("second", "01:30"), ("order", "00:30")])
def test_a_time_that_clocks_give_twice_is_what_fold_says(fold: Fold, expected: str) -> None:
    local = times(fold=fold)
    assert read(local, "03:30") == [expected]
    assert local.counts == {"ambiguous_times": 1}


@pytest.mark.parametrize("fold", ["first", "second", "order"])
def test_a_time_that_clocks_skip_is_as_far_after_the_change_as_it_was_meant(fold: Fold) -> None:
    local = times(fold=fold)
    assert utc(local.instant(datetime(2026, 3, 29, 3, 30))) == "01:30"
    assert local.counts == {"skipped_times": 1}


@pytest.mark.parametrize(
    ("stamps", "expected"),
    [
        # Every ten minutes, and the second pass begins when a reading goes back.
        (["03:40", "03:50", "03:00", "03:10", "03:50", "04:00"],
         ["00:40", "00:50", "01:00", "01:10", "01:50", "02:00"]),
        # Every hour: the same stamp once more is an hour later.
        (["02:00", "03:00", "03:00", "04:00"], ["23:00", "00:00", "01:00", "02:00"]),
        (["03:00", "03:00"], ["00:00", "01:00"]),
        # Every ten minutes it is a copy.
        (["02:50", "03:00", "03:00", "03:10"], ["23:50", "00:00", "00:00", "00:10"]),
        (["03:50", "03:00", "03:00"], ["00:50", "01:00", "01:00"]),
        # What comes late in the second pass stays in it.
        (["03:50", "03:20", "03:10", "03:30"], ["00:50", "01:20", "01:10", "01:30"]),
        # What comes late from before the change does not end it.
        (["03:00", "03:30", "03:10", "02:50", "03:40"], ["00:00", "00:30", "01:10", "23:50", "01:40"]),
        # It tells how far readings are apart, as what comes in time does.
        (["03:00", "02:50", "03:00"], ["00:00", "23:50", "00:00"]),
    ],
)  # fmt: skip
def test_in_order_readings_go_forward(stamps: list[str], expected: list[str]) -> None:
    assert read(times(fold="order"), *stamps) == expected


def test_in_order_every_owner_and_every_channel_has_its_own_readings() -> None:
    local = times(fold="order")
    assert read(local, "03:50", "03:00", owner="a") == ["00:50", "01:00"]
    assert read(local, "03:30", owner="b") == ["00:30"]
    assert read(local, "03:30", owner="a", channel="other") == ["00:30"]
    assert read(local, "03:10", owner="a") == ["01:10"]


def test_what_was_read_in_order_is_remembered_and_let_go_when_the_night_is_over() -> None:
    local = times(fold="order")
    read(local, "03:50", "03:00")
    again = times(fold="order")
    again.recall(json.loads(json.dumps(local.remembered())))
    assert read(again, "03:10") == ["01:10"]
    assert again.counts == {"ambiguous_times": 3}
    again.turn("", "")
    again.instant(datetime(2026, 10, 27, 3, 10))
    assert again.remembered()["changes"] == {}
