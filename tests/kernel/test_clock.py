from __future__ import annotations

import time
from typing import TYPE_CHECKING

from limecep.clock import ManualClock, MovableClock, SettableClock, Stopwatch, SystemClock, pause

if TYPE_CHECKING:
    import pytest


def test_the_machine_s_clock_tells_microseconds() -> None:
    before = time.time()
    assert before - 1 <= SystemClock().now() / 1e6 <= time.time() + 1
    assert isinstance(SystemClock().now(), int)
    assert not isinstance(SystemClock(), MovableClock)


def test_what_has_passed_goes_on_with_the_machine() -> None:
    clock = SystemClock()
    assert isinstance(clock, SettableClock)
    assert not isinstance(ManualClock(), SettableClock)
    before, began = clock.passed(), time.perf_counter()
    time.sleep(0.02)
    assert 20_000 <= clock.passed() - before <= (time.perf_counter() - began) * 1e6 + 1000


def test_a_manual_clock_stands_until_it_is_moved_and_never_goes_back() -> None:
    clock = ManualClock()
    assert isinstance(clock, MovableClock)
    assert clock.now() == 0
    for to, now in ((5, 5), (3, 5), (6, 6)):
        clock.advance(to)
        assert clock.now() == now


def test_a_manual_clock_may_begin_anywhere() -> None:
    assert ManualClock(7).now() == 7


def test_a_stopwatch_tells_the_seconds_since_it_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", iter((100.0, 100.25, 103.0)).__next__)
    watch = Stopwatch()
    assert (watch.seconds, watch.seconds) == (0.25, 3.0)


def test_a_pause_lasts_so_many_seconds() -> None:
    before = time.perf_counter()
    pause(0.02)
    assert time.perf_counter() - before >= 0.02
