"""Recordings run through the pipeline again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from limecep.cli.exits import Exit
from limecep.model.instants import rfc3339
from tests.plugins.limecep_why.conftest import TEN_O_CLOCK

if TYPE_CHECKING:
    from tests.plugins.limecep_why.conftest import Asked

QUERY = "SEQ(A a, B b) WITHIN 10 s"


def test_matches_are_those_of_a_run_with_their_revisions(asked: Asked) -> None:
    matches = asked.run(
        "SEQ(A a, B+ b[], C c) WITHIN 30 s", "a1 a2 b3 c5 b4 c9 a6 b7 b2.5 c8", more="slack: none"
    )
    assert len(matches) > 2
    for match in matches:
        records = [r for r in asked.records if r["match"] == match]
        told = asked.told(match)["revisions"]
        assert [(t["revision"], t["op"], t["told"]) for t in told] == [
            (r["revision"], r["op"], r["detected"]) for r in records
        ]
        assert [t["cause"]["event"] for t in told] == [r["cause"]["event"] for r in records]


def test_nothing_is_written_and_no_sink_is_opened(asked: Asked) -> None:
    [match] = asked.run(QUERY, "a1 b2")
    text = asked.pipeline.read_text()
    asked.pipeline.write_text(text.replace("channel: out.jsonl", "channel: other.jsonl"))
    before = sorted(asked.folder.iterdir())
    asked.why(match)
    assert sorted(asked.folder.iterdir()) == before


def test_several_recordings_are_one_stream_in_the_order_of_arrival(asked: Asked) -> None:
    asked.run(QUERY, "a1 b2")
    lines = (asked.folder / "s.jsonl").read_text().splitlines()
    (asked.folder / "s.jsonl").write_text(lines[1] + "\n")
    (asked.folder / "t.jsonl").write_text(lines[0] + "\n")
    text = asked.pipeline.read_text()
    source = text.partition("sources:\n")[2].partition("patterns:")[0]
    asked.pipeline.write_text(
        text.replace(source, source + source.replace("s:", "t:", 1).replace("s.jsonl", "t.jsonl"))
    )
    assert [a["id"] for a in asked.told("")["arrivals"]] == ["a1", "b2"]


def test_a_live_source_that_brought_nothing_is_noted(asked: Asked) -> None:
    [match] = asked.run(QUERY, "a1 b2")
    live = "sources:\n  t: {type: file, follow: true, channel: t.jsonl, as: T, time: time}\n"
    asked.pipeline.write_text(asked.pipeline.read_text().replace("sources:\n", live))
    [note] = asked.told(match)["notes"]
    assert (
        note == "nothing came of source t, as it is live: where that matters, give a recording, --data t=FILE"
    )


def test_without_arrival_times_that_is_noted(asked: Asked) -> None:
    [match] = asked.run(QUERY, "a1 b2")
    asked.pipeline.write_text(asked.pipeline.read_text().replace("    arrival: came\n", ""))
    told = asked.told(match)
    assert told["notes"][0].startswith("no arrival times in source s: an event counts as arrived at")
    assert [e["delay_seconds"] for e in told["events"]] == [0.0, 0.0]


def test_copies_are_counted(asked: Asked) -> None:
    [match] = asked.run(QUERY, "a1 a1 b2 a1")
    assert [e.get("copies") for e in asked.told(match)["events"]] == [2, None]
    assert "copies came: 2" in asked.why(match)


def test_records_that_give_no_event_are_passed_over(asked: Asked) -> None:
    [match] = asked.run(QUERY, "a1 b2")
    file = asked.folder / "s.jsonl"
    late = {"type": "B", "id": "b9", "time": rfc3339(TEN_O_CLOCK), "came": rfc3339(TEN_O_CLOCK + 10**10)}
    file.write_text(f"no\n{file.read_text()}{json.dumps(late)}\n")
    assert asked.told(match)["standing"] == "live"


def test_where_no_match_is_found_what_was_read_is_said(asked: Asked) -> None:
    asked.run(QUERY, "a1 c2")
    with (asked.folder / "s.jsonl").open("a") as file:
        file.write("{bad\n")
    said = asked.why("abc", code=Exit.FAILED)
    assert "there is no match at all" in said
    assert "It read 2 events, and 1 records that give none, the first: not JSON at column 2" in said
