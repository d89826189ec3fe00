"""What there is to be found: what one process finds in order, and what brute force finds."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline
from limecep.errors import ConfigurationError
from limecep.intake.times import time_reader
from limecep.language.parser import parse
from limecep.model.event import sort_key
from limecep.output.render import Renderer
from limecep.testing.oracle import all_matches, maximal_matches
from limecep_lab import truth
from limecep_spark.failures import reason

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.spark

PATTERNS = {
    "rise": "PATTERN SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v WITHIN 30 seconds PARTITION BY k",
    "growing": "PATTERN SEQ(A a, B+ b[]) WITHIN 5 seconds PARTITION BY k",
    "trailing": "PATTERN SEQ(C a, NOT B b) WITHIN 7 seconds PARTITION BY k",
    "both": "PATTERN SEQ(A a, C c) WHERE a.v = c.v WITHIN 9 seconds PARTITION BY k, v",
    "whole": "PATTERN SEQ(A a, !C x, D d) WITHIN 3 seconds",
    "every": "PATTERN SEQ(A a, D d) WITHIN 3 seconds PARTITION BY k",
}
MORE: dict[str, dict[str, Any]] = {
    "every": {"engine": "nfa"},
    "both": {"select": "stam", "results": {"type": "uncorrected", "skip": "past-last"}},
    "whole": {"lateness": "score", "slack": {"type": "fixed", "wait": "3s"}},
}


def pipeline(folder: Path, patterns: dict[str, str] = PATTERNS) -> Path:
    document = {
        "version": 1,
        "name": "mixed",
        "sources": {
            name: {
                "type": "file",
                "channel": f"{name}/*.jsonl",
                "as": {"field": "type"},
                "id": "id",
                "time": {"field": "t_gen", "format": "epoch_us"},
                "arrival": {"field": "t_arr", "format": "epoch_us"},
            }
            for name in ("one", "other")
        },
        "patterns": {name: {"query": q, **MORE.get(name, {})} for name, q in patterns.items()},
    }
    (folder / "p.yaml").write_text(json.dumps(document))
    return folder / "p.yaml"


def stream(seed: int, count: int) -> list[Event]:
    """A stream with ties, keys of several kinds and none, in any order of arrival, and copies."""
    chosen = random.Random(seed)
    events = [
        Event(
            chosen.choice("ABCD"),
            f"e{n}",
            1_700_000_000_000_000 + n * 400_000 // 3 * chosen.choice([1, 1, 1, 0]),
            0,
            chosen.choice(["one", "other"]),
            {"v": chosen.randrange(5)}
            | ({} if (k := chosen.choice(["x", "y", 1, None])) is None else {"k": k}),
        )
        for n in range(count)
    ]
    chosen.shuffle(events)
    for n, event in enumerate(events):
        event.t_arr = 1_800_000_000_000_000 + n
    return events


def write(folder: Path, events: list[Event], files: int = 2) -> None:
    for source in ("one", "other"):
        (folder / source).mkdir()
        lines = [
            json.dumps({"id": e.id, "type": e.type, "t_gen": e.t_gen, "t_arr": e.t_arr, **e.payload})
            for e in events
            if e.source == source
        ]
        lines += lines[::9]
        for n in range(files):
            (folder / source / f"{n}.jsonl").write_text("\n".join(lines[n::files]) + "\n")


def in_process(file: Path, events: list[Event]) -> dict[tuple[str, str], str]:
    """What one process finds in order: by pattern and content, when it was first told."""
    document = json.loads(file.read_text())
    for pattern in document["patterns"].values():
        results = pattern.get("results", {"type": "corrected"})
        pattern |= {"lateness": "accept", "slack": "none", "results": {**results, "type": "corrected"}}
    made = Pipeline.from_dict(document)
    for event in events:
        event.t_arr = event.t_gen
    updates = [*made.feed(sorted(events, key=sort_key)), *made.finish()]
    records = [Renderer("none").render(u) for u in updates]
    live: dict[str, dict[str, Any]] = {}
    for record in records:
        if record["op"] == "retract":
            del live[record["match"]]
        else:
            live[record["match"]] = record
    return {(r["pattern"], r["content"]): r["detected"] for r in live.values()}


time = time_reader("iso8601", None)


@pytest.mark.parametrize("seed", [1, 2])
def test_it_is_what_one_process_finds_in_order(seed: int, spark: Any, tmp_path: Path) -> None:
    events = stream(seed, 1500)
    write(tmp_path, events)
    file = pipeline(tmp_path)
    rows = truth(spark, file).collect()
    expected = in_process(file, events)
    assert {p for p, _ in expected} == set(PATTERNS)
    assert sorted((r.pattern, r.content) for r in rows) == sorted(expected)
    last = max(e.t_gen for e in events)
    for row in rows:
        told = time(expected[row.pattern, row.content])
        if row.pattern == "trailing":
            # What only time can tell is told by the next event, or at the end.
            assert time(row.detected) == time(row.start) + 7_000_000
            assert time(row.detected) < told or told == last
        else:
            assert time(row.detected) == time(row.end) == told
    by_id = {e.id: e for e in events}
    for row in rows:
        named = [by_id[i] for ids in row.events.values() for i in ids]
        key = None if row.key is None else json.loads(row.key)
        assert all(key is None or e.payload["k"] == key["k"] for e in named)


def test_a_table_gives_what_files_give(spark: Any, tmp_path: Path) -> None:
    events = [e for e in stream(3, 600) if e.payload.get("k") != 1]
    write(tmp_path, events)
    file = pipeline(tmp_path)
    rows = [(e.id, e.type, e.source, e.t_gen, e.payload.get("k"), e.payload["v"]) for e in events]
    table = spark.createDataFrame(rows, "id string, type string, source string, t_gen long, k string, v long")
    assert sorted(truth(spark, file, table.repartition(5)).collect()) == sorted(truth(spark, file).collect())


@pytest.mark.parametrize("seed", [4, 5])
def test_it_is_what_brute_force_finds(seed: int, spark: Any, tmp_path: Path) -> None:
    events = stream(seed, 60)
    patterns = {name: q for name, q in PATTERNS.items() if name != "both"}
    write(tmp_path, events)
    rows = truth(spark, pipeline(tmp_path, patterns)).collect()
    for name, query in patterns.items():
        find = all_matches if name == "every" else maximal_matches
        expected = {
            tuple((variable, tuple(identity[2] for identity in group)) for variable, group in match)
            for match in find(parse(query), events, select="stnm")
        }
        found = {
            tuple(sorted((variable, tuple(ids)) for variable, ids in row.events.items() if ids))
            for row in rows
            if row.pattern == name
        }
        assert found == expected, name


def test_matches_that_are_not_looked_for_are_told(spark: Any, tmp_path: Path) -> None:
    write(tmp_path, stream(6, 300))
    MORE["many"] = {"results": {"type": "corrected", "max_per_end": 1}}
    file = pipeline(tmp_path, {"many": "PATTERN SEQ(A a, B b, C c) WITHIN 1 hour"})
    with pytest.raises(Exception, match="max_per_end") as caught:
        truth(spark, file).collect()
    assert reason(caught.value).startswith("pattern 'many' has more matches than are looked for")


def test_a_source_without_a_recording_is_told(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"there is no file of source 'one' \(one/\*\.jsonl\)"):
        truth(spark, pipeline(tmp_path))


def test_a_source_that_takes_back_what_it_told_is_refused(spark: Any, tmp_path: Path) -> None:
    file = pipeline(tmp_path)
    document = json.loads(file.read_text())
    document["sources"]["one"]["revise"] = {}
    file.write_text(json.dumps(document))
    with pytest.raises(ConfigurationError, match="source 'one' revises events"):
        truth(spark, file)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("id string, type string", "no column 't_gen'"),
        ("id string, type string, t_gen string", "'t_gen' has no whole microseconds"),
        ("id string, type string, t_gen long, at date", "'at' is date"),
    ],
)
def test_a_table_without_events_is_told(schema: str, said: str, spark: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=said):
        truth(spark, pipeline(tmp_path), spark.createDataFrame([], schema))
