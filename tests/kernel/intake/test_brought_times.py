"""Times read by a format that a plugin brings."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.errors import ComponentFailure, ContractBreach
from limecep.intake.brought_times import brought_reader
from limecep.intake.times import Unreadable
from limecep.local import component

if TYPE_CHECKING:
    from pathlib import Path


@component("time", "roman")
class Roman:
    """Reads hours in Roman numbers."""

    def __init__(self, options: Any, context: Any) -> None:
        self.label = context.label

    def read(self, value: Any) -> Any:
        hours = {"I": 1, "II": 2, "III": 3}
        if value == "IV":
            return 1 / 0
        if value == "V":
            return "5"
        if value not in hours:
            raise ValueError(f"has no numeral: {value}")
        return datetime(2026, 1, 5, hours[value], tzinfo=UTC)


class Giving:
    def __init__(self, given: Any) -> None:
        self._given = given

    def read(self, value: Any) -> Any:
        return self._given


def test_an_instant_is_microseconds_or_a_datetime_with_a_zone() -> None:
    assert brought_reader("g", Giving(5))(None) == 5
    noon = datetime(1970, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    assert brought_reader("g", Giving(noon))(None) == 10 * 3_600_000_000


@pytest.mark.parametrize("given", [None, 1.5, True, "1", datetime(2026, 1, 5)])
def test_whatever_else_it_gives_is_told_as_its_fault(given: Any) -> None:
    with pytest.raises(ContractBreach, match="gives"):
        brought_reader("g", Giving(given))(7)


@pytest.mark.parametrize(
    ("given", "shown"),
    [(10**30, "1000"), (-(10**18), "-1000"), (10**5000, "<a value of int, whose repr")],
    ids=["far ahead", "long ago", "too long for text"],
)
def test_an_instant_beyond_all_years_is_told_with_what_the_format_read(given: int, shown: str) -> None:
    with pytest.raises(Unreadable, match=f"is {shown}.* microseconds as the format 'g' reads 'x': not in"):
        brought_reader("g", Giving(given))("x")


def run(tmp_path: Path, *hours: str, **source: Any) -> dict[str, Any]:
    lines = [json.dumps({"type": "AB"[n % 2], "at": hour}) for n, hour in enumerate(hours)]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    document = {
        "version": 1,
        "sources": {
            "s": {
                "type": "file",
                "channel": "in.jsonl",
                "as": {"field": "type"},
                "time": {"field": "at", "format": "roman"},
                **source,
            }
        },
        "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 2 hours"}},
        "sinks": {"out": {"type": "file", "path": "out.jsonl"}},
    }
    with Pipeline.from_dict(document, root=tmp_path, plugins=[Roman]) as pipeline:
        pipeline.run()
        return pipeline.report()


def test_a_pipeline_reads_times_by_it(tmp_path: Path) -> None:
    events = run(tmp_path, "I", "II", "X")["events"]
    assert (events["in_order"], events["invalid"]) == (2, 1)
    record = json.loads((tmp_path / "out.jsonl").read_text())
    assert (record["start"], record["end"]) == ("2026-01-05T01:00:00Z", "2026-01-05T02:00:00Z")


@pytest.mark.parametrize("hour", ["IV", "V"])
def test_what_it_should_not_do_names_it(tmp_path: Path, hour: str) -> None:
    with pytest.raises(ComponentFailure, match=r"sources\.s\.time: time format 'roman'"):
        run(tmp_path, "I", hour)
