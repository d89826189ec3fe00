"""What tests anywhere may need: servers only where they are asked for, a terminal, logging as it was."""

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

from limecep.testing.broker import Unavailable

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping
    from pathlib import Path


# How long an example takes says more of the machine than of the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

#: What the tests with these marks start.
SERVERS = {"kafka": "a Kafka broker", "mqtt": "an MQTT broker", "spark": "Spark"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Servers are started only for who asks for them."""
    for mark, server in SERVERS.items():
        if mark not in config.option.markexpr:
            unasked = pytest.mark.skip(reason=f"starts {server}: ask for it with -m {mark}")
            for item in items:
                if item.get_closest_marker(mark):
                    item.add_marker(unasked)


def _skipping() -> Generator[None, object, object]:
    """A test whose server is not available skips here, and fails in CI."""
    try:
        return (yield)
    except Unavailable as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    return (yield from _skipping())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    return (yield from _skipping())


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
