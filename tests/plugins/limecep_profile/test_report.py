"""A profile in words."""

from __future__ import annotations

from typing import Any

from limecep_profile.profile import profiled
from limecep_profile.report import lines


def report(rows: list[dict[str, Any]], unreadable: int = 0) -> dict[str, str]:
    """The report, by its headings."""
    told: dict[str, str] = {}
    heading = ""
    for line in lines(profiled(rows), unreadable, "why"):
        heading = line[:12].strip() or heading
        told[heading] = f"{told[heading]}\n{line[12:]}" if heading in told else line[12:]
    return told


def rows(times: list[str], **more: list[Any]) -> list[dict[str, Any]]:
    return [{"time": t} | {k: v[n] for k, v in more.items()} for n, t in enumerate(times)]


def test_it_tells_times_zones_order_gaps_and_repeats() -> None:
    times = [f"2026-01-05 10:00:0{n}" for n in (0, 1, 2, 3, 1, 1)] + ["2026-01-05 11:00:00"]
    told = report(rows(times, room=["a", "b", "a", "b", "a", "a", "b"]), unreadable=2)
    assert told["records"] == "7"
    assert told["unreadable"] == "2, the first: why"
    assert told["time"].startswith(
        "time, iso8601, without a zone\n2026-01-05T10:00:00Z to 2026-01-05T11:00:00Z"
    )
    assert told["zones"] == "none in 7 stamps: say which it is"
    assert told["order"].startswith("28.6 % out of order (2), behind the latest by: median 2 seconds")
    assert "28.6 % behind the latest of their own room" in told["order"]
    assert told["gaps"].startswith("1 of more than 5 seconds, half of them up to 60 minutes")
    same, tie = told["repeats"].split("\n")
    assert same == "1 record is the same as an earlier one"
    assert tie == "1 has the time of an earlier one, and other values"
    assert told["key"] == "room, 2 different"
    assert told["attributes"].endswith("room: text, a, b")


def test_it_tells_zones_and_types_with_rates() -> None:
    times = [f"2026-01-05T10:{n:02}:00{'Z' if n % 2 else '+02:00'}" for n in range(10)]
    told = report(rows(times, type=["A", "B", "A", "A", "A"] * 2, v=[None, 1, 2.5, -3, 4] * 2))
    assert told["zones"] == "+02:00 50 %, Z 50 %"
    assert told["types"].startswith("A: 8, ")
    assert "v: whole number or number, -3 to 4, missing in 20 %" in told["attributes"]


def test_without_a_time_it_says_what_to_do() -> None:
    told = report([{"v": 1}])
    assert told["time"].startswith("no attribute reads as a time: say which it is with --time")
    assert "order" not in told
    assert told["repeats"] == "none"


def test_an_id_that_is_none_is_told() -> None:
    told = report([{"id": 1, "v": 1}, {"id": 1, "v": 2}])
    assert told["repeats"] == "id is no id: 1 record has that of another one, and other values"


def test_of_many_attributes_the_first_are_shown() -> None:
    assert report([{f"a{n}": n for n in range(30)}])["attributes"].endswith("... and 10 more")


def test_of_no_records_it_says_what_to_do() -> None:
    assert list(lines(profiled([]), 0, ""))[1:] == ["            there is nothing in it"]
    [*_, said] = lines(profiled([]), 2, "x.csv:2: why")
    assert said == "            say how it is written, as in --format \"{type: csv, delimiter: ';'}\""


def test_a_time_that_reads_in_two_ways_is_told() -> None:
    told = report(rows([f"0{n}/02/2026 10:00" for n in range(1, 9)]))
    assert "reads as %m/%d/%Y %H:%M, too: say which it is with --time-format" in told["time"]
    assert "too" not in report(rows([f"1{n}/02/2026 10:00" for n in range(1, 9)]))["time"]
