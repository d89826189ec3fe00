"""When a run ends, and how long it may still go on."""

from __future__ import annotations

import math
from threading import Thread, get_ident

import pytest

from limecep.clock import pause
from limecep.errors import Stopped
from limecep.runtime import run_end
from limecep.runtime.run_end import RunEnd


def test_without_a_time_it_ends_when_it_is_asked_to_and_stays_ended() -> None:
    run = RunEnd()
    run.start()
    assert run.left == math.inf
    assert not run.asked()
    run.stop = lambda: True
    assert run.asked()
    run.stop = lambda: False
    assert run.asked()


def test_its_time_begins_with_the_start() -> None:
    run = RunEnd()
    run.give(0.02)
    pause(0.03)
    assert run.left == 0.02
    assert not run.asked()
    run.start()
    assert 0 < run.left <= 0.02
    pause(0.03)
    assert run.left < 0
    assert run.asked()
    run.give(None)
    assert run.left == math.inf


def test_no_time_is_up_at_once() -> None:
    run = RunEnd()
    run.give(0.0)
    assert run.asked()


def test_what_goes_on_too_long_is_cut_off_with_what_is_undone() -> None:
    run = RunEnd(grace=0.05)
    run.check()
    run.stop = lambda: True
    run.check("no matter yet")
    pause(0.06)
    with pytest.raises(Stopped) as stopped:
        run.check("the last record")
    assert "the last record" in str(stopped.value)


def test_at_the_parting_what_was_found_has_a_time_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_end, "PARTING_SECONDS", 0.05)
    run = RunEnd(grace=0.02)
    run.stop = lambda: True
    assert run.asked()
    pause(0.04)
    with pytest.raises(Stopped):
        run.check()
    run.part()
    run.check()
    pause(0.06)
    with pytest.raises(Stopped):
        run.check()


def test_a_run_that_ends_by_itself_may_part_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_end, "PARTING_SECONDS", 0.05)
    run = RunEnd(grace=0.0)
    run.part()
    run.check()
    run.stop = lambda: True
    run.check()
    pause(0.06)
    with pytest.raises(Stopped):
        run.check()


def test_the_time_of_a_run_begins_at_the_latest_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_end, "CONNECTING_SECONDS", 0.03)
    run, other = RunEnd(), RunEnd()
    run.give(5.0)
    other.give(None)
    assert not run.impatient
    pause(0.04)
    assert run.impatient
    assert not other.impatient


def test_only_the_thread_that_runs_asks_whether_it_is_to_end() -> None:
    asked: list[int] = []
    run = RunEnd()
    run.stop = lambda: bool(asked.append(get_ident())) or True
    run.give(None)
    told: list[bool] = []

    def ask() -> None:
        other = Thread(target=lambda: told.append(run.asked()))
        other.start()
        other.join()

    ask()
    assert (told, asked) == ([False], [])
    assert run.asked()
    ask()
    assert (told, asked) == ([False, True], [get_ident()])
