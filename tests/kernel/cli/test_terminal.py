"""`limecep run` at a terminal, and away from one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Terminal

PIPELINE = """\
version: 1
name: kitchen
sources:
  all: {type: file, channel: events.jsonl, as: {field: type}, time: {field: t, format: epoch_s}, id: id}
patterns:
  fire:
    query: PATTERN SEQ(Gas a, Temperature+ b[], Smoke c) WHERE b[i+1].v > b[i].v WITHIN 30 s PARTITION BY room
sinks:
  out: {type: stdout}
  late: {type: file, path: late.jsonl, of: late}
"""
EVENTS = [
    {"type": "Gas", "id": "g1", "t": 3, "room": "k1"},
    {"type": "Temperature", "id": "t1", "t": 5, "room": "k1", "v": 24.1},
    {"type": "Temperature", "id": "t2", "t": 10, "room": "k1", "v": 27},
    {"type": "Smoke", "id": "s1", "t": 21.4, "room": "k1"},
    {"type": "Smoke", "id": "s1", "t": 21.4, "room": "k1"},
    {"type": "Door", "id": "d1", "t": 22},
    {"type": "Smoke", "id": "s2"},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.yaml").write_text(PIPELINE)
    (tmp_path / "events.jsonl").write_text("".join(f"{json.dumps(e)}\n" for e in EVENTS))
    return tmp_path


def visible(written: str) -> list[str]:
    """The lines that are still there at the end."""
    return [line.rpartition("\r\x1b[K")[2] for line in written.removesuffix("\n").split("\n")]


ROW = "\\+ emit     1970-01-01 00:00:21.4Z  fire  k1  [0-9a-f]{6}  18.4s  \\+0s  b.v 24.1 27"


def test_matches_are_rows_and_the_end_accounts_for_every_event(terminal: Terminal, folder: Path) -> None:
    code, written = terminal("run", "p.yaml", "--no-color", cwd=folder)
    assert code == 0
    lines = visible(written)
    assert [line for line in lines if re.fullmatch(ROW, line)]
    end = lines.index("events    7 read = 4 in order + 1 duplicate + 1 irrelevant + 1 invalid")
    assert lines[end + 1] == (
        "late      1 invalid, source all: the first at "
        "events.jsonl:7: no time: 't' is missing; it has 'type', 'id'"
    )
    assert lines[end + 2] == "          all are in late.jsonl"
    assert lines[end + 3].startswith("matches   fire  1 emitted, 0 corrected, 0 retracted, 1 live")
    assert re.fullmatch(r"run       \d+\.\d\d s, [\d,]+ events/s, peak memory \d+ MiB", lines[end + 4])


def test_a_bar_stands_below_and_is_gone_at_the_end(terminal: Terminal, folder: Path) -> None:
    _, written = terminal("run", "p.yaml", "--no-color", cwd=folder)
    assert "\r\x1b[K[........................]   0%  0 events" in written
    assert not [line for line in visible(written) if "[...." in line]


def test_ops_are_coloured_unless_somebody_objects(terminal: Terminal, folder: Path) -> None:
    coloured = "\x1b[32m+ emit\x1b[0m  "
    assert coloured in terminal("run", "p.yaml", cwd=folder)[1]
    assert coloured not in terminal("run", "p.yaml", "--no-color", cwd=folder)[1]
    plain = terminal("run", "p.yaml", cwd=folder, environment={"NO_COLOR": "1"})[1]
    assert "\x1b[3" not in plain
    assert "\x1b" not in terminal("run", "p.yaml", cwd=folder, environment={"TERM": "dumb"})[1]


def test_rows_fit_the_terminal(terminal: Terminal, folder: Path) -> None:
    _, written = terminal("run", "p.yaml", "--no-color", cwd=folder, columns=72)
    lines = visible(written)
    (row,) = (n for n, line in enumerate(lines) if line.startswith("+ emit"))
    assert len(lines[row]) <= 72
    assert lines[row + 1] == "           b.v 24.1 27"


def test_quiet_leaves_the_rows(terminal: Terminal, folder: Path) -> None:
    _, written = terminal("run", "p.yaml", "--no-color", "--quiet", cwd=folder)
    (row,) = visible(written)
    assert re.fullmatch(ROW, row)


def test_json_can_be_had_at_a_terminal(terminal: Terminal, folder: Path) -> None:
    _, written = terminal(
        "run", "p.yaml", "--quiet", "--set", "sinks.out.format=json", cwd=folder, columns=40
    )
    (line,) = visible(written)
    assert json.loads(line)["op"] == "emit"


@pytest.mark.parametrize(("format", "rows"), [("auto", False), ("json", False), ("rows", True)])
def test_away_from_a_terminal_there_are_json_lines_unless_rows_are_asked_for(
    folder: Path, format: str, rows: bool
) -> None:
    command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--set", f"sinks.out.format={format}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    (line,) = done.stdout.splitlines()
    assert bool(re.fullmatch(ROW, line)) is rows
    assert line.startswith('{"op":"emit"') is not rows
    for said in done.stderr.splitlines():
        assert json.loads(said)["event"]
