"""`limecep data` as a command: its jobs one after the other, and how it fails."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep_expand.folding import live

ROOT = Path(__file__).parents[3]
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", (ROOT / "docs/data.md").read_text(), re.DOTALL)


def job(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    """What a job says."""
    assert cli.main(["data", *map(str, arguments)]) == Exit.FINE
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_the_page_shows_what_happens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, text in BLOCKS:
        if kind == "yaml":
            Path(text.split()[1]).write_text(text)
        for entry in text.split("$ limecep ")[1:] if kind == "console" else ():
            command, _, output = entry.partition("\n")
            assert cli.main(shlex.split(command)) == Exit.FINE
            # How many seconds of processor time something took stands last.
            found, shown = (
                re.sub(r" +\d+\.\d\d$", "", t, flags=re.M) for t in (capsys.readouterr().out, output)
            )
            assert found == shown, command
    lines = {name: Path(name).read_text().splitlines() for name in ("came.jsonl", "truth.jsonl", "out.jsonl")}
    came, found = (text.splitlines() for kind, text in BLOCKS if kind == "json")
    assert came == lines["came.jsonl"][: len(came)]
    # One key comes after another, in an order of Spark's.
    assert set(found) <= set(lines["truth.jsonl"])

    # What stands at the end of a run is what there is to be found in what arrived.
    standing = live([line.encode() for line in lines["out.jsonl"]], "log")
    rows = [json.loads(line) for line in lines["truth.jsonl"]]
    for pattern in ("fire", "cold"):
        contents = sorted(m.record["content"] for m in standing[pattern])
        assert contents == sorted(r["content"] for r in rows if r["pattern"] == pattern) != []
    # In the stream as it was made is all that was planted, and no other fire.
    from pyspark.sql import SparkSession

    spark = SparkSession.getActiveSession()
    assert spark is not None
    planted, whole = (spark.read.parquet(str(tmp_path / f"{n}.parquet")) for n in ("made-planted", "whole"))
    fires = [[i for ids in r.events.values() for i in ids] for r in whole.where("pattern = 'fire'").collect()]
    assert sorted(fires) == sorted(row.events for row in planted.collect())
    assert len(fires) == 12


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
        (
            ["generate", "--spec", "s.yaml", "--rate", "5", "--into", "s.csv"],
            "--rate does not go with --spec",
        ),
        (
            ["disorder", "--spec", "s.yaml", "--delay", "5s", "--from", "a.csv", "--into", "b.csv"],
            "--delay does not go with --spec",
        ),
        (["disorder", "--late", "lots", "--from", "a.csv", "--into", "b.csv"], "must be a percentage"),
        (["truth", str(ROOT / "examples/stocks/stocks.yaml"), "--into", "t.csv"], "CSV cannot hold"),
        (["truth", "no.yaml", "--into", "t.parquet"], "no.yaml: error: cannot be read: No such file"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_told_before_spark_starts(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyspark")
    assert cli.main(["data", *arguments]) == Exit.REFUSED
    assert said in capsys.readouterr().err


@pytest.mark.spark
def test_a_job_that_is_ended_leaves_nothing(tmp_path: Path, java: dict[str, str]) -> None:
    settings = [word for name, value in java.items() for word in ("--conf", f"{name}={value}")]
    command = [
        "generate",
        "--events",
        "1000000000",
        "--into",
        str(tmp_path / "s.csv"),
        "--master",
        "local[1]",
    ]
    job = subprocess.Popen(
        [sys.executable, "-m", "limecep", "data", *command, *settings], stderr=subprocess.PIPE, text=True
    )
    try:
        # What is written has a folder of its own meanwhile.
        deadline = time.monotonic() + 120
        while not list(tmp_path.glob(".s.csv-*/*")) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert list(tmp_path.iterdir())
        job.terminate()
        _, said = job.communicate(timeout=60)
    finally:
        job.kill()
    assert (job.returncode, said) == (Exit.INTERRUPTED, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        (("--seed", str(2**63)), "is not a whole number of 64 bits"),
        (("--seed", "x"), "is not a whole number of 64 bits"),
        (("--types", "A,,B"), "has a type without a name"),
    ],
)
def test_arguments_that_mean_nothing_are_told(
    argument: tuple[str, str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["data", "generate", "--into", "s.csv", *argument])
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
