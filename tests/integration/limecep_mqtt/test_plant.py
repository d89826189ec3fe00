"""The example of a plant: a correction and a retraction reach the third pipeline."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.mqtt

EXAMPLE = Path(__file__).parents[3] / "examples/plant"
PATIENCE_SECONDS = 60.0
#: What depends on when messages come, and on which line is heard first.
ELSEWHERE = ("cause", "detected", "latency")


def machines() -> Any:
    spec = importlib.util.spec_from_file_location("machines", EXAMPLE / "machines.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def until(holds: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    watch = Stopwatch()
    while not holds():
        assert process.poll() is None
        assert watch.seconds < PATIENCE_SECONDS
        sleep(0.02)


def test_it_says_what_its_readme_says(brokers: Any, befriend: Any, tmp_path: Path) -> None:
    broker, told = brokers(), machines()
    out = tmp_path / "plant.out"
    processes: dict[str, subprocess.Popen[bytes]] = {}
    expected = [json.loads(line) for line in (EXAMPLE / "expected.jsonl").read_text().splitlines()]

    def said() -> list[dict[str, Any]]:
        records = [json.loads(line) for line in out.read_text().splitlines(keepends=True) if line[-1] == "\n"]
        return [{k: v for k, v in r.items() if k not in ELSEWHERE} for r in records]

    def has_said(count: int) -> bool:
        return len(said()) == count

    def subscribed(name: str) -> bool:
        return '"subscribed"' in (tmp_path / f"{name}.log").read_text()

    environment = {
        **os.environ,
        "BROKER_URL": f"mqtt://127.0.0.1:{broker.port}",
        "STATE_DIRECTORY": str(tmp_path),
    }
    try:
        for name in ("plant", *told.LINES):
            pipeline = EXAMPLE / ("plant.yaml" if name == "plant" else "line.yaml")
            with (
                (tmp_path / f"{name}.out").open("wb") as output,
                (tmp_path / f"{name}.log").open("wb") as log,
            ):
                processes[name] = subprocess.Popen(
                    [sys.executable, "-m", "limecep", "run", pipeline],
                    env={**environment, "LINE": name},
                    stdout=output,
                    stderr=log,
                )
        for name, process in processes.items():
            until(partial(subscribed, name), process)
        friend = befriend(broker.port)
        count = 0
        for when, topic, content in told.messages():
            if when > told.instant(content):
                # A late message comes when the plant has said what it changes.
                until(partial(has_said, count + 1), processes["plant"])
                count += 2
            friend.publish(topic, json.dumps(content).encode())
        until(partial(has_said, len(expected)), processes["plant"])
        for process in processes.values():
            process.terminate()
            assert process.wait(20) == 0
        assert said() == expected
        assert [record["op"] for record in expected] == ["emit", "correct", "emit", "retract"]
    finally:
        for process in processes.values():
            process.kill()
            process.wait()
