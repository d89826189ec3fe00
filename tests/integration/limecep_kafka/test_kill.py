"""A pipeline with state over Kafka is killed again and again, and tells what it would have told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CAMPAIGN = Path(__file__).parents[3] / "benchmarks/kill.py"

pytestmark = [pytest.mark.kafka, pytest.mark.slow]


@pytest.mark.parametrize("more", [[], ["--transactional"]], ids=["at least once", "transactional"])
def test_kills_change_nothing_that_is_told(more: list[str]) -> None:
    command = [sys.executable, str(CAMPAIGN), "--transport", "kafka", "--kills", "5", *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert "5 kills over kafka" in done.stdout
