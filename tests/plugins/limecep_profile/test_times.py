"""Which attributes are times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from limecep_profile.times import candidate, candidates, offset, words

BEGIN = datetime(2026, 3, 25, 22, 58, 57, 123_000, tzinfo=UTC)
TIMES = [BEGIN + timedelta(hours=5, minutes=7) * n for n in range(40)]


def best(name: str, values: list[Any]) -> tuple[str, str, bool] | None:
    found = candidates({name: values}, len(values))
    return (found[0].name, found[0].format, found[0].zoned) if found else None


@pytest.mark.parametrize(
    ("format", "zoned"),
    [
        ("%d/%b/%Y:%H:%M:%S %z", True),
        ("%d/%m/%Y %H:%M:%S", False),
        ("%m/%d/%Y %H:%M:%S", False),
        ("%m/%d/%Y %I:%M:%S %p", False),
        ("%d.%m.%Y %H:%M", False),
        ("%a %b %d %H:%M:%S %Y", False),
    ],
)
def test_stamps_are_known_by_their_form(format: str, zoned: bool) -> None:
    values = [t.strftime(format) for t in TIMES]
    assert best("time", values) == ("time", format, zoned)
    (found,) = candidates({"time": values}, len(values))
    assert abs(found.read(values[0]) - BEGIN.timestamp() * 1e6) < 60_000_000


@pytest.mark.parametrize(
    ("write", "zoned"),
    [
        (lambda t: t.isoformat(), True),
        (lambda t: t.strftime("%Y-%m-%dT%H:%M:%SZ"), True),
        (lambda t: t.strftime("%Y-%m-%d %H:%M:%S"), False),
    ],
)
def test_iso_8601_is_known_with_and_without_a_zone(write: Any, zoned: bool) -> None:
    assert best("when", list(map(write, TIMES))) == ("when", "iso8601", zoned)


@pytest.mark.parametrize(
    ("unit", "format"), [(1, "epoch_s"), (1e3, "epoch_ms"), (1e6, "epoch_us"), (1e9, "epoch_ns")]
)
def test_numbers_are_known_by_how_large_they_are(unit: float, format: str) -> None:
    values = [int(t.timestamp() * unit) for t in TIMES]
    assert best("ts", values) == ("ts", format, True)
    # Without the name it is that they grow.
    assert best("x", values) == ("x", format, True)
    assert best("x", values[::-1]) is None
    assert best("ts", [str(v) for v in values]) is None


def test_numbers_from_some_beginning_of_their_own_are_seconds_where_they_are_called_a_time() -> None:
    assert best("time", [1, 2, 5]) == ("time", "epoch_s", True)
    assert best("price", [1, 2, 5]) is None
    assert best("time", [0.5, 1.5]) is None


def test_the_time_at_which_things_happened_comes_before_that_of_arrival() -> None:
    stamps = [t.isoformat() for t in TIMES]
    found = candidates({"received": stamps, "at": stamps, "note": ["x"] * 40}, 40)
    assert [(c.name, c.arrival) for c in found] == [("at", False), ("received", True)]


def test_what_is_often_missing_or_unreadable_is_no_time() -> None:
    stamps = [t.isoformat() for t in TIMES]
    assert candidates({"at": stamps}, 50) == []
    assert candidates({"at": [*stamps[:30], *["soon"] * 10]}, 40) == []
    assert candidates({"at": [True] * 40}, 40) == []


def test_a_form_that_is_said_is_tried_as_it_is() -> None:
    assert candidate("t", ["2026 05 01 10"], "%Y %m %d %H").share == 1
    with pytest.raises(ValueError, match="unknown time format 'seconds'"):
        candidate("t", ["1"], "seconds")


def test_zones_and_words_are_read_off() -> None:
    said = [offset(v) for v in ("2026-01-05T10:00:00Z", "x +0100", "10:00-05:30", "2026-01-05", 5)]
    assert said == ["Z", "+0100", "-05:30", "", ""]
    assert words("eventTime_UTC2") == {"event", "time", "utc", "2"}
