"""The clock of a test."""

from __future__ import annotations

from limecep.clock import MovableClock
from limecep_test.clock import VirtualClock


def test_it_goes_on_and_never_back_until_a_run_begins() -> None:
    clock = VirtualClock()
    assert isinstance(clock, MovableClock)
    clock.advance(5)
    clock.advance(3)
    assert clock.now() == 5
    clock.restart(1)
    assert clock.now() == 1
