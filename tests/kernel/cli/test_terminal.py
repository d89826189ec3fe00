"""Whether a terminal was closed is seen at a real one."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from pathlib import Path

PIPELINE = """
version: 1
name: t
sources: {s: {type: file, follow: true, channel: e.jsonl, as: A, time: t}}
patterns: {p: {query: "PATTERN SEQ(A a) WITHIN 1 second"}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.yaml").write_text(PIPELINE)
    (tmp_path / "e.jsonl").write_text('{"t": "2026-01-05T10:00:00Z"}\n')
    return tmp_path


def begun(folder: Path) -> bool:
    log = folder / "log"
    return log.exists() and "no state is kept" in log.read_text()


def command(folder: Path) -> list[str]:
    return [sys.executable, "-m", "limecep", "run", str(folder / "p.yaml")]


def until(what: object) -> None:
    watch = Stopwatch()
    while not what():  # type: ignore[operator]
        assert watch.seconds < 20
        time.sleep(0.02)


def test_a_run_ends_in_order_when_its_terminal_is_closed(folder: Path) -> None:
    pid, master = pty.fork()
    if pid == 0:
        # Under nohup it would outlive its terminal.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT)
        os.dup2(log, 2)
        os.execv(sys.executable, command(folder))
    until(lambda: begun(folder))
    os.kill(pid, signal.SIGHUP)
    time.sleep(0.3)
    assert os.waitpid(pid, os.WNOHANG) == (0, 0)
    os.close(master)
    until(lambda: "run finished" in (folder / "log").read_text())
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_a_service_goes_on_when_it_is_told_to_look_at_its_files(folder: Path) -> None:
    with (folder / "log").open("wb") as log:
        run = subprocess.Popen(command(folder), stderr=log, start_new_session=True)
    until(lambda: begun(folder))
    run.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        run.wait(0.5)
    run.terminate()
    assert run.wait(10) == 0
