"""The example does what its README says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.kafka

EXAMPLE = "rpm_kafka"
#: Who enters no room says nothing; time goes on all the same, in the example after half a minute.
SOON = ["--set", "sources.rooms.idle_after=2s"]


def test_it_finds_at_the_broker_what_it_finds_in_files(
    rpm: Any, kafka: Any, hands: Any, tmp_path: Path
) -> None:
    wanted = rpm.from_files()
    assert sum(wanted.values()) > 5
    rpm.publish.main(kafka.address)
    environment = {**os.environ, "BROKERS": kafka.address, "STATE_DIRECTORY": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-m", "limecep", "run", rpm.pipeline, *SOON], env=environment, stderr=subprocess.PIPE
    )
    try:
        watch, found = Stopwatch(), Counter[str]()
        while found != wanted and watch.seconds < 30:
            came = [m for name in ("anxiety", "cardiac") for m in hands.read(f"rpm.alerts.{name}")]
            found = rpm.net([json.loads(m.value()) for m in came])
        assert found == wanted
        process.terminate()
        assert process.wait(20) == 0
    finally:
        process.kill()
        print(process.communicate()[1].decode())
