"""How far event time has come, over several sources."""

from __future__ import annotations

import pytest

from limecep.clock import ManualClock
from limecep.detection.event_time import EventTime, SourceTraits
from limecep.model.time import FOREVER
from limecep.statistics import Statistics


class Timed:
    """Event time of these sources; `progress` is that of a pattern over type A."""

    def __init__(self, *, awaits_sources: bool = True, **traits: SourceTraits) -> None:
        self.clock = ManualClock()
        self._statistics = Statistics()
        self.time = EventTime(self._statistics, self.clock, traits, awaits_sources=awaits_sources)
        self.progress = self.time.progress_for(frozenset("A"))

    def came(self, source: str, t_gen: int, t_arr: int) -> None:
        self.time.hear(source, t_arr)
        self._statistics.source(source).note_time(t_gen)
        self._statistics.lta = max(self._statistics.lta, t_gen)


@pytest.mark.parametrize(("silent", "progress"), [(29, 4), (30, 4), (31, 90)])
def test_a_source_is_idle_after_more_than_its_idle_timeout(silent: int, progress: int) -> None:
    made = Timed(slow=SourceTraits(idle_after=30), fast=SourceTraits())
    made.came("slow", 4, 100)
    made.came("fast", 90, 100 + silent)
    assert made.progress() == progress


def test_a_source_that_brings_something_is_idle_no_more() -> None:
    made = Timed(slow=SourceTraits(idle_after=30), fast=SourceTraits())
    made.came("slow", 4, 100)
    made.came("fast", 90, 200)
    made.came("slow", 5, 200)
    assert made.progress() == 5


def test_a_source_without_idle_timeout_holds_time_back_until_it_ends() -> None:
    made = Timed(slow=SourceTraits(), fast=SourceTraits())
    made.came("slow", 4, 100)
    made.came("fast", 90, 1_000_000)
    assert made.progress() == 4
    made.time.end("slow")
    assert made.progress() == 90


@pytest.mark.parametrize(("awaits", "progress"), [(True, -FOREVER), (False, 90)])
def test_a_source_that_has_brought_nothing_may_be_awaited(awaits: bool, progress: int) -> None:
    made = Timed(awaits_sources=awaits, slow=SourceTraits(), fast=SourceTraits())
    made.came("fast", 90, 100)
    assert made.progress() == progress


def test_only_sources_that_can_bring_the_types_of_a_pattern_hold_its_time_back() -> None:
    made = Timed(other=SourceTraits(types=frozenset("B")), fast=SourceTraits(types=frozenset("AB")))
    made.came("other", 4, 100)
    made.came("fast", 90, 100)
    assert made.progress() == 90
    assert made.time.progress_for(frozenset("B"))() == 4
    assert made.time.progress_for(None)() == 4


def test_time_that_is_told_passes_for_every_source_and_never_goes_back() -> None:
    made = Timed(slow=SourceTraits(), fast=SourceTraits())
    made.came("slow", 4, 100)
    made.time.tell(50)
    made.time.tell(20)
    assert made.progress() == 50


def test_when_the_input_is_over_all_time_has_passed() -> None:
    made = Timed(slow=SourceTraits())
    made.time.over = True
    assert made.progress() == FOREVER


def test_time_goes_on_after_a_stop_where_it_was() -> None:
    traits = {"slow": SourceTraits(idle_after=30), "fast": SourceTraits()}
    made, again = Timed(**traits), Timed(**traits)
    made.came("slow", 4, 100)
    made.came("fast", 90, 120)
    made.time.tell(3)
    again.time.restore(made.time.snapshot())
    assert again.clock.now() == 120
    assert again.time.snapshot() == made.time.snapshot()
    # The figures are restored apart.
    again.came("fast", 90, 131)
    assert again.progress() == 90


class Wall:
    """A clock that somebody else sets."""

    def __init__(self, now: int) -> None:
        self.is_now = now

    def now(self) -> int:
        return self.is_now


def test_no_source_was_silent_while_nothing_ran() -> None:
    def made(now: int) -> EventTime:
        return EventTime(Statistics(), Wall(now), {}, awaits_sources=True)

    before, after = made(100), made(5000)
    before.hear("s", 90)
    assert before.snapshot()["now"] == 0
    after.restore(before.snapshot())
    assert after.snapshot()["heard"] == {"s": 5000}
