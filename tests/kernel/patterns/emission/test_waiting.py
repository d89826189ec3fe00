"""Matches that wait for event time."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from limecep.contracts.tables import PLAIN
from limecep.language.parser import parse
from limecep.model.match import Match
from limecep.model.time import FOREVER
from limecep.patterns.emission.waiting import Waiting
from limecep.patterns.timing import Timing
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Ordering
from limecep.store.view import View
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.store.views import Views

VIEW = View((), (), Ordering(1))
PLAN = compile_plan(parse("PATTERN OR(SEQ(A a, B b), SEQ(A a, B b, !C c)) WITHIN 5 s"), name="p")
EVENTS = written("a1 b3")
for number, event in enumerate(EVENTS, start=1):
    event.ordinal = number
AT_ONCE, IN_TIME = (Match(a, tuple((e,) for e in EVENTS)) for a in PLAN.alternatives)


class Everywhere:
    """One view for all events."""

    def of(self, event: Event) -> View:
        return VIEW


def waiting() -> Waiting:
    return Waiting(Timing(PLAN, "eager"), PLAIN)


def test_a_match_has_passed_when_time_is_past_all_it_waits_for() -> None:
    made = waiting()
    assert [made.has_passed(m) for m in (AT_ONCE, IN_TIME)] == [True, False]
    made.settled = 6 * SECOND
    assert not made.has_passed(IN_TIME)
    made.settled += 1
    assert made.has_passed(IN_TIME)


def test_only_what_has_not_passed_waits() -> None:
    made = waiting()
    assert made.add(EVENTS[1], VIEW, [AT_ONCE]) == [AT_ONCE]
    assert (len(made.deadlines), made.deadlines.first) == (0, FOREVER)
    assert made.add(EVENTS[1], VIEW, [AT_ONCE, IN_TIME]) == [AT_ONCE]
    assert (len(made.deadlines), made.deadlines.first) == (1, 6 * SECOND)
    made = waiting()
    made.settled = 6 * SECOND + 1
    made.add(EVENTS[1], VIEW, [IN_TIME])
    assert len(made.deadlines) == 0
    made.settled = 6 * SECOND
    made.add(EVENTS[1], VIEW, [IN_TIME])
    assert len(made.deadlines) == 1


@pytest.mark.interpreted
def test_it_goes_on_where_it_stopped() -> None:
    made = waiting()
    made.settled = 4 * SECOND
    made.add(EVENTS[1], VIEW, [IN_TIME])
    again = waiting()
    again.deadlines.known.update(made.deadlines.known)
    again.restore(made.snapshot(), cast("Views", Everywhere()))
    assert (again.settled, again.deadlines.first) == (4 * SECOND, 6 * SECOND)
