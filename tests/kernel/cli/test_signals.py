"""Signals during a run."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from limecep.cli.signals import Stop

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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
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
