"""Pipelines with state over MQTT are killed again and again, and tell what they would have told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CAMPAIGN = Path(__file__).parents[3] / "benchmarks/kill.py"
TWO = CAMPAIGN.with_name("kill_two.py")

pytestmark = [pytest.mark.mqtt, pytest.mark.slow]


def test_kills_change_nothing_that_is_told() -> None:
    command = [sys.executable, str(CAMPAIGN), "--transport", "mqtt", "--kills", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert "3 kills over mqtt" in done.stdout


def test_kills_change_nothing_that_one_pipeline_finds_in_the_change_log_of_another() -> None:
    command = [sys.executable, str(TWO), "--transport", "mqtt", "--kills", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert "2 kills" in done.stdout
    assert "net results equal" in done.stdout
