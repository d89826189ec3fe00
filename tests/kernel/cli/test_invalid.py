"""A run that could use nothing of a source fails, unless it is told not to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

PIPELINE = """\
version: 1
sources:
  s: {type: file, channel: s.jsonl, as: A, time: {field: t, format: epoch_s}, id: id}
  u: {type: file, channel: u.jsonl, as: B, time: {field: t, format: epoch_s}, id: id}
patterns:
  p: {query: "PATTERN SEQ(A a, B b) WITHIN 10 s"}
sinks:
  out: {type: none}
"""
GOOD, BAD = '{"id": "1", "t": 1}\n', '{"id": "1", "when": 1}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "p.yaml").write_text(PIPELINE)
    (tmp_path / "s.jsonl").write_text(GOOD)
    (tmp_path / "u.jsonl").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(folder: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    code = cli.main(["run", "p.yaml", "--quiet", "--report", "r.json", *arguments])
    return code, json.loads((folder / "r.json").read_text())


def test_all_of_one_source_is_enough(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "u.jsonl").write_text(BAD * 3)
    code, report = ran(folder)
    said = (
        "all 3 records of source 'u' are invalid; the first at u.jsonl:1: no time: 't' is missing; it has "
        "'id', 'when'"
    )
    assert (code, report["failure"]) == (Exit.FAILED, said)
    assert capsys.readouterr().err == f"limecep: {said} (--allow-invalid lets such a run end well)\n"
    # All that could be done was done.
    assert report["sources"]["s"]["read"] == 1


def test_it_can_be_allowed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "u.jsonl").write_text(BAD)
    code, report = ran(folder, "--allow-invalid")
    assert code == Exit.FINE
    assert "failure" not in report
    assert capsys.readouterr().err == ""
    assert report["late"][0]["count"] == 1


def test_some_is_told_and_no_failure(folder: Path) -> None:
    (folder / "u.jsonl").write_text(BAD + GOOD)
    code, report = ran(folder)
    assert code == Exit.FINE
    (entry,) = report["late"]
    assert (entry["reason"], entry["source"], entry["count"]) == ("invalid", "u", 1)
    assert entry["example"]["error"] == "no time: 't' is missing"


def test_nothing_read_is_no_failure(folder: Path) -> None:
    (folder / "u.jsonl").write_text("")
    assert ran(folder)[0] == Exit.FINE


def test_a_run_that_goes_on_from_its_state_is_judged_by_what_it_read_itself(folder: Path) -> None:
    state = ["--set", "state={dir: state}"]
    (folder / "u.jsonl").write_text(BAD)
    assert ran(folder, *state)[0] == Exit.FAILED
    # Nothing came since.
    assert ran(folder, *state)[0] == Exit.FINE
    with (folder / "u.jsonl").open("a") as file:
        file.write(GOOD)
    assert ran(folder, *state)[0] == Exit.FINE
    with (folder / "s.jsonl").open("a") as file:
        file.write(BAD)
    code, report = ran(folder, *state)
    assert code == Exit.FAILED
    assert report["failure"].startswith(
        "the only record of source 's' is invalid; the first at s.jsonl:2: no time"
    )


def test_what_never_ends_is_judged_when_the_run_does(folder: Path) -> None:
    (folder / "u.jsonl").write_text(BAD)
    code, report = ran(folder, "--set", "sources.u.follow=true", "--for", "300ms")
    assert code == Exit.FAILED
    assert report["failure"].startswith("the only record of source 'u' is invalid")
