"""Workers are processes of their own: what becomes of a run when one of them, or the run, is ended."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import pause
from limecep.errors import ComponentFailure, RunFailure
from limecep_local.messages import Task, pack
from limecep_local.processes import Process
from tests.plugins.limecep_local.conftest import config_of

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="workers are looked for in /proc"),
]

PIPELINE = """\
version: 1
runner: {type: local, workers: 2}
sources:
  all: {type: file, channel: "-", as: {field: type}, id: id, time: {field: t, format: epoch_s}}
patterns:
  p: {query: "PATTERN SEQ(A a, B b) WITHIN 10 seconds PARTITION BY k", lateness: {type: bound, within: 1m}}
sinks:
  out: {type: stdout, events: ids}
"""
#: Seconds after which a test gives up.
WAIT = 60


def lines(count: int) -> str:
    events = ({"type": "AB"[n % 2], "id": str(n), "t": n, "k": n // 2} for n in range(2 * count))
    return "".join(json.dumps(event) + "\n" for event in events)


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A run that reads standard input."""
    (folder / "p.yaml").write_text(PIPELINE)
    command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--report", "r.json", *arguments]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, cwd=folder, text=True, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    """The processes that a process has started."""
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def gone(pid: int) -> bool:
    """Whether a process ends within a while."""
    for _ in range(100):
        if not Path(f"/proc/{pid}").exists():
            return True
        pause(0.05)
    return False


def begun(process: subprocess.Popen[str], count: int) -> None:
    """Waits until a run has written the matches of its first events."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines(count))
    process.stdin.flush()
    for _ in range(count):
        process.stdout.readline()


def test_a_run_with_workers_counts_and_ends_well(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        out, said = process.communicate(lines(50), timeout=WAIT)
    assert process.returncode == 0, said
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["events"]["read"] == 100
    assert report["sinks"]["out"]["records"] == len(out.splitlines()) == 50
    assert len(report["workers"]) == 2
    assert all(worker["cpu_seconds"] > 0 for worker in report["workers"])


def test_a_worker_that_is_killed_fails_the_run_and_is_named(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        begun(process, 3)
        first, second = workers_of(process)
        subprocess.run(["kill", "-KILL", str(second)], check=True)
        _, said = process.communicate(lines(50), timeout=WAIT)
        assert process.returncode == 3
        assert f"worker 2 of 2 (process {second}) was killed by SIGKILL" in said
        assert gone(first)
    assert "worker 2 of 2" in json.loads((tmp_path / "r.json").read_text())["failure"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_in_order_with_its_workers(tmp_path: Path, number: signal.Signals) -> None:
    with started(tmp_path) as process:
        begun(process, 3)
        workers = workers_of(process)
        process.send_signal(number)
        # The input does not end before.
        process.wait(WAIT)
        assert process.returncode == 0
        assert all(map(gone, workers))
    report = json.loads((tmp_path / "r.json").read_text())
    assert (report["events"]["read"], report["patterns"]["p"]["emitted"]) == (6, 3)
    assert report["stopped"]["not_looked_at"] == 0


def test_workers_end_when_the_run_is_killed(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        begun(process, 3)
        workers = workers_of(process)
        process.kill()
        process.wait(WAIT)
        assert all(map(gone, workers))


def test_a_machine_that_starts_no_more_processes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(subprocess, "Popen", full)
    with pytest.raises(RunFailure, match=r"cannot start worker 2 of 3: Resource temporarily unavailable"):
        Process(1, 3)


def test_a_worker_says_why_it_cannot_go_on(tmp_path: Path) -> None:
    config = config_of(tmp_path, {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 second PARTITION BY k"}})
    process = Process(0, 1)
    try:
        process.send(pack(Task(config, 0, 1)))
        process.send(pack((None, "begin", False, False)))
        assert process.answer(lambda: None).told == []
        process.send(pack((None, "feed", 5)))
        with pytest.raises(RunFailure, match="worker 1 of 1 failed: TypeError: ") as failed:
            process.answer(lambda: None)
        assert not isinstance(failed.value, ComponentFailure)
    finally:
        process.close()
        process.close()


def test_a_component_that_fails_in_a_worker_is_named(tmp_path: Path) -> None:
    config = config_of(tmp_path, {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 second PARTITION BY k"}})
    (pattern,) = config.patterns
    spec = replace(pattern.slack.spec, factory="limecep_slack.waiting:FixedSlack")
    broken = replace(config, patterns=(replace(pattern, slack=replace(pattern.slack, spec=spec)),))
    process = Process(0, 1)
    try:
        process.send(pack(Task(broken, 0, 1)))
        process.send(pack((None, "begin", False, False)))
        with pytest.raises(
            ComponentFailure, match=r"worker 1 of 1 failed: patterns\.p: slack policy "
        ) as failed:
            process.answer(lambda: None)
        assert "in __init__" in failed.value.where
    finally:
        process.close()
        process.close()
