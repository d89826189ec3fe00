"""`limecep data evaluate`: what it prints and writes, and what it says of wrong arguments."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from limecep import cli
from limecep.cli.exits import Exit

PIPELINE = """\
version: 1
name: pairs
sources:
  log: {type: file, channel: log.jsonl, as: {field: type}, id: id, time: {field: t, format: epoch_s}}
patterns:
  pair: {query: "PATTERN SEQ(A a, !C c, B b) WITHIN 10 s", lateness: accept, slack: none}
"""
#: In order the pairs are a1 b2 and a5 b7. The C between a3 and b4 comes late.
EVENTS = "a1 b2 a3 b4 c3.5 a5 b7"


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.yaml").write_text(PIPELINE)
    lines = [{"type": w[0].upper(), "id": w, "t": float(w[1:])} for w in EVENTS.split()]
    Path("log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return tmp_path


def run(*arguments: str) -> None:
    assert cli.main(["run", "p.yaml", "--quiet", *arguments]) == Exit.FINE


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_runs_are_held_against_the_truth_that_the_command_finds(
    there: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for results in ("corrected", "uncorrected"):
        overrides = [
            f"patterns.pair.results={results}",
            f"sinks={{o: {{type: file, path: {results}.jsonl}}}}",
        ]
        run(*(a for o in overrides for a in ("--set", o)))
    assert cli.main(["data", "truth", "p.yaml", "--into", str(there / "truth.parquet")]) == Exit.FINE
    capsys.readouterr()
    runs = ["with=corrected.jsonl", "uncorrected.jsonl"]
    outputs = ["--into", str(there / "figures.csv"), "--plot", "figures.png"]
    assert cli.main(["data", "evaluate", *runs, "--truth", "truth.parquet", *outputs]) == Exit.FINE
    said = capsys.readouterr()
    live, ever, _ = said.out.split("\n\n")
    assert "note" not in said.err
    assert [line.split() for line in live.splitlines()[2:]] == [
        ["with", "pair", "2", "2", "0", "0", "1", "1"],
        ["uncorrected", "pair", "2", "2", "1", "0", "0.6667", "1"],
    ]
    assert [line.split() for line in ever.splitlines()[2:]] == [
        ["with", "pair", "2", "2", "1", "0", "0.6667", "1"],
        ["uncorrected", "pair", "2", "2", "1", "0", "0.6667", "1"],
    ]
    with Path("figures.csv").open() as file:
        assert [(r["run"], r["fp"], r["retracted"]) for r in csv.DictReader(file)] == [
            ("with", "0", "1"),
            ("uncorrected", "1", "0"),
        ]
    assert Path("figures.png").exists()


@pytest.mark.spark
@pytest.mark.usefixtures("spark", "there")
def test_runs_of_sources_that_are_called_otherwise_are_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    run("--set", "sinks={o: {type: file, path: one.jsonl}}")
    Path("p.yaml").write_text(PIPELINE.replace("  log:", "  other:"))
    run("--set", "sinks={o: {type: file, path: other.jsonl}}")
    assert cli.main(["data", "evaluate", "one.jsonl", "--truth", "other.jsonl"]) == Exit.FINE
    assert "note: no match of any run is one of the truth" in capsys.readouterr().err


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["log.jsonl", "folder/log.jsonl"], "two runs are called 'log': give each a name, as NAME=PATH"),
        (["a=1", "a=2"], "two runs are called 'a'"),
        (["a=log.jsonl", "--into", "figures"], "does not say what its format is"),
        (["a=log.jsonl", "--into", "log.jsonl"], "log.jsonl is there already"),
        (["a=log.jsonl", "--plot", "figures.gif"], "figures.gif: in which format?"),
    ],
)
def test_what_is_wrong_with_arguments_is_told_before_spark_is_started(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["data", "evaluate", *arguments, "--truth", "truth.jsonl"]) in (Exit.FAILED, Exit.REFUSED)
    assert said in capsys.readouterr().err
