"""`limecep data` as a command: its jobs one after the other, and how it fails."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep.output.folding import live

if TYPE_CHECKING:
    from pathlib import Path

STREAM = """\
events: 6000
sources:
  gas: {rate: 20, types: {GasLeak: 1}}
  house: {rate: 80, types: {Temperature: 9, Smoke: 1}}
key: {room: {zipf: 40, prefix: k}}
types:
  GasLeak: {percentage: {uniform: [0, 45], digits: 1}}
  Temperature: {celsius: {normal: [20, 5], digits: 1}}
planted:
  every: 500
  gap: 20
  matches:
    fire:
      - {type: GasLeak, payload: {percentage: 60}}
      - {type: Temperature, payload: {celsius: 70}}
      - {type: Smoke, payload: {density: 2}}
"""
DELIVERIES = """\
default: {late: 30%, delay: {exponential: 2s}, duplicates: 2%}
sources:
  gas: {late: 10%, delay: {uniform: [0s, 1s]}, outage: {every: 20s, lasts: 3s}, lost: 1%}
"""
PIPELINE = """\
version: 1
name: house
sources:
  all:
    type: file
    channel: came.jsonl
    as: {field: type}
    id: id
    time: {field: t_gen, format: epoch_us}
    arrival: {field: t_arr, format: epoch_us}
patterns:
  fire:
    query: |
      PATTERN SEQ(GasLeak a, Temperature+ b[], Smoke c)
      WHERE a.percentage > 50 AND b[i].celsius > 60 AND c.density > 1
      WITHIN 2 seconds PARTITION BY room
    lateness: accept
  cold: {query: "PATTERN SEQ(Smoke a, !Temperature b) WITHIN 40 ms", lateness: accept}
sinks: {out: {type: file, path: out.jsonl, events: ids}}
"""


def job(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    """What a job says."""
    assert cli.main(["data", *map(str, arguments)]) == Exit.FINE
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_a_stream_is_made_disordered_run_and_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("stream", STREAM), ("ways", DELIVERIES), ("house", PIPELINE)):
        (tmp_path / f"{name}.yaml").write_text(text)
    said = job(capsys, "generate", "--spec", "stream.yaml", "--into", "made.parquet", "--seed", 5)
    assert said == {"events": 6000, "into": "made.parquet", "planted": "made-planted.parquet"}
    said = job(capsys, "disorder", "--spec", "ways.yaml", "--from", "made.parquet", "--into", "came.jsonl")
    assert said["events"] == 6000
    assert min(said["late"], said["outage"], said["copies"], said["lost"]) > 0
    assert len((tmp_path / "came.jsonl").read_text().splitlines()) == 6000 - said["lost"] + said["copies"]

    # What stands at the end of a run is what there is to be found in what arrived.
    found = job(capsys, "truth", "house.yaml", "--into", "truth.jsonl")
    assert cli.main(["run", "house.yaml", "--quiet", "--report", "report.json"]) == Exit.FINE
    report = json.loads((tmp_path / "report.json").read_text())["events"]
    assert report["duplicate"] == said["copies"]
    assert report["out_of_order"] > 1000
    standing = live((tmp_path / "out.jsonl").read_bytes().splitlines(), "log")
    rows = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert found["matches"] == len(rows)
    for pattern in ("fire", "cold"):
        contents = sorted(m.record["content"] for m in standing[pattern])
        assert contents == sorted(r["content"] for r in rows if r["pattern"] == pattern) != []

    # In the stream as it was made is all that was planted.
    job(capsys, "truth", "house.yaml", "--from", "made.parquet", "--into", "whole.jsonl")
    whole = [json.loads(line) for line in (tmp_path / "whole.jsonl").read_text().splitlines()]
    events = [[i for ids in r["events"].values() for i in ids] for r in whole if r["pattern"] == "fire"]
    from pyspark.sql import SparkSession

    spark = SparkSession.getActiveSession()
    assert spark is not None
    plants = spark.read.parquet(str(tmp_path / "made-planted.parquet")).collect()
    assert len(plants) == 12
    assert sorted(p.events for p in plants) == sorted(events)


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_simple_streams_need_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    into = tmp_path / "s.csv"
    job(
        capsys, "generate", "--events", 300, "--types", "A=3,B", "--rate", 50, "--keys", 4, "--ties", "10%",
        "--into", into,
    )  # fmt: skip
    head, *lines = into.read_text().splitlines()
    assert head == "id,type,source,t_gen,key,value"
    assert len(lines) == 300
    assert {line.split(",")[1] for line in lines} == {"A", "B"}
    assert {line.split(",")[4] for line in lines} == {"k1", "k2", "k3", "k4"}
    said = job(
        capsys, "disorder", "--late", "50%", "--delay", "2s", "--from", into, "--into", tmp_path / "d",
        "--format", "jsonl",
    )  # fmt: skip
    assert said["late"] == pytest.approx(150, rel=0.25)
    assert sum(len(p.read_text().splitlines()) for p in (tmp_path / "d").iterdir()) == 300


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_what_cannot_be_read_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (
        "data",
        "disorder",
        "--preset",
        "full",
        "--from",
        str(tmp_path / "no.csv"),
        "--into",
        "x.csv",
    )
    assert cli.main(arguments) == Exit.FAILED
    assert capsys.readouterr().err == f"limecep: there is no file or folder {tmp_path}/no.csv\n"
    (tmp_path / "no.csv").write_text("t_gen\n5\nsoon\n")
    assert cli.main([*arguments[:-1], str(tmp_path / "x.csv")]) == Exit.FAILED
    assert capsys.readouterr().err == "limecep: Spark could not go on: 't_gen' is not a number of us: soon\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["generate", "--into", "stream"], "the name of 'stream' does not say what its format is"),
        (
            ["generate", "--spec", "no.yaml", "--into", "s.csv"],
            "no.yaml: error: cannot be read: No such file",
        ),
        (["generate", "--ties", "lots", "--into", "s.csv"], "'ties'"),
        (["disorder", "--late", "lots", "--from", "a.csv", "--into", "b.csv"], "must be a percentage"),
        (["truth", "no.yaml", "--into", "t.parquet"], "no.yaml: error: cannot be read: No such file"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_told_before_spark_starts(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyspark")
    assert cli.main(["data", *arguments]) == Exit.REFUSED
    assert said in capsys.readouterr().err


def test_help_imports_no_spark() -> None:
    code = (
        "import sys, limecep.cli as c\n"
        "try: c.main(['data', 'disorder', '--help'])\n"
        "except SystemExit: print(*{m.partition('.')[0] for m in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "--preset" in done.stdout
    assert {"pyspark", "pandas", "pyarrow", "py4j"} & set(done.stdout.splitlines()[-1].split()) == set()
