"""What a sink is told again outlasts a restart, and ends with what acknowledges it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PIPELINE = """
version: 1
name: alarms
sources:
  s: {type: file, follow: true, channel: in.jsonl, as: {field: type}, time: {field: t, format: epoch_s}}
patterns:
  fire: {query: "PATTERN SEQ(A a) WITHIN 1 s PARTITION BY room"}
  acked: {query: "PATTERN SEQ(K k) WITHIN 1 s PARTITION BY room"}
sinks: {out: {type: file, path: out.jsonl, events: none, repeat: {every: 1s, until: acked}}}
state: {dir: state}
RUNNER
"""


def until(what: Callable[[], object]) -> None:
    watch = Stopwatch()
    while not what():
        assert watch.seconds < 20
        time.sleep(0.05)


@pytest.mark.parametrize("runner", ["", "runner: {type: local, workers: 2}"])
def test_a_match_is_told_again_after_a_restart_until_it_is_acknowledged(runner: str, tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(PIPELINE.replace("RUNNER", runner))

    def happens(kind: str, room: str) -> None:
        event = {"type": kind, "id": kind + room, "t": time.time(), "room": room}
        with (tmp_path / "in.jsonl").open("a") as out:
            out.write(json.dumps(event) + "\n")

    def told() -> list[tuple[str, Any]]:
        file = tmp_path / "out.jsonl"
        records = map(json.loads, file.read_text().splitlines() if file.exists() else ())
        return [(r["key"]["room"], r.get("repeat")) for r in records]

    def run() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--quiet"]
        return subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)

    happens("A", "hall")
    happens("A", "attic")
    first = run()
    until(lambda: ("attic", 1) in told())
    first.kill()
    first.wait()
    second = run()
    until(lambda: ("attic", 2) in told())
    happens("K", "hall")
    # From now on it is one of them alone.
    until(lambda: [room for room, _ in told()[-2:]] == ["attic", "attic"])
    second.terminate()
    assert second.wait(10) == 0
    numbers = {n for room, n in told() if room == "attic" and n}
    # A crash may tell the last one twice, and leaves none out.
    assert numbers == set(range(1, max(numbers) + 1))
