"""What a component gives in another process."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from limecep_scaffold.elsewhere import called, main

if TYPE_CHECKING:
    import pytest


def test_the_trace_of_a_component_is_printed_here_and_elsewhere() -> None:
    arguments = called("recompute/paper", "{}", ["examples=1"])
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 60
    assert all(line.split(" ", 1)[1].startswith("(") for line in lines)


def test_it_is_made_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    main("slack/fixed", "{wait: 3s}", "examples=1")
    assert set(capsys.readouterr().out.split()) == {"3000000"}
