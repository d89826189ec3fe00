"""Events of one time that come together, in whatever order, correct nothing."""

from __future__ import annotations

from random import Random

import pytest

from limecep.detection.ties import QUIET_BATCHES, Ties
from limecep.model.event import Event, sort_key
from limecep.runtime.pipeline import Pipeline

HOUR = 3_600_000_000


def hourly(devices: int, hours: int) -> list[Event]:
    """What devices read each hour, under ids that have no order."""
    chosen = Random(3)
    events = []
    for hour in range(hours):
        for device in range(devices):
            t = hour * HOUR
            events.append(Event(chosen.choice("AB"), f"{chosen.getrandbits(64):x}", t, t, "s", {"v": device}))
    return events


def test_no_event_is_looked_at_twice() -> None:
    query = {"query": "PATTERN SEQ(A a, B b) WHERE a.v = b.v WITHIN 1 h", "slack": "none"}
    pipeline = Pipeline.from_dict({"version": 1, "patterns": {"p": query}})
    events = hourly(60, 4)
    updates = pipeline.feed(events)
    figures = pipeline.report()["patterns"]["p"]
    assert figures["engine_runs"] == sum(e.type == "B" for e in events)
    assert figures["emitted"] == len(updates) > 20


def test_only_those_of_one_time_change_places() -> None:
    events = [Event("A", i, t, t_arr) for i, t, t_arr in [("d", 1, 1), ("c", 1, 1), ("b", 1, 2), ("a", 0, 2)]]
    events += [Event("A", i, 2, 2) for i in ("z", "y", "z")]
    assert [e.id for e in Ties().in_order(events)] == ["c", "d", "b", "a", "y", "z", "z"]


@pytest.mark.parametrize("met", [False, True])
def test_ties_are_looked_for_until_there_are_none_and_again_when_one_comes(met: bool) -> None:
    ties = Ties()
    apart = [Event("A", str(t), t, t) for t in range(3)]
    tied = [Event("A", i, 5, 5) for i in "ba"]
    for _ in range(QUIET_BATCHES):
        assert ties.in_order(apart) is apart
    if met:
        ties.met()
    assert ties.in_order(tied) == (sorted(tied, key=sort_key) if met else tied)


def test_after_ties_as_many_batches_without_are_looked_at_as_at_first() -> None:
    ties = Ties()
    apart = [Event("A", str(t), t, t) for t in range(3)]
    tied = [Event("A", i, 5, 5) for i in "ba"]
    for batch in (apart, tied, *[apart] * (QUIET_BATCHES - 1)):
        ties.in_order(batch)
    assert ties.in_order(tied) == sorted(tied, key=sort_key)


def test_a_stop_changes_nothing_of_whether_ties_are_looked_for() -> None:
    before, after = Ties(), Ties()
    before.quiet = 3
    after.restore(before.snapshot())
    assert after.quiet == 3
