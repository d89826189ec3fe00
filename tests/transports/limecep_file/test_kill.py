"""A pipeline with state over files that is killed tells what it would have told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CAMPAIGN = Path(__file__).parents[3] / "benchmarks/kill.py"

pytestmark = pytest.mark.slow


def test_a_kill_changes_nothing_that_is_told() -> None:
    command = [sys.executable, str(CAMPAIGN), "--transport", "file", "--kills", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert "1 kills over file" in done.stdout
