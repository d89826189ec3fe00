"""Standard output gets JSON lines, and rows where people read them."""

from __future__ import annotations

import io
import os
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING, Literal

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.messages import records
from limecep_file.config import FileSinkOptions, StdoutOptions
from limecep_file.sinks import file_sink
from limecep_file.stdout import StdoutSink

if TYPE_CHECKING:
    from pathlib import Path

(ROW,) = records(1)


class Screen(io.TextIOWrapper):
    """Standard output in memory, of a terminal or not."""

    def __init__(self, terminal: bool, encoding: str = "utf-8") -> None:
        self.raw = io.BytesIO()
        super().__init__(io.BufferedWriter(self.raw), encoding=encoding)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def context(root: Path) -> Context:
    return Context(
        label="sinks.out", clock=ManualClock(), counters=Counter(), logger=structlog.get_logger(), root=root
    )


def sink(root: Path, format: Literal["auto", "json", "rows"] = "auto") -> StdoutSink:
    return StdoutSink("", None, StdoutOptions(format=format), context(root))


@pytest.mark.parametrize("dash", [True, False])
def test_standard_output_gets_json_lines(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], dash: bool
) -> None:
    made = file_sink("-", None, FileSinkOptions(), context(tmp_path)) if dash else sink(tmp_path)
    made.open()
    made.send([{"a": "é"}, {"b": 1}])
    made.close()
    made.close()
    assert capsysbinary.readouterr().out == '{"a":"é"}\n{"b":1}\n'.encode()


@pytest.mark.parametrize(("format", "rows"), [("auto", False), ("json", False), ("rows", True)])
def test_rows_ask_for_all_there_is(
    tmp_path: Path, format: Literal["auto", "json", "rows"], rows: bool
) -> None:
    made = sink(tmp_path, format)
    made.open()
    assert made.for_people is rows
    made.close()


def test_a_closed_pipe_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    into, out = os.pipe()
    os.close(into)
    raw = io.FileIO(out, "wb")
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BufferedWriter(raw)))
    made = sink(tmp_path)
    made.open()
    made.send([{}])
    with pytest.raises(BrokenPipeError):
        made.flush()
    made.close()
    with pytest.raises(BrokenPipeError):
        sys.stdout.close()


def test_at_a_terminal_each_record_is_a_row_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal=True)
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    made = sink(tmp_path)
    made.open()
    assert made.for_people
    made.send([ROW])
    shown = screen.raw.getvalue().decode()
    assert "emit" in shown
    assert re.search(r"\x1b\[\d+m", shown), "in colours"
    assert "{" not in shown
    assert shown.endswith("\n")


def test_at_a_terminal_json_is_not_held_back_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal=True)
    monkeypatch.setattr(sys, "stdout", screen)
    made = sink(tmp_path, "json")
    made.open()
    assert not made.for_people
    made.send([{"a": 1}])
    assert screen.raw.getvalue() == b'{"a":1}\n'


def test_elsewhere_records_are_held_until_they_are_flushed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen(terminal=False)
    monkeypatch.setattr(sys, "stdout", screen)
    made = sink(tmp_path)
    made.open()
    made.send([{"a": 1}])
    assert screen.raw.getvalue() == b""
    made.flush()
    assert screen.raw.getvalue() == b'{"a":1}\n'


def test_rows_have_what_the_encoding_has_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen(terminal=False, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", screen)
    made = sink(tmp_path, "rows")
    made.open()
    made.send([{**ROW, "pattern": "é"}])
    made.close()
    assert b"?" in screen.raw.getvalue()


def test_a_full_disk_ends_the_run_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BufferedWriter(io.FileIO("/dev/full", "w"))))
    made = sink(tmp_path)
    made.open()
    made.send([{}])
    with pytest.raises(RunFailure, match="cannot write standard output: No space left on device"):
        made.flush()
    with pytest.raises(OSError, match="No space"):
        sys.stdout.close()


def test_it_takes_what_is_made_of_matches(tmp_path: Path) -> None:
    assert not StdoutSink.counts_only
    assert sink(tmp_path, "rows").for_people is False, "before it is open"


def test_nothing_is_written_once_it_is_closed(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    made = sink(tmp_path)
    made.open()
    made.close()
    made.send([{"a": 1}])
    made.flush()
    sys.stdout.flush()
    assert capsysbinary.readouterr().out == b""


def test_nothing_is_written_unopened(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    made = sink(tmp_path)
    made.send([{"a": 1}])
    made.close()
    assert capsysbinary.readouterr().out == b""
