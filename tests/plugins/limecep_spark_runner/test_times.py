"""Times by the order of the input, keys and attributes: on Spark as in one process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep.errors import RunFailure
from limecep_spark_runner import detect

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

pytestmark = pytest.mark.spark

PIPELINE = """\
version: 1
name: nights
sources:
  meters:
    {type: file, channel: "*.csv", as: M, key: d, time: {field: t, zone: Europe/Sofia, fold: order}, rank: 3}
patterns:
  silent: {query: "PATTERN SEQ(M a, !M b) WITHIN 15 minutes PARTITION BY d", lateness: accept}
sinks:
  out: {type: file, path: out}
"""
RUNNER = ("--runner", "spark", "--master", "local[2]", "--checkpoint", "checkpoint", "--partitions", "2")


def run(folder: Path, *arguments: str) -> Any:
    report = folder / "report.json"
    code = cli.main(["run", str(folder / "p.yaml"), "--quiet", "--report", str(report), *arguments])
    assert code == Exit.FINE
    return json.loads(report.read_text())["sources"]["meters"]


def found(*files: Path) -> list[Any]:
    records = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return sorted(json.dumps([r["content"], r["key"], r["start"], r["events"]]) for r in records)


@pytest.mark.usefixtures("spark")
def test_a_night_in_which_clocks_go_back_is_that_of_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stamps = [f"0{h}:{m}0" for h in (3, 3, 4) for m in range(6)]
    for device in ("1", "1.0", "b"):
        rows = [f"2019-10-27T{stamp},{device},{n}" for n, stamp in enumerate(stamps)]
        (tmp_path / f"{device}.csv").write_text("\n".join(["t,d,v", *rows]) + "\n")
    (tmp_path / "p.yaml").write_text(PIPELINE)
    alone = run(tmp_path, "--set", "sinks.out.path=local.jsonl")
    spread = run(tmp_path, *RUNNER)
    assert found(*(tmp_path / "out").glob("part-*")) == found(tmp_path / "local.jsonl")
    assert len(found(tmp_path / "local.jsonl")) == 2
    assert alone["ambiguous_times"] == spread["ambiguous_times"] == 36


@pytest.mark.parametrize("time", [{"zone": "UTC", "fold": "order"}, {"format": "%b %d %z", "year": 2026}])
def test_rows_have_no_order_to_read_times_by(time: dict[str, Any], spark: Any) -> None:
    source = {"type": "spark", "channel": "rows", "as": "M", "time": {"field": "t", **time}, "id": "i"}
    pipeline = {
        "version": 1, "sources": {"s": source}, "patterns": {"p": {"query": "PATTERN SEQ(M a) WITHIN 1 s"}}
    }  # fmt: skip
    rows = spark.createDataFrame([("2026-01-05", "1")], "t STRING, i STRING")
    with pytest.raises(RunFailure, match="goes by the order of the input, which rows do not have: write"):
        detect(rows, pipeline)
