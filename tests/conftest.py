"""What tests anywhere may need: a terminal, and logging as it was."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from typing import TYPE_CHECKING, Protocol

import pytest
import structlog
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


# How long an example takes says more of the machine than of the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """A command that ran in the process logs to streams that are gone with the test."""
    yield
    structlog.reset_defaults()


class Terminal(Protocol):
    def __call__(
        self,
        *arguments: object,
        cwd: Path | None = None,
        columns: int = 120,
        environment: Mapping[str, str] | None = None,
    ) -> tuple[int, str]: ...


@pytest.fixture
def terminal() -> Terminal:
    """Runs the command at a terminal; gives its exit code and what it wrote there."""

    def run(
        *arguments: object,
        cwd: Path | None = None,
        columns: int = 120,
        environment: Mapping[str, str] | None = None,
    ) -> tuple[int, str]:
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        inherited = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
        process = subprocess.Popen(
            [sys.executable, "-m", "limecep", *map(str, arguments)],
            stdin=its,
            stdout=its,
            stderr=its,
            cwd=cwd,
            env={**inherited, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **(environment or {})},
        )
        os.close(its)
        written = b""
        try:
            while data := os.read(ours, 65_536):
                written += data
        except OSError:
            pass  # How Linux says that nobody is at the other end any more.
        finally:
            os.close(ours)
        return process.wait(), written.decode().replace("\r\n", "\n")

    return run
