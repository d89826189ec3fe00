"""`limecep compare`, by the command."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

OLD = """\
version: 1
name: hall
params: {limit: 5}
sources: {log: {type: file, channel: log.jsonl, as: {field: type}, id: id, time: {field: t, format: epoch_s}}}
patterns:
  hot: {query: "PATTERN SEQ(A a, B+ b[]) WHERE a.v > $limit WITHIN 10 s RETURN count(b) AS n"}
  calm: {query: "PATTERN SEQ(C c) WITHIN 1 s"}
state: {dir: state}
"""
#: One after the other, the last one late.
LOG = (("A", 1, 6), ("B", 2, 0), ("A", 20, 9), ("B", 21, 0), ("B", 22, 0), ("C", 40, 0), ("B", 23, 0))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"type": k, "id": f"{k.lower()}{t}", "t": t, "v": v}) for k, t, v in LOG]
    (tmp_path / "log.jsonl").write_text("\n".join([*lines, "no json"]) + "\n")
    (tmp_path / "old.yaml").write_text(OLD)
    return tmp_path


def compared(folder: Path, capsys: pytest.CaptureFixture[str], new: str, *more: str) -> tuple[int, str]:
    (folder / "new.yaml").write_text(new)
    code = cli.main(["compare", "old.yaml", "new.yaml", *more])
    return code, capsys.readouterr().out


def test_what_is_the_same_is_told_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = compared(folder, capsys, OLD)
    assert code == Exit.FINE
    assert said.splitlines() == [
        "hot: 2 matches, as before",
        "calm: 1 match, as before",
        "read: 7 events, and 1 record that gave none",
    ]
    assert not (folder / "state").exists()


def test_matches_that_come_go_and_change_are_told_by_pattern(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = (
        OLD.replace("limit: 5", "limit: 8").replace("WITHIN 10 s", "WITHIN 2 s").replace("  calm:", "  cool:")
    )
    code, said = compared(folder, capsys, new)
    assert code == Exit.FOUND_PROBLEMS
    assert re.sub("  [0-9a-f]{24}", "", said).splitlines() == [
        "hot: 1 match, 2 before: 1 goes, 1 changes",
        "  - 1970-01-01T00:00:01Z to 1970-01-01T00:00:02Z  a a1 b b2  n=1",
        "  < 1970-01-01T00:00:20Z to 1970-01-01T00:00:23Z  a a20 b b21,b22,b23  n=3",
        "  > 1970-01-01T00:00:20Z to 1970-01-01T00:00:22Z  a a20 b b21,b22  n=2",
        "cool, which is new: 1 match, 0 before: 1 comes",
        "  + 1970-01-01T00:00:40Z to 1970-01-01T00:00:40Z  c c40",
        "calm, which is gone: 0 matches, 1 before: 1 goes",
        "  - 1970-01-01T00:00:40Z to 1970-01-01T00:00:40Z  c c40",
        "read: 7 events, and 1 record that gave none",
    ]


def test_programs_are_told_the_same_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = OLD.replace("count(b) AS n", "count(b) + 1 AS n")
    code, said = compared(folder, capsys, new, "--format", "json", "--limit", "1")
    assert code == Exit.FOUND_PROBLEMS
    told = json.loads(said)
    assert told["read"] == [{"events": 7, "invalid": 1}] * 2
    hot, calm = told["patterns"]
    assert (hot["counts"], hot["matches"]) == (
        {"come": 0, "gone": 0, "changed": 2},
        {"before": 2, "after": 2},
    )
    ((pair),) = hot["changed"]
    assert (pair["before"]["values"], pair["after"]["values"]) == ({"n": 1}, {"n": 2})
    assert calm["counts"] == {"come": 0, "gone": 0, "changed": 0}


def test_more_than_is_shown_is_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, said = compared(folder, capsys, OLD.replace("limit: 5", "limit: 10"), "--limit", "1")
    assert said.splitlines()[0] == "hot: 0 matches, 2 before: 2 go"
    assert said.splitlines()[2] == "    and 1 more"


def test_a_source_that_never_ends_needs_a_recording(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = OLD.replace("channel: log.jsonl", "channel: log.jsonl, follow: true")
    (folder / "new.yaml").write_text(new)
    assert cli.main(["compare", "old.yaml", "new.yaml"]) == Exit.REFUSED
    assert "give a recording for each, with --data SOURCE=FILE" in capsys.readouterr().err
    assert cli.main(["compare", "old.yaml", "new.yaml", "--data", "log.jsonl"]) == Exit.FINE


def test_a_file_with_errors_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new.yaml").write_text(OLD.replace("SEQ(C c)", "SEQ(C c"))
    assert cli.main(["compare", "old.yaml", "new.yaml"]) == Exit.REFUSED
    assert "new.yaml" in capsys.readouterr().err
