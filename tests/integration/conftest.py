"""Brokers for tests: real ones, which the tests start themselves."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from time import sleep
from typing import TYPE_CHECKING

import pytest

from limecep.clock import Stopwatch
from limecep.testing.kafka import cut, restart

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: How long a broker may take to start, with its jars to be fetched, in seconds.
PATIENCE = 300.0


@dataclass(frozen=True, kw_only=True)
class Kafka:
    """A broker that runs: its address, and the one through a proxy that can be cut."""

    folder: Path
    address: str
    proxied: str

    @contextmanager
    def cut(self) -> Iterator[None]:
        """While it lasts, the connections through the proxy are closed."""
        with cut(self.folder):
            yield

    def restart(self) -> None:
        """It crashes and starts again."""
        restart(self.folder)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Brokers are started only for who asks for them."""
    if "kafka" in config.option.markexpr:
        return
    unasked = pytest.mark.skip(reason="starts a Kafka broker: ask for it with -m kafka")
    for item in items:
        if item.get_closest_marker("kafka"):
            item.add_marker(unasked)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder that all workers of this test run share."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if hasattr(request.config, "workerinput") else folder


@pytest.fixture(scope="session")
def kafka(shared: Path, request: pytest.FixtureRequest) -> Kafka:
    """A Kafka broker, one for all workers of this test run. It ends with the run."""
    # The process that lives as long as all workers do.
    owner = os.getppid() if hasattr(request.config, "workerinput") else os.getpid()
    folder = shared / "kafka"
    said = folder / "broker.json"
    with (shared / "kafka.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            folder.mkdir()
            command = [sys.executable, "-m", "limecep.testing.kafka", str(folder), str(owner)]
            # It outlives this worker, and is no child of it.
            detached = ["sh", "-c", 'setsid "$@" > "$0" 2>&1 &', str(folder / "output"), *command]
            subprocess.run(detached, check=True)
        watch = Stopwatch()
        while not said.exists() and watch.seconds < PATIENCE:
            sleep(0.1)
    found = json.loads(said.read_text()) if said.exists() else {"unavailable": "it did not start"}
    if "unavailable" not in found:
        return Kafka(folder=folder, **found)
    reason = f"no Kafka broker: {found['unavailable']}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
