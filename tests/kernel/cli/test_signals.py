"""Signals during a run."""

from __future__ import annotations

import importlib.util
import signal
import time
from typing import TYPE_CHECKING

import pytest

from limecep.cli import signals
from limecep.cli.signals import Stop
from limecep.cli.terminal import Terminal
from limecep.errors import Stopped

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def usual_interrupt() -> Iterator[None]:
    """Where tests run in the background, the process may have been started with Ctrl-C ignored, or the end
    of its terminal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    hung_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, before)
    signal.signal(signal.SIGHUP, hung_up)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_only_asks_for_the_end(number: signal.Signals) -> None:
    with Stop() as stop:
        assert not stop.asked
        signal.raise_signal(number)
        assert stop.asked


def test_the_second_signal_is_not_held_back() -> None:
    with Stop() as stop:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert stop.asked


def test_a_run_that_outlives_its_terminal_is_not_stopped_by_its_end() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Stop() as stop:
            signal.raise_signal(signal.SIGHUP)
            assert not stop.asked
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_hangup_ends_nothing_unless_the_terminal_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    with Stop() as stop:
        signal.raise_signal(signal.SIGHUP)
        assert not stop.asked
        monkeypatch.setattr(Terminal, "closed", True)
        signal.raise_signal(signal.SIGHUP)
        assert stop.asked


def test_afterwards_signals_do_what_they_did_before() -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(s) for s in numbers]
    with Stop():
        assert signal.getsignal(signal.SIGTERM) != before[1]
    assert [signal.getsignal(s) for s in numbers] == before


def test_where_an_interrupt_was_ignored_it_ends_a_run_all_the_same() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Stop() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.asked
        # The next one is not ignored: a run that hangs can be ended by it.
        assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def test_a_run_is_cut_off_in_what_the_kernel_calls_and_never_between_two_calls() -> None:
    def busy(seconds: float = 0.2) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass

    def busy_as(module: str) -> None:
        """Code of a module, busy in a call of its own and then in one of a component."""
        code = """
def run():
    end = time.monotonic() + 0.2
    while time.monotonic() < end:
        pass
    done.append(True)
    busy()
"""
        room = {"__name__": module, "time": time, "busy": busy, "done": done}
        exec(code, room)
        room["run"]()  # type: ignore[operator]

    for module in sorted(signals._WHOLE):
        assert module == "contextlib" or importlib.util.find_spec(module)
        done: list[bool] = []
        stop = Stop()
        with stop.cutting(lambda: 60.0, 0.0):
            signal.setitimer(signal.ITIMER_REAL, 0.001)
            with pytest.raises(Stopped):
                busy_as(module)
        assert done, module
    done = []
    with Stop().cutting(lambda: 60.0, 0.0):
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        busy_as(signals._ACCOUNTING)
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert done
