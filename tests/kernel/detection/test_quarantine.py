"""Events that claim to be from further ahead than the clock of their source may be."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.contracts.tables import PLAIN
from limecep.detection.event_time import EventTime, SourceTraits
from limecep.detection.quarantine import Quarantine
from limecep.model.event import Event
from limecep.statistics import Statistics

SECOND = 1_000_000
YEAR = 31_536_000


class Machine:
    """A clock that somebody else sets, and what passes meanwhile."""

    def __init__(self) -> None:
        self.behind = YEAR
        self.seconds = 2 * YEAR

    def now(self) -> int:
        return (self.seconds - self.behind) * SECOND

    def passed(self) -> int:
        return self.seconds * SECOND


class Made:
    """A quarantine whose clock is a year behind."""

    def __init__(self, room: int = 10, skew: int = 60) -> None:
        self.clock = Machine()
        self.statistics = Statistics()
        traits = {"s": SourceTraits(max_future_skew=skew * SECOND)}
        time = EventTime(self.statistics, self.clock, traits, awaits_sources=True)
        self.said: list[str] = []
        own: Any = self
        self.quarantine = Quarantine(time, self.clock, own, own, self.statistics, PLAIN, room)

    def refused(self, event: Event, groups: frozenset[Any] | None) -> None:
        """As of repair."""
        self.said.append(f"{event.id} {'refused' if groups is None else 'had'}")

    def future(self, event: Event) -> None:
        """As of the side output."""
        self.said.append(f"{event.id} told")

    def came(self, *ahead: int, after: int = 0) -> list[str]:
        """Events so many seconds ahead of the right time arrive now; gives those that are let through."""
        events = []
        for seconds in ahead:
            t = (self.clock.seconds + seconds) * SECOND
            events.append(Event("A", f"a{seconds}", t, self.clock.now() - after * SECOND, "s"))
        figures = self.statistics.source("s")
        return [e.id for e in self.quarantine.without(events, 60 * SECOND, figures)]

    def set(self, seconds: int) -> list[tuple[str, int]]:
        """The clock is set forward: gives what is taken in, and how many seconds ago it came."""
        self.clock.behind -= seconds
        now = self.clock.seconds * SECOND
        again = self.quarantine.judged_again(seconds * SECOND)
        return [(e.id, (now - e.t_arr) // SECOND) for e in again]

    @property
    def future_events(self) -> int:
        return self.statistics.source("s").outcomes["future"]


@pytest.mark.interpreted
def test_what_is_too_far_ahead_is_told_and_counted_and_moves_nothing() -> None:
    made = Made()
    made.clock.behind = 0
    assert made.came(0, 61, 60) == ["a0", "a60"]
    assert (made.future_events, made.said) == (1, ["a61 refused", "a61 told"])


@pytest.mark.interpreted
def test_what_is_left_out_parts_the_others() -> None:
    made = Made()
    made.clock.behind = 0
    times = (0, 61, 5, 6, 62, 63)
    now = made.clock.now()
    events = [Event("A", f"a{s}", now + s * SECOND, now, "s") for s in times]
    figures = made.statistics.source("s")
    parts = made.quarantine.parted(events, 60 * SECOND, figures)
    assert [(ahead, [e.id for e in run]) for ahead, run in parts] == [
        (0, ["a0"]), (1, ["a5", "a6"]), (1, []), (1, []),
    ]  # fmt: skip
    assert [(ahead, len(run)) for ahead, run in made.quarantine.parted(events[:1], 0, figures)] == [(0, 1)]


@pytest.mark.interpreted
def test_what_is_not_ahead_is_judged_again_once_the_clock_is_right() -> None:
    made = Made()
    assert made.came(0, 100) == []
    made.clock.seconds += 10
    assert made.came(-3) == []
    assert made.set(YEAR) == [("a0", 10), ("a-3", 0)]
    assert made.future_events == 1
    assert made.said[-2:] == ["a0 had", "a-3 had"]


@pytest.mark.interpreted
def test_a_clock_may_become_right_in_steps() -> None:
    made = Made()
    made.came(0)
    assert made.set(YEAR - 3600) == []
    assert made.set(3600) == [("a0", 0)]


@pytest.mark.interpreted
def test_what_the_right_clock_has_called_ahead_stays_so() -> None:
    made = Made()
    made.clock.behind = 0
    made.came(3600)
    # The clock was lost meanwhile, and is set again.
    made.clock.behind = YEAR
    assert made.set(YEAR) == []
    assert made.future_events == 1


@pytest.mark.interpreted
def test_an_arrival_that_another_clock_has_told_is_none_of_this_one() -> None:
    made = Made()
    assert made.came(0, after=3600) == []
    assert made.set(YEAR) == []


@pytest.mark.interpreted
def test_the_oldest_go_where_there_are_too_many() -> None:
    made = Made(room=2)
    made.came(1, 2)
    made.came(3)
    assert made.set(YEAR) == [("a2", 0), ("a3", 0)]
    assert made.future_events == 1
