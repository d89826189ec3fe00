"""How events came."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from limecep.model.event import Event, Statement
from limecep.testing.streams import written
from limecep_why.arrivals import Arrivals
from limecep_why.history import identity

S = 1_000_000


def test_an_event_has_a_number_and_is_so_far_behind_the_latest_before_it() -> None:
    events = written("a1 b9 a4 c10")
    arrivals = Arrivals(events[1:3])
    arrivals.go_through(events[:2])
    arrivals.go_through(events[2:])
    found = [arrivals.of[identity(e)] for e in events[1:3]]
    assert [(a.number, a.behind) for a in found] == [(2, 0), (3, 5 * S)]
    assert identity(events[0]) not in arrivals.of
    assert arrivals.count == 4


def test_copies_are_counted_and_the_first_arrival_counts() -> None:
    [event] = written("a1")
    arrivals = Arrivals([event])
    arrivals.go_through([event, *written("b9"), replace(event), replace(event)])
    assert (arrivals.of[identity(event)].number, arrivals.of[identity(event)].copies) == (1, 2)


def test_the_events_of_places_are_given() -> None:
    arrivals = Arrivals(places=[2])
    arrivals.go_through(written("a1 b2 c3"))
    assert {n: e.id for n, e in arrivals.at.items()} == {2: "b2"}


def test_what_is_too_far_ahead_moves_no_time() -> None:
    [event] = written("a1")
    ahead = Event("A", "far", 1000 * S, 5, "s")
    for skews, behind in (({"s": S}, 0), ({}, 999 * S)):
        arrivals = Arrivals([event], skews=skews)
        arrivals.go_through([ahead, event])
        assert arrivals.of[identity(event)].behind == behind


@pytest.mark.parametrize("withdrawn", [True, False])
def test_what_is_said_again_is_known_by_what_it_is_about(*, withdrawn: bool) -> None:
    event = Statement("A", "a1", S, version=1)
    arrivals = Arrivals([event])
    again = Statement("A", "a1", 9 * S, 12 * S, version=2, withdrawn=withdrawn)
    arrivals.go_through([event, *written("b2"), again])
    assert arrivals.again["A", "", "a1", 12 * S].number == 3
    assert arrivals.of[identity(event)].copies == 0
