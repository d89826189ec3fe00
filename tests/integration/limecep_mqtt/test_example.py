"""The example does what its README says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.mqtt

EXAMPLE = "rpm_mqtt"
#: Who enters no room says nothing; time goes on all the same, in the example after half a minute.
SOON = ["--set", "sources.rooms.idle_after=2s"]


def test_it_finds_at_the_broker_what_it_finds_in_files(
    rpm: Any, brokers: Any, befriend: Any, tmp_path: Path
) -> None:
    wanted = rpm.from_files()
    assert sum(wanted.values()) > 5
    broker = brokers()
    url = f"mqtt://127.0.0.1:{broker.port}"
    friend = befriend(broker.port)
    friend.subscribe("#")
    environment = {**os.environ, "BROKER_URL": url, "STATE_DIRECTORY": str(tmp_path)}
    command = [sys.executable, "-m", "limecep", "run", rpm.pipeline, *SOON]
    log = tmp_path / "log"
    with log.open("wb") as file:
        process = subprocess.Popen(command, env=environment, stderr=file)
    try:
        assert [m.payload for m in friend.received("rpm.status", 1)] == [b"online"]
        # What says that it is online is the connection of its sinks; that of its sources is another.
        watch = Stopwatch()
        while '"subscribed"' not in log.read_text() and watch.seconds < 20:
            sleep(0.02)
        rpm.publish.main(url)
        watch, found = Stopwatch(), Counter[str]()
        while found != wanted and watch.seconds < 20:
            came = [
                m for name in ("anxiety", "cardiac") for m in friend.received(f"rpm.alerts.{name}", 1, 0.2)
            ]
            found = rpm.net([json.loads(m.payload) for m in came])
        assert found == wanted
        process.terminate()
        assert process.wait(20) == 0
        assert [m.payload for m in friend.received("rpm.status", 2)] == [b"online", b"offline"]
    finally:
        process.kill()
        process.wait()
