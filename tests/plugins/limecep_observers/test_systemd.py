"""What systemd hears."""

from __future__ import annotations

import os
import socket
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.testing.bench import SilentLogger
from limecep.testing.observer import figures
from limecep_observers.config import SystemdOptions
from limecep_observers.systemd import Systemd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Made = Callable[..., Systemd]

READY = "STATUS=running, 45 events read, 2 matches live, 1 records wait for their sinks, disabled: door"


class Heard:
    """A socket as systemd has it."""

    def __init__(self, address: str | bytes) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address)
        self._socket.setblocking(False)

    def all(self) -> list[str]:
        heard = []
        while True:
            try:
                heard.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return heard

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Heard]:
    for name in ("WATCHDOG_USEC", "WATCHDOG_PID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    made = Heard(str(tmp_path / "notify"))
    yield made
    made.close()


@pytest.fixture
def made() -> Iterator[Made]:
    """Makes observers, open ones, and closes them at the end."""
    observers = []

    def make(logger: SilentLogger | None = None) -> Systemd:
        context = Context(
            label="observers.o", clock=ManualClock(), counters=Counter(), logger=logger or SilentLogger()
        )
        observers.append(Systemd(SystemdOptions(), context))
        observers[-1].open()
        return observers[-1]

    yield make
    for observer in observers:
        observer.close()


def test_it_is_ready_once_and_tells_how_it_is_doing_until_it_stops(heard: Heard, made: Made) -> None:
    observer = made()
    for phase in ("starting", "running", "running", "ended"):
        observer.observe(figures(phase=phase))
    observer.close()
    ended = READY.replace("running", "ended")
    assert heard.all() == [
        READY.replace("running", "starting"),
        f"READY=1\n{READY}",
        READY,
        f"STOPPING=1\n{ended}",
    ]


def test_why_a_run_failed_is_one_line(heard: Heard, made: Made) -> None:
    made().observe(figures(phase="failed", failure="sink 'alerts' raised OSError:\n  gone"))
    assert heard.all() == ["STOPPING=1\nSTATUS=failed: sink 'alerts' raised OSError: gone"]


def test_sources_that_are_away_are_named(heard: Heard, made: Made) -> None:
    from limecep.contracts.observer import SourceFigures

    given = figures(sources=(SourceFigures(name="gas"), SourceFigures(name="log", ended=True)))
    made().observe(given)
    assert "STATUS=running, not connected: gas, 0 events read" in heard.all()[0]


@pytest.mark.parametrize(
    ("environment", "fed"),
    [
        ({}, 0),
        ({"WATCHDOG_USEC": "30000000"}, 1),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 1),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, 0),
        ({"WATCHDOG_USEC": "0"}, 0),
        ({"WATCHDOG_USEC": "soon"}, 0),
    ],
)
def test_the_watchdog_is_fed_with_signs_of_life_where_there_is_one(
    environment: dict[str, str], fed: int, heard: Heard, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    logger = SilentLogger()
    observer = made(logger)
    observer.pulse()
    assert heard.all() == ["WATCHDOG=1"] * fed
    assert logger.entries == []


def test_a_watchdog_that_is_too_quick_is_told_of(
    heard: Heard, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "1000000")
    logger = SilentLogger()
    made(logger)
    [(level, text, values)] = logger.entries
    assert (level, values) == ("warning", {"microseconds": 1_000_000})
    assert "set WatchdogSec to 3 or more" in text


def test_without_systemd_it_does_nothing_and_says_so(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    logger = SilentLogger()
    observer = made(logger)
    observer.observe(figures())
    observer.pulse()
    observer.close()
    assert [(level, text) for level, text, _ in logger.entries] == [
        ("info", "NOTIFY_SOCKET is not set: there is nobody to notify")
    ]


def test_an_abstract_socket_is_found(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"limecep-{os.getpid()}"
    monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    abstract = Heard(f"\0{name}")
    made().observe(figures())
    assert abstract.all() == [f"READY=1\n{READY}"]
    abstract.close()


def test_one_that_hears_nothing_keeps_nobody_waiting_and_is_told_again(heard: Heard, made: Made) -> None:
    observer = made()
    for _ in range(5_000):
        observer.observe(figures(phase="starting"))
    observer.observe(figures())
    assert not any(text.startswith("READY=1") for text in heard.all())
    observer.observe(figures())
    assert heard.all() == [f"READY=1\n{READY}"]
