"""Who tests a plugin sees what an assertion of a suite compared."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TEST = """
from limecep.testing.slack import SlackConformance

class Waiting:
    def wait(self, statistics):
        return -5

class TestMine(SlackConformance):
    examples = 1
    def make_policy(self, plan, context):
        return Waiting()
"""

TRIED = "test_mine.py::TestMine::test_a_wait_is_a_number_of_microseconds"


def test_a_suite_that_fails_shows_what_it_compared(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(TEST)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", TRIED],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "assert -5 >= 0" in done.stdout
