"""When end events are looked at that wait for time."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from limecep import Event
from limecep.contracts.tables import PLAIN
from limecep.model.time import FOREVER
from limecep.patterns.deadlines import Deadlines
from limecep.store.lane import Ordering
from limecep.store.view import View

if TYPE_CHECKING:
    from limecep.store.views import Views

VIEW = View((), (), Ordering(1))


class Everywhere:
    """One view for all events."""

    def of(self, event: Event) -> View:
        return VIEW


def end(ordinal: int) -> Event:
    return Event("B", f"b{ordinal}", ordinal, ordinal=ordinal)


def taken(deadlines: Deadlines, before: int) -> list[tuple[int, list[str]]]:
    return [(due, [e.id for e, _ in ends]) for due, ends in deadlines.take(before)]


def test_end_events_are_taken_in_the_order_in_which_they_are_due() -> None:
    deadlines = Deadlines(PLAIN, "deadlines")
    for due, ordinal in [(7, 1), (3, 2), (5, 4), (5, 3), (9, 1)]:
        deadlines.add(due, end(ordinal), VIEW)
    assert deadlines.first == 3
    assert taken(deadlines, 7) == [(3, ["b2"]), (5, ["b3", "b4"])]
    assert (len(deadlines), deadlines.first) == (2, 7)
    assert taken(deadlines, FOREVER) == [(7, ["b1"]), (9, ["b1"])]
    assert (len(deadlines), deadlines.first) == (0, FOREVER)


def test_an_end_event_waits_once_for_one_time() -> None:
    deadlines = Deadlines(PLAIN, "deadlines")
    deadlines.add(5, end(1), VIEW)
    deadlines.add(5, end(1), VIEW)
    assert taken(deadlines, 6) == [(5, ["b1"])]


def test_what_is_added_while_others_are_taken_is_taken_too() -> None:
    deadlines = Deadlines(PLAIN, "deadlines")
    deadlines.add(1, end(1), VIEW)
    found = []
    for due, _ in deadlines.take(4):
        found.append(due)
        if due < 5:
            deadlines.add(due + 1, end(1), VIEW)
    assert found == [1, 2, 3]
    assert deadlines.first == 4


def test_an_end_event_may_stop_waiting_for_some_of_its_times() -> None:
    deadlines = Deadlines(PLAIN, "deadlines")
    for due in (2, 4, 6):
        deadlines.add(due, end(1), VIEW)
    deadlines.add(5, end(2), VIEW)
    deadlines.keep(end(1), {4, 8})
    deadlines.keep(end(3), ())
    assert (deadlines.first, len(deadlines)) == (4, 2)
    assert taken(deadlines, FOREVER) == [(4, ["b1"]), (5, ["b2"])]


def test_old_end_events_leave_whatever_they_wait_for_and_are_given_once() -> None:
    deadlines = Deadlines(PLAIN, "deadlines")
    for due, ordinal in [(12, 1), (15, 1), (13, 2)]:
        deadlines.add(due, end(ordinal), VIEW)
    assert [e.id for e in deadlines.drop(2)] == ["b1"]
    assert taken(deadlines, FOREVER) == [(13, ["b2"])]


@pytest.mark.interpreted
def test_what_is_known_again_waits_again() -> None:
    deadlines = Deadlines(PLAIN, "deadlines")
    deadlines.known.update({(8, 1): end(1), (4, 2): end(2)})
    deadlines.restore(cast("Views", Everywhere()))
    assert deadlines.first == 4
    assert taken(deadlines, FOREVER) == [(4, ["b2"]), (8, ["b1"])]


def test_what_waits_for_nothing_any_more_is_not_given_when_it_leaves() -> None:
    deadlines = Deadlines(PLAIN, "deadlines")
    deadlines.add(3, end(1), VIEW)
    assert taken(deadlines, FOREVER) == [(3, ["b1"])]
    assert deadlines.drop(FOREVER) == []


def looks(deadlines: Deadlines, often: int) -> list[bool]:
    """What is said of an end event each time that it was looked at in vain."""
    return [deadlines.missed(end(1)) for _ in range(often)]


def test_what_is_looked_at_in_vain_is_looked_at_as_a_whole_as_far_as_it_pays() -> None:
    deadlines = Deadlines(PLAIN, "deadlines")
    for due in range(100):
        deadlines.add(due, end(1), VIEW)
    assert looks(deadlines, 1) == [True]
    # Little was gone: it is looked at again after one in eight of those that are left.
    deadlines.keep(end(1), range(4, 100))
    assert looks(deadlines, 12) == [False] * 11 + [True]
    # Most was.
    deadlines.keep(end(1), range(70, 100))
    assert looks(deadlines, 1) == [True]
    # Few are left.
    deadlines.keep(end(1), range(72, 100))
    assert looks(deadlines, 8) == [False] * 7 + [True]
    assert not deadlines.missed(end(2))


def test_times_that_nothing_waits_for_any_more_take_no_room() -> None:
    deadlines = Deadlines(PLAIN, "deadlines")
    for ordinal in range(2, 5000):
        deadlines.add(ordinal, end(ordinal), VIEW)
        deadlines.keep(end(ordinal), ())
    deadlines.add(1, end(1), VIEW)
    assert len(deadlines._queue) < 2000
    assert taken(deadlines, FOREVER) == [(1, ["b1"])]
