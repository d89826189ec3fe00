"""What a run does from whose state some patterns have changed."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline
from limecep.errors import RunFailure

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Kitchen

AB = "PATTERN SEQ(A a, B b) WITHIN 10 s"
BC = "PATTERN SEQ(B b, C c) WITHIN 10 s"
#: Events of every type are kept.
ALL = {"query": "PATTERN OR(SEQ(A a), SEQ(B b), SEQ(C c)) WITHIN 1 s", "lateness": "accept"}


def pattern(query: str = AB, **more: Any) -> dict[str, Any]:
    return {"query": query, "lateness": "accept", "slack": "none", **more}


def told(folder: Path, name: str) -> list[tuple[str, list[str], bool]]:
    """What was told of a pattern: op, events, and whether it is backfill."""
    records = [json.loads(line) for line in (folder / "out").read_text().splitlines()]
    return [
        (r["op"], [e["id"] for group in r["events"].values() for e in group], r.get("backfill", False))
        for r in records
        if r["pattern"] == name
    ]


def test_a_pattern_that_is_new_finds_what_is_in_memory_and_goes_on(kitchen: Kitchen, tmp_path: Path) -> None:
    kitchen.write("a1 b2 b4 c5")
    kitchen.run(patterns={"p": pattern(), "all": ALL})
    kitchen.write("b3 c6")
    report = kitchen.run(patterns={"p": pattern(), "q": pattern(BC), "all": ALL})
    found = told(tmp_path, "q")
    assert [events for op, events, backfill in found if backfill] == [["eb2", "ec5"], ["eb4", "ec5"]]
    assert [events for op, events, backfill in found if not backfill] == [["eb3", "ec5"]]
    # The other one knows what it knew.
    assert told(tmp_path, "p") == [("emit", ["ea1", "eb2"], False)]
    assert report["state"]["resumed"]
    assert report["patterns"]["q"]["emitted"] == len(found)


@pytest.mark.parametrize(("begins", "found"), [("now", []), ("1970-01-01T00:00:03Z", ["eb4"])])
def test_a_pattern_begins_where_it_is_told_to(
    begins: str, found: list[str], kitchen: Kitchen, tmp_path: Path
) -> None:
    kitchen.write("b2 b4")
    kitchen.run(patterns={"all": ALL})
    one = {**pattern("PATTERN SEQ(B b) WITHIN 1 s"), "from": begins}
    kitchen.run(patterns={"all": ALL, "one": one})
    assert told(tmp_path, "one") == [("emit", [id_], True) for id_ in found]
    kitchen.write("b5")
    kitchen.run(patterns={"all": ALL, "one": one})
    assert told(tmp_path, "one")[len(found) :] == [("emit", ["eb5"], False)]


def test_what_begins_at_a_time_tells_what_ends_from_then_on(kitchen: Kitchen, tmp_path: Path) -> None:
    kitchen.write("a1 b2 a3 b5 b6")
    kitchen.run(patterns={"all": ALL})
    then = {"all": ALL, "p": {**pattern(select="stam"), "from": "1970-01-01T00:00:05Z"}}
    kitchen.run(patterns=then)
    kitchen.write("b4 b7")
    kitchen.run(patterns=then)
    expected = [[a, b] for b in ("eb5", "eb6") for a in ("ea1", "ea3")]
    assert sorted(events for _, events, backfill in told(tmp_path, "p") if backfill) == sorted(expected)
    found = {tuple(events) for _, events, backfill in told(tmp_path, "p") if not backfill}
    assert {("ea1", "eb7"), ("ea3", "eb7")} <= found


def test_what_begins_now_sees_nothing_of_before_whatever_comes_late(kitchen: Kitchen, tmp_path: Path) -> None:
    kitchen.write("a1 a2 c9")
    kitchen.run(patterns={"all": ALL})
    now = {"all": ALL, "p": {**pattern(select="stam"), "from": "now"}}
    kitchen.run(patterns=now)
    kitchen.write("b5 a4")
    kitchen.run(patterns=now)
    assert told(tmp_path, "p") == [("emit", ["ea4", "eb5"], False)]


def test_matches_of_the_past_need_not_be_announced(kitchen: Kitchen, tmp_path: Path) -> None:
    grows = "PATTERN SEQ(A a, B+ b[]) WITHIN 10 s"
    kitchen.write("a1 b2")
    kitchen.run(patterns={"all": ALL})
    quiet = {"all": ALL, "p": pattern(grows, announce=False)}
    kitchen.run(patterns=quiet)
    assert told(tmp_path, "p") == []
    kitchen.write("b3")
    kitchen.run(patterns=quiet)
    # It is known, so that it can be corrected.
    assert told(tmp_path, "p") == [("correct", ["ea1", "eb2", "eb3"], False)]


def test_a_pattern_with_types_that_were_not_kept_begins_now(
    kitchen: Kitchen, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kitchen.write("a1 c2 b3")
    kitchen.run(patterns={"p": pattern()})
    late = {"p": pattern(), "q": pattern("PATTERN SEQ(A a, !C c, B b) WITHIN 10 s")}
    kitchen.write("a4 b5")
    kitchen.run(patterns=late)
    # Nobody knows whether a C came between a1 and b3.
    assert told(tmp_path, "q") == [("emit", ["ea4", "eb5"], False)]


def test_a_pattern_that_is_gone_leaves_nothing_behind(kitchen: Kitchen, tmp_path: Path) -> None:
    kitchen.write("a1 b2 a3")
    kitchen.run(patterns={"p": pattern("PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"), "all": ALL})
    size = kitchen.run(patterns={"all": ALL})["patterns"]
    assert [*size] == ["all"]
    kitchen.write("b4")
    kitchen.run(patterns={"all": ALL, "p": pattern()})
    assert told(tmp_path, "p") == [("emit", ["ea1", "eb2"], True), ("emit", ["ea3", "eb4"], False)]


def test_sinks_are_told_no_more_of_what_a_pattern_found_that_is_gone(
    kitchen: Kitchen, tmp_path: Path
) -> None:
    sinks = {"out": {"type": "file", "path": "out", "repeat": {"every": "1h"}}}

    def repeated() -> set[str]:
        with sqlite3.connect(tmp_path / "state/state.db") as connection:
            rows = connection.execute("SELECT name FROM rows WHERE name LIKE 'repeat/%'").fetchall()
        connection.close()
        return {name for (name,) in rows}

    kitchen.write("a1 b2")
    kitchen.run(patterns={"p": pattern(), "all": ALL}, sinks=sinks)
    before = repeated()
    kitchen.run(patterns={"all": ALL}, sinks=sinks)
    after = repeated()
    assert (len(before), len(after)) == (3, 2)
    assert after < before


def test_what_a_program_feeds_is_known_to_a_pattern_that_comes_later(tmp_path: Path) -> None:
    def fed(patterns: dict[str, Any], *ids: str) -> list[str]:
        document = {"version": 1, "patterns": patterns, "state": {"dir": "state"}}
        with Pipeline.from_dict(document, root=tmp_path) as pipeline:
            events = [Event(i[0].upper(), i, int(i[1:]) * 1_000_000) for i in ids]
            return [f"{u.pattern} {u.op}" for u in pipeline.feed(events)]

    assert fed({"p": pattern()}, "a1", "b2") == ["p emit"]
    grows = pattern("PATTERN SEQ(A a, B+ b[]) WITHIN 10 s")
    # What it found of before went to the sinks, of which there are none; it is corrected now.
    assert fed({"p": pattern(), "q": grows}, "b3") == ["q correct"]


def test_patterns_may_stand_in_another_order(kitchen: Kitchen, tmp_path: Path) -> None:
    kitchen.write("a1")
    kitchen.run(patterns={"p": pattern(), "q": pattern(select="stam")})
    kitchen.write("b2")
    assert kitchen.run(patterns={"q": pattern(select="stam"), "p": pattern()})["state"]["resumed"]
    assert told(tmp_path, "p") == told(tmp_path, "q") == [("emit", ["ea1", "eb2"], False)]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"derive": {"as": "X"}}, "Where patterns derive events, no pattern can change yet"),
        ({}, "'order' or 'rank' of the sources makes sequence numbers count"),
    ],
)
def test_what_cannot_change_is_told(more: dict[str, Any], why: str, kitchen: Kitchen, tmp_path: Path) -> None:
    document = kitchen.document()
    kitchen.write("a1")
    kitchen.run(patterns={"p": pattern(**more)})
    sources = {} if more else {"sources": {"s": {**document["sources"]["s"], "order": "t"}}}
    with pytest.raises(RunFailure, match=why) as failure:
        kitchen.run(patterns={"p": pattern(BC, **more)}, **sources)
    assert f"limecep state reset {tmp_path}/state" in str(failure.value)
    # What is written is as it was.
    assert kitchen.run(patterns={"p": pattern(**more)})["events"]["read"] == 1
