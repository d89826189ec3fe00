"""`limecep run --verify` on a CSV of a user: what it says, and how it ends."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

ENGINE = """
from limecep import component
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine


@component("engine", name="lossy", options=MaximalOptions)
class Lossy:
    "Loses each match whose end event has an odd number."

    results = "maximal"

    def __init__(self, *made):
        self.sound = MaximalEngine(*made)

    def matches(self, end, view):
        return () if int(end.id) % 2 else self.sound.matches(end, view)

    def count(self, end, view):
        return None
"""
PIPELINE = """
version: 1
plugins: [./lossy.py]
sources:
  s: {type: file, channel: log.csv, as: {field: kind}, id: n, time: {field: t, format: epoch_s}}
patterns:
  p: {query: "PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s", engine: ENGINE}
sinks: {out: {type: file, channel: out.jsonl}}
"""


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs it with an engine; gives the exit code, the log and the report."""
    rows = [f"{n},{'ABBC'[n % 4]},{n // 4 * 20 + n % 4}" for n in range(1, 41)]
    (tmp_path / "log.csv").write_text("\n".join(["n,kind,t", *rows]) + "\n")
    (tmp_path / "lossy.py").write_text(ENGINE)

    def ran(engine: str, *arguments: str) -> tuple[int, list[dict[str, Any]], dict[str, Any]]:
        (tmp_path / "p.yaml").write_text(PIPELINE.replace("ENGINE", engine))
        report = tmp_path / "report.json"
        code = cli.main(["run", str(tmp_path / "p.yaml"), "--report", str(report), *arguments])
        log = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
        return code, log, json.loads(report.read_text())

    return ran


def test_an_engine_that_loses_a_match_is_caught_with_the_events(run: Any) -> None:
    code, log, report = run("lossy", "--verify", "5", "--quiet")
    assert code == Exit.FOUND_PROBLEMS
    of = report["verified"]["p"]
    assert (of["windows"], of["matches"], len(of["differences"])) == (5, 5, 5)
    told = [r for r in log if r["event"] == "engine and oracle differ"]
    assert told
    assert [e["type"] for e in told[0]["events"]] == ["A", "B", "B", "C"]
    assert (told[0]["engine"], len(told[0]["oracle"])) == ([], 1)


def test_a_sound_engine_passes(run: Any) -> None:
    code, log, report = run("maximal", "--verify")
    assert code == Exit.FINE
    [record] = [r for r in log if r["event"] == "pattern verified"]
    assert (record["level"], record["windows"], record["differences"]) == ("info", 9, 0)
    assert report["verified"]["p"]["differences"] == []


def test_without_the_flag_nothing_is_verified(run: Any) -> None:
    code, _, report = run("lossy")
    assert (code, "verified" in report) == (Exit.FINE, False)


def test_a_terminal_is_told_in_lines_that_a_program_can_feed_again(
    run: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    read, said = capsys.readouterr, []
    monkeypatch.setattr(capsys, "readouterr", lambda: said.append(read()) or said[-1])
    code, events, _ = run("lossy", "--verify", "1")
    assert code == Exit.FOUND_PROBLEMS
    assert [e["type"] for e in events] == ["A", "B", "B", "C"]
    lines = said[-1].err.splitlines()
    assert "limecep: pattern 'p': engine and oracle differ about the matches that end with C " in said[-1].err
    assert "  engine: none" in lines
    assert "verified  p  1 windows with 1 matches, 0 without any, 1 differ" in lines


@pytest.mark.parametrize(
    ("arguments", "said"), [(["p.yaml", "--verify", "0"], "above 0"), (["--verify", "p.yaml"], "FILE goes")]
)
def test_a_number_of_windows_is_at_least_1(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["run", *arguments])
    assert ended.value.code == Exit.USAGE
    assert said in capsys.readouterr().err


def test_with_workers_it_is_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lossy.py").write_text(ENGINE)
    (tmp_path / "log.csv").write_text("n,kind,t\n")
    by_key = PIPELINE.replace("ENGINE", "maximal").replace('WITHIN 10 s"', 'WITHIN 10 s PARTITION BY k"')
    (tmp_path / "p.yaml").write_text(by_key)
    assert cli.main(["run", "p.yaml", "--verify", "--workers", "2"]) == Exit.REFUSED
    assert "--verify needs the events in this process" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()
