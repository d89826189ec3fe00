"""Figures grow old."""

from __future__ import annotations

from limecep.clock import pause
from limecep.testing.observer import figures
from limecep_observers.latest import Latest


def test_before_the_first_there_are_none() -> None:
    assert Latest().figures is None


def test_what_is_told_in_seconds_grows_and_the_rest_stays() -> None:
    given = figures()
    latest = Latest()
    latest.observe(given)
    pause(0.1)
    now = latest.figures
    assert now is not None
    assert given.since_commit is not None
    assert now.since_commit is not None
    assert now.since_commit >= given.since_commit + 0.1
    assert now.seconds >= given.seconds + 0.1
    (gas, rooms), (before, _) = now.sources, given.sources
    assert gas.silent is not None
    assert before.silent is not None
    assert gas.silent >= before.silent + 0.1
    # What has ended is not silent.
    assert rooms.silent is None
    assert (gas.outcomes, now.patterns, now.event_time) == (before.outcomes, given.patterns, given.event_time)
