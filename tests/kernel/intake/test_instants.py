"""One time of each record: from which fields, in which form, and what is remembered of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limecep.config.model import TimeConfig
from limecep.contracts.source import Message
from limecep.intake.fields import Unusable
from limecep.intake.instants import Instants, instants

HOUR = 3_600_000_000
#: 2026-01-05T10:00:00Z.
TEN = 1_767_607_200_000_000
#: In this night clocks in Athens show the hour from 3 to 4 twice, first from 00:00Z.
NIGHT = 1_792_886_400_000_000


def made(decimal: str = ".", owner: str = "k", **config: Any) -> Instants:
    return Instants(
        "time", TimeConfig(**{"field": "t", **config}), "/", lambda r, m: r.get("k", owner), decimal
    )


def read(by: Instants, record: dict[str, Any], arrival: int | None = None, channel: str = "a/b") -> int:
    return by.read(record, Message(b"", channel, f"{channel}:1", None), arrival)


def refusal(by: Instants, record: dict[str, Any]) -> str:
    with pytest.raises(Unusable) as caught:
        read(by, record)
    return str(caught.value)


def test_where_nothing_is_said_there_is_nothing_to_read() -> None:
    assert instants("time", None, "/", lambda r, m: "", ".", {}) is None
    given = instants("time", TimeConfig(field="t", format="epoch_s"), "/", lambda r, m: "", ",", {})
    assert given is not None
    assert read(given, {"t": "1,5"}) == 1_500_000


@pytest.mark.parametrize(
    ("config", "value"),
    [
        ({}, "2026-01-05T10:00:00Z"),
        ({"zone": "Europe/Athens"}, "2026-01-05T12:00:00"),
        ({"format": "epoch_s"}, TEN // 1_000_000),
        ({"format": "epoch_us"}, TEN),
        ({"format": "epoch_s", "zone": "Europe/Athens"}, TEN // 1_000_000),
        ({"format": "%d.%m.%Y %H:%M", "zone": "UTC"}, "05.01.2026 10:00"),
        ({"format": "%d.%m.%Y %H:%M", "zone": "Europe/Athens"}, "05.01.2026 12:00"),
        ({"format": "%d.%m. %H:%M", "zone": "UTC", "year": 2026}, "05.01. 10:00"),
    ],
)
def test_a_time_is_read_in_its_form_and_zone(config: dict[str, Any], value: Any) -> None:
    assert read(made(**config), {"t": value}) == TEN


def test_what_cannot_be_read_says_which_field_it_is() -> None:
    assert refusal(made(), {"v": 1}) == "no time: 't' is missing"
    assert refusal(made(format="epoch_s"), {"t": "soon"}) == "time 't' is not a number of s: 'soon'"


def test_a_level_of_the_channel_may_be_the_time() -> None:
    assert read(made(field="$topic[1]", format="epoch_s"), {}, channel="home/5") == 5_000_000


@pytest.mark.parametrize(
    ("value", "t"), [("1,5", 1_500_000), ("1.5", 1_500_000), (1.5, 1_500_000), ("2", 2_000_000)]
)
def test_a_decimal_comma_is_read_as_a_point(value: Any, t: int) -> None:
    assert read(made(",", format="epoch_s"), {"t": value}) == t


def test_only_one_decimal_comma_is() -> None:
    assert "is not a number" in refusal(made(",", format="epoch_s"), {"t": "1,0,5"})
    assert "is not a number" in refusal(made(",", format="epoch_s"), {"t": "1.000,5"})
    assert "is not a number" in refusal(made(format="epoch_s"), {"t": "1,5"})


def test_a_time_of_several_fields_is_their_text_with_blanks_between() -> None:
    by = made(field="d", joined=("h.m",), format="%Y%m%d %H", zone="UTC")
    assert read(by, {"d": 20260105, "h": {"m": " 10 "}}) == TEN
    assert refusal(by, {"d": 20260105}) == "no time: 'h.m' is missing"
    assert refusal(by, {"d": 1.5, "h": {"m": "10"}}) == "time 'd' is neither text nor a whole number"
    assert refusal(by, {"d": "x", "h": {"m": "10"}}).startswith("time 'd h.m' is not a time like")


@pytest.mark.parametrize(
    ("config", "remembers", "sequential"),
    [
        ({}, False, False),
        ({"format": "epoch_s", "zone": "Europe/Athens"}, False, False),
        ({"zone": "Europe/Athens"}, True, False),
        ({"zone": "Europe/Athens", "fold": "order"}, True, True),
        ({"format": "%b %d", "zone": "UTC", "year": 2026}, True, True),
        ({"format": "%b %d", "zone": "UTC", "year": "arrival"}, True, False),
    ],
)
def test_it_is_known_what_depends_on_what_came_before(
    config: dict[str, Any], remembers: bool, sequential: bool
) -> None:
    assert (made(**config).remembers, made(**config).sequential) == (remembers, sequential)


def test_readings_of_an_owner_go_forward_over_a_change_of_the_clocks() -> None:
    by = made(zone="Europe/Athens", fold="order")
    assert read(by, {"t": "2026-10-25T03:50"}) == NIGHT + 50 * HOUR // 60
    assert read(by, {"t": "2026-10-25T03:00", "k": "other"}) == NIGHT
    assert read(by, {"t": "2026-10-25T03:00"}, channel="c") == NIGHT
    assert read(by, {"t": "2026-10-25T03:00"}) == NIGHT + HOUR
    assert by.changes == {"ambiguous_times": 4}
    assert made().changes == {}


def test_a_year_goes_on_with_the_readings_of_its_channel() -> None:
    by = made(format="%b %d", zone="UTC", year=2025)
    days = [read(by, {"t": day}, channel=c) for c, day in [("a", "Dec 31"), ("a", "Jan 1"), ("b", "Jan 1")]]
    assert [(t - days[0]) // (24 * HOUR) for t in days] == [0, 1, -364]


def test_a_year_may_be_that_of_the_arrival() -> None:
    by = made(format="%b %d %H", zone="UTC", year="arrival")
    assert read(by, {"t": "Jan 5 10"}, TEN + HOUR) == TEN
    assert read(by, {"t": "Jan 5 10"}, TEN + 365 * 24 * HOUR) == TEN + 365 * 24 * HOUR
    assert refusal(by, {"t": "Jan 5 10"}).startswith("time 't' is not a time like")


@pytest.mark.parametrize(
    ("config", "before", "then", "wanted"),
    [
        ({"zone": "Europe/Athens", "fold": "order"}, "2026-10-25T03:50", "2026-10-25T03:00", NIGHT + HOUR),
        ({"format": "%b %d %H", "zone": "UTC", "year": 2025}, "Dec 31 00", "Jan 5 10", TEN),
    ],
)
def test_a_later_life_goes_on_where_this_one_was(
    config: dict[str, Any], before: str, then: str, wanted: int
) -> None:
    first, second = made(**config), made(**config)
    read(first, {"t": before})
    second.recall(json.loads(json.dumps(first.remembered())))
    assert read(second, {"t": then}) == wanted
    assert read(made(**config), {"t": then}) != wanted


def test_what_remembers_nothing_recalls_nothing() -> None:
    by = made()
    assert by.remembered() == {"zone": None, "years": None}
    by.recall(by.remembered())
    made(zone="Europe/Athens").recall(by.remembered())
