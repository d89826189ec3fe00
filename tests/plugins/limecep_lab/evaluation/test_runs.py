"""Runs beside the truth: what is right at the end, what was ever emitted, how often it changed, how late."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline
from limecep.encoding import to_json
from limecep.errors import LimecepError
from limecep.model.event import sort_key
from limecep.output.render import Renderer
from limecep_lab import evaluate

if TYPE_CHECKING:
    from limecep.output.record import Record

pytestmark = pytest.mark.spark

REFERENCE = Path(__file__).resolve().parents[5] / "shared" / "data"
STEPS = {"ABC": "A a, B b, C c", "ABpC": "A a, B+ b[], C c", "ApBpC": "A+ a[], B+ b[], C c"}
#: Matches of the reference streams.
FOUND = {
    "stnm": {"ABC": 8, "ABpC": 8, "ApBpC": 6},
    "stam": {"ABC": 15, "ABpC": 10, "ApBpC": 6},
}  # fmt: skip
#: How many wrong ones stay, or were ever emitted, where most events are late.
WRONG = {
    "stnm": {"ABC": 2, "ABpC": 3, "ApBpC": 1},
    "stam": {"ABC": 0, "ABpC": 1, "ApBpC": 1},
}  # fmt: skip


def record(op: str, match: str, revision: int, content: str, second: float, **more: Any) -> Record:
    """A record of a change log. Its match ended at second 1, and was detected at the one given."""
    return {
        "op": op,
        "match": match,
        "revision": revision,
        "content": content,
        "pattern": "p",
        "key": None,
        "end": "2026-01-05T10:00:01Z",
        "detected": f"2026-01-05T10:00:{second:09.6f}Z",
        "latency": 0.25,
        **more,
    }


def match(content: str, **more: Any) -> Record:
    """A match, as it stands by itself."""
    return {"content": content, "pattern": "p", "key": None, "end": "2026-01-05T10:00:01Z", **more}


def written(path: Path, records: list[Record]) -> str:
    path.write_bytes(b"".join(to_json(r) + b"\n" for r in records))
    return str(path)


def evaluated(spark: Any, runs: dict[str, str], truth: Any) -> list[dict[str, Any]]:
    return [row.asDict() for row in evaluate(spark, runs, truth).collect()]


LOG = [
    record("emit", "m1", 1, "a", 3),
    record("correct", "m1", 2, "ab", 4),
    record("final", "m1", 2, "ab", 9),
    record("emit", "m2", 1, "x", 3),
    record("retract", "m2", 2, "x", 5),
    record("emit", "m3", 1, "w", 6, latency=0.75),
]


def test_what_is_live_and_what_was_ever_emitted_are_compared_with_the_truth(
    spark: Any, tmp_path: Path
) -> None:
    truth = written(tmp_path / "truth.jsonl", [match("ab"), match("c")])
    (row,) = evaluated(spark, {"one": written(tmp_path / "log.jsonl", LOG)}, truth)
    assert row == {
        "run": "one", "pattern": "p", "matches": 2,
        "tp": 1, "fp": 1, "fn": 1, "precision": 0.5, "recall": 0.5,
        "ever_tp": 1, "ever_fp": 3, "ever_fn": 1, "ever_precision": 0.25, "ever_recall": 0.5,
        "emitted": 3, "corrected": 1, "retracted": 1, "revisions": 5 / 3, "revisions_max": 2,
        # The match was told at second 4, and ended at second 1.
        "delay_p50": 3.0, "delay_p95": 3.0, "delay_p99": 3.0, "delay_max": 3.0,
        "latency_p50": 0.25, "latency_p95": 0.75, "latency_p99": 0.75, "latency_max": 0.75,
    }  # fmt: skip


def test_the_order_of_the_files_of_a_folder_and_copies_of_records_make_no_difference(
    spark: Any, tmp_path: Path
) -> None:
    truth = written(tmp_path / "truth.jsonl", [match("ab"), match("c")])
    (expected,) = evaluated(spark, {"one": written(tmp_path / "log.jsonl", LOG)}, truth)
    folder = tmp_path / "run"
    folder.mkdir()
    for place, one in enumerate(reversed(LOG)):
        wrapped = {"specversion": "1.0", "id": "1", "data": one} if place % 2 else one
        written(folder / f"part-{place:010d}-00000.jsonl", [wrapped, wrapped])
    written(folder / "_log.jsonl", [match("none of it")])
    (row,) = evaluated(spark, {"one": str(folder)}, truth)
    assert row == expected


def test_a_match_that_is_live_twice_is_wrong_once(spark: Any, tmp_path: Path) -> None:
    log = [record("emit", "m1", 1, "a", 3), record("emit", "m2", 1, "a", 4)]
    truth = written(tmp_path / "truth.jsonl", [match("a")])
    (row,) = evaluated(spark, {"one": written(tmp_path / "log.jsonl", log)}, truth)
    assert (row["tp"], row["fp"], row["fn"]) == (1, 1, 0)
    assert (row["ever_tp"], row["ever_fp"]) == (1, 0)


def test_a_change_log_and_a_table_are_truth_too(spark: Any, tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", LOG)
    (row,) = evaluated(spark, {"one": log}, log)
    assert (row["matches"], row["tp"], row["fp"], row["fn"]) == (2, 2, 0, 0)
    # It was told when it could be told, by itself.
    assert row["delay_max"] == 0
    matches = [match("ab", key="k"), match("w", key="k")]
    frame = spark.createDataFrame(matches, "content string, pattern string, key string, end string")
    frame.write.parquet(str(tmp_path / "truth"))
    for truth in (frame, str(tmp_path / "truth")):
        (row,) = evaluated(spark, {"one": log}, truth)
        assert (row["matches"], row["tp"]) == (2, 2)


def test_a_run_without_a_match_missed_all_and_a_pattern_without_truth_is_wrong(
    spark: Any, tmp_path: Path
) -> None:
    truth = written(tmp_path / "truth.jsonl", [match("a")])
    nothing = written(tmp_path / "nothing.jsonl", [])
    other = written(tmp_path / "other.jsonl", [record("emit", "m", 1, "b", 3, pattern="q")])
    rows = evaluated(spark, {"other": other, "nothing": nothing}, truth)
    assert [(r["run"], r["pattern"], r["tp"], r["fp"], r["fn"]) for r in rows] == [
        ("other", "p", 0, 0, 1),
        ("other", "q", 0, 1, 0),
        ("nothing", "p", 0, 0, 1),
    ]
    assert (rows[2]["precision"], rows[2]["recall"], rows[2]["delay_max"]) == (None, 0, None)
    assert rows[1]["recall"] is None


@pytest.mark.parametrize("line", ["{", "[1]", '{"op":"emit"}', '{"op":"sing","pattern":"p","content":"c"}'])
def test_a_line_that_is_no_update_is_told_with_its_file(spark: Any, tmp_path: Path, line: str) -> None:
    log = tmp_path / "a+log [1].jsonl"
    log.write_text(json.dumps(LOG[0]) + f"\n\n{line}\n")
    with pytest.raises(LimecepError) as told:
        evaluated(spark, {"one": written(tmp_path / "log.jsonl", LOG)}, str(log))
    assert str(told.value) == f"{log}: no update of a change log: {line}"


def test_what_is_not_there_or_no_table_of_matches_is_told(spark: Any, tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", LOG)
    with pytest.raises(LimecepError, match="gone: there is no such file or folder"):
        evaluated(spark, {"one": str(tmp_path / "gone")}, log)
    spark.range(1).write.parquet(str(tmp_path / "ids.parquet"))
    with pytest.raises(LimecepError, match="neither a change log nor matches: it has no column 'pattern'"):
        evaluated(spark, {"one": log}, str(tmp_path / "ids.parquet"))


def run(events: list[Event], select: str, **policies: Any) -> list[Record]:
    """The change log of the three patterns over events that arrive in this order."""
    patterns = {
        name: {"query": f"PATTERN SEQ({steps}) WITHIN 10 s", "select": select, "slack": "none", **policies}
        for name, steps in STEPS.items()
    }
    pipeline = Pipeline.from_dict({"version": 1, "name": "reference", "patterns": patterns})
    updates = [*pipeline.feed(events), *pipeline.finish()]
    return [Renderer("none").render(u) for u in updates]


def reference(name: str) -> list[Event]:
    """A reference stream, in which an event a second arrives."""
    with (REFERENCE / f"minigt-{name}.csv").open() as file:
        return [
            Event(r["type"], r["id"], int(r["time"]) * 1_000_000, n * 1_000_000, "s")
            for n, r in enumerate(csv.DictReader(file))
        ]


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference data is not beside the project")
@pytest.mark.parametrize("select", FOUND)
def test_reference_streams_are_right_with_correction_and_have_wrong_matches_without(
    spark: Any, tmp_path: Path, select: str
) -> None:
    ordered = sorted(reference("inorder"), key=sort_key)
    truth = written(tmp_path / "truth.jsonl", run(ordered, select, lateness="accept"))
    runs = {
        f"{results} {name}": written(
            tmp_path / f"{results}-{name}.jsonl",
            run(reference(name), select, lateness="accept", results=results),
        )
        for results in ("corrected", "uncorrected")
        for name in ("inorder", "partial", "full", "duplicates")
    }
    rows = {(r["run"], r["pattern"]): r for r in evaluated(spark, runs, truth)}
    for pattern, matches in FOUND[select].items():
        for name in ("inorder", "partial", "full", "duplicates"):
            row = rows[f"corrected {name}", pattern]
            assert (row["tp"], row["fp"], row["fn"]) == (matches, 0, 0)
            assert (row["precision"], row["recall"]) == (1, 1)
        for name in ("inorder", "duplicates"):
            row = rows[f"uncorrected {name}", pattern]
            assert (row["ever_tp"], row["ever_fp"], row["revisions"]) == (matches, 0, 1)
        row = rows["uncorrected full", pattern]
        assert (row["tp"], row["fp"], row["fn"]) == (matches, WRONG[select][pattern], 0)
        assert (row["ever_tp"], row["ever_fp"]) == (row["tp"], row["fp"])
        # What is corrected was emitted before.
        assert rows["corrected full", pattern]["ever_fp"] >= WRONG[select][pattern]
