"""Event time that goes on by itself, where no source brings anything."""

from __future__ import annotations

import pytest

from limecep.detection.event_time import EventTime, SourceTraits
from limecep.model.time import FOREVER
from limecep.statistics import Statistics

SECOND = 1_000_000


class Wall:
    """A clock that somebody else sets."""

    def __init__(self, now: int) -> None:
        self.is_now = now

    def now(self) -> int:
        return self.is_now


class Listening:
    """A live run over these sources, which listens every second."""

    def __init__(self, **idle_after: int) -> None:
        self.clock = Wall(1000 * SECOND)
        self.statistics = Statistics()
        traits = {name: SourceTraits(idle_after=seconds * SECOND) for name, seconds in idle_after.items()}
        self.time = EventTime(self.statistics, self.clock, traits, awaits_sources=True)
        self.time.progress_for(None)
        assert self.time.silence is not None
        self.silence = self.time.silence
        self.silence.listen(())

    def came(self, source: str, t_gen: int) -> None:
        self.time.hear(source, self.clock.now())
        self.statistics.source(source).note_time(t_gen * SECOND)

    def quiet(self, seconds: int, away: str = "") -> None:
        for _ in range(seconds):
            self.clock.is_now += SECOND
            self.silence.listen(away.split())

    @property
    def reached(self) -> float | None:
        reached = self.silence.reached()
        return None if reached == -FOREVER else reached / SECOND


def test_in_silence_time_goes_on_from_the_latest_event_at_the_pace_of_the_clock() -> None:
    made = Listening(one=30)
    made.came("one", 7)
    made.quiet(30)
    assert made.reached is None
    made.quiet(5)
    assert made.reached == 12
    made.came("one", 42)
    assert made.reached is None


def test_a_source_that_never_spoke_is_silent_from_the_beginning() -> None:
    made = Listening(one=30, other=10)
    made.quiet(50)
    assert made.reached is None
    made.came("one", 7)
    made.quiet(32)
    assert made.reached == 9


def test_time_goes_on_by_itself_only_where_every_source_is_silent() -> None:
    made = Listening(one=10, other=30)
    made.came("one", 7)
    made.quiet(20)
    made.came("other", 3)
    made.quiet(30)
    assert made.reached is None
    made.quiet(1)
    # From the latest of both; the other was idle last.
    assert made.reached == 8
    made.time.end("other")
    assert made.reached == 7 + 51 - 10


def test_it_is_no_silence_that_a_source_is_away() -> None:
    made = Listening(one=10)
    made.came("one", 7)
    made.quiet(100, away="one")
    assert made.reached is None
    made.quiet(12)
    assert made.reached == 9


@pytest.mark.parametrize("by", [86_400, -86_400, 3600, -20, -5])
def test_time_does_not_jump_where_the_clock_is_set(by: int) -> None:
    made = Listening(one=10)
    made.came("one", 7)
    made.quiet(15)
    made.clock.is_now += by * SECOND
    assert (made.silence.listen(()) < 0) == (by < 0)
    reached = made.reached
    assert reached is None or reached <= 12
    # Where it is set back by less than the silence, that much of the silence has to pass anew.
    made.quiet(5 + (5 if by == -5 else 0))
    assert made.reached == 17


def test_what_came_after_the_clock_was_set_back_was_heard_then() -> None:
    made = Listening(one=10)
    made.came("one", 7)
    made.quiet(15)
    made.clock.is_now -= 86_400 * SECOND
    made.came("one", 20)
    made.quiet(12)
    assert made.reached == 22


def test_silence_goes_on_after_a_stop_where_it_was() -> None:
    made, again = Listening(one=10), Listening(one=10)
    made.came("one", 7)
    made.quiet(15)
    again.clock.is_now = made.clock.is_now + 3600 * SECOND
    again.time.restore(made.time.snapshot())
    # The figures are restored apart.
    again.statistics.source("one").note_time(7 * SECOND)
    again.quiet(1)
    assert again.reached == 13


class Machine(Wall):
    """A clock that somebody else sets, and what passes meanwhile."""

    def __init__(self, now: int) -> None:
        super().__init__(now)
        self.has_passed = 0

    def passed(self) -> int:
        return self.has_passed

    def go_on(self, seconds: float, set_by: float = 0) -> None:
        self.has_passed += int(seconds * SECOND)
        self.is_now += int((seconds + set_by) * SECOND)


@pytest.mark.parametrize(
    ("seconds", "set_by", "told"),
    [
        (0.1, 0, 0),
        (100, 0, 0),
        (0.1, 0.5, 0),
        (0.1, 1, 1),
        (100, 3600, 3600),
        (0.1, 10**9, 10**9),
        (3, -2.5, -2.5),
    ],
)
def test_a_clock_that_is_set_is_told_from_time_that_passes(
    seconds: float, set_by: float, told: float
) -> None:
    clock = Machine(1000 * SECOND)
    silence = EventTime(Statistics(), clock, {}, awaits_sources=True).silence
    assert silence is not None
    assert silence.settable
    # What was before this run nobody can tell.
    assert silence.listen(()) == 0
    clock.go_on(seconds, set_by)
    # Where it is set back by less than what passed, it did not go back between two looks.
    assert silence.listen(()) == int(told * SECOND)
    clock.go_on(0.1)
    assert silence.listen(()) == 0
