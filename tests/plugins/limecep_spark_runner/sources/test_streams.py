"""Sources of type `spark` on the runner `spark`: what the rows say, whatever brings them."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.clock import Stopwatch
from limecep.config.loader import load_dict
from limecep.errors import RunFailure
from limecep.host import Host
from limecep_expand.folding import live
from limecep_spark_runner.config import SparkOptions
from limecep_spark_runner.runner import SparkRunner

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("spark")]

PATIENCE = 120.0
RISE = "PATTERN SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v WITHIN 30 seconds PARTITION BY k"


def rows(count: int) -> list[dict[str, Any]]:
    """Random readings, disordered."""
    chosen = random.Random(3)
    begin = datetime(2026, 1, 5, tzinfo=UTC)
    return [
        {
            "type": chosen.choice("ABC"),
            "id": str(n),
            "t": begin + timedelta(seconds=n // 3 + chosen.choice([0, 0, 4, -9])),
            "k": chosen.choice(["x", "y", "z"]),
            "v": chosen.randrange(5),
        }
        for n in range(count)
    ]


def document(source: Mapping[str, Any]) -> dict[str, Any]:
    common = {"type": "spark", "as": {"field": "type"}, "id": "id", "time": "t"}
    return {
        "version": 1,
        "name": "rows",
        "sources": {"s": {**common, **source}},
        "patterns": {"rise": {"query": RISE, "lateness": "accept"}},
        "sinks": {"out": {"type": "file", "path": "out", "events": "ids"}},
    }


def run(
    folder: Path,
    source: Mapping[str, Any],
    stop: Callable[[SparkRunner], bool] = lambda runner: False,
    **options: Any,
) -> tuple[list[str], Any]:
    """What is live at the end of a run on Spark, and its report."""
    registry = Host.load().registry
    loaded = load_dict(document(source), registry, root=folder)
    assert loaded.config is not None, loaded.problems
    runner = SparkRunner(loaded.config, registry, SparkOptions(checkpoint="checkpoint", **options))
    try:
        runner.run(lambda: stop(runner))
    finally:
        runner.close()
    lines = [
        line for part in sorted((folder / "out").glob("part-*")) for line in part.read_bytes().splitlines()
    ]
    found = live(lines, "log").get("rise", [])
    return sorted(m.record["content"] for m in found), runner.report()


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_files_of_rows_are_read_to_their_end(kind: str, tmp_path: Path, spark: Any) -> None:
    made = rows(400)
    frame = spark.createDataFrame(made).repartition(3)
    frame.write.options(header=True).format(kind).save(str(tmp_path / "lake"))
    source = {
        "format": kind,
        "channel": "lake",
        "options": {"header": True},
        "select": "SELECT * FROM input ORDER BY t",
    }
    found, report = run(tmp_path, source, files_per_batch=2)
    assert report["spark"]["read"] == {"s": {"rows": len(made)}}
    local = document(source)
    local["sinks"]["out"]["path"] = "local.jsonl"
    pipeline = Pipeline.from_dict(local, root=tmp_path)
    pipeline.run()
    pipeline.close()
    right = live((tmp_path / "local.jsonl").read_bytes().splitlines(), "log")["rise"]
    assert found == sorted(m.record["content"] for m in right) != []


def test_a_limit_is_not_left_out_with_the_order_it_belongs_to(tmp_path: Path, spark: Any) -> None:
    spark.createDataFrame(rows(5)).write.parquet(str(tmp_path / "lake"))
    source = {"format": "parquet", "channel": "lake", "select": "SELECT * FROM input ORDER BY t LIMIT 2"}
    with pytest.raises(RunFailure, match=r"[Ss]ort.* not supported"):
        run(tmp_path, source)


def test_a_stream_is_read_until_the_run_is_stopped(tmp_path: Path) -> None:
    kinds = "element_at(array('A', 'B', 'C'), CAST(value % 3 AS INT) + 1) AS type"
    source = {
        "format": "rate",
        "channel": "rate",
        "stream": True,
        "options": {"rowsPerSecond": 30},
        "select": f"{kinds}, CAST(value AS STRING) AS id, timestamp AS t, 'x' AS k, value AS v",
    }
    watch = Stopwatch()

    def stop(runner: SparkRunner) -> bool:
        assert watch.seconds < PATIENCE
        return bool(runner.report()["patterns"]["rise"]["emitted"] >= 10)

    found, report = run(tmp_path, source, stop, trigger="500ms")
    assert len(found) == report["patterns"]["rise"]["live"] >= 10
    told = json.loads((tmp_path / "checkpoint/pipeline.json").read_text())
    assert told["sources"] == [["s", "rate"]]


def test_rows_of_a_stream_revise_one_another_in_their_order(tmp_path: Path) -> None:
    said = [("A", "1", 0, 1), ("B", "2", 9, 0), ("C", "3", 8, 0), ("B", "2", 90, 5), ("B", "2", 3, 5)]
    lines = [json.dumps({"type": e, "id": i, "t": t, "k": "x", "v": v}) for e, i, t, v in said]
    (tmp_path / "lake").mkdir()
    (tmp_path / "lake/lines.txt").write_text("\n".join(lines))
    source = {"format": "text", "channel": "lake", "stream": True, "message": "value"}
    source |= {"id": ["k", "id"], "time": {"field": "t", "format": "epoch_s"}, "revise": {}}
    found, report = run(tmp_path, source, trigger="available")
    assert len(found) == 1
    assert report["sources"]["s"] == {"read": 5, "revised": 2, "in_order": 2, "out_of_order": 1}
    told = json.loads((tmp_path / "checkpoint/pipeline.json").read_text())
    assert told["sources"] == [["s", "lake", "k", "id"]]
