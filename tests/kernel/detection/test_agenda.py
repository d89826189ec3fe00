"""The agenda: what is done when time has come so far."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.detection.agenda import Agenda
from limecep.model.time import FOREVER
from limecep.statistics import Statistics

pytestmark = pytest.mark.interpreted


class Manager:
    """An event manager that waits until a time.

    Attributes:
        done: What it was told to do: the arrival time, or the event time at that moment.
    """

    def __init__(self, *, slack: int = FOREVER, deadline: int = FOREVER, waits: bool = True) -> None:
        self.waits, self.gathers = waits, False
        self.slack_due = slack
        self.next_deadline = deadline
        self.done: list[str] = []
        self.statistics: Any = None

    def run_slack(self, now: int) -> None:
        self.done.append(f"slack {now}")
        self.slack_due = FOREVER

    def run_due(self) -> None:
        self.done.append(f"due {self.statistics.lta}")
        self.next_deadline = FOREVER


def made(*managers: Any, now: int = 0, lta: int = 0, over: bool = False) -> Agenda:
    statistics = Statistics()
    statistics.lta = lta
    for manager in managers:
        manager.statistics = statistics
    time: Any = SimpleNamespace(over=over)
    return Agenda(managers, ManualClock(now), time, statistics)


def test_it_is_timed_where_a_pattern_waits_or_gathers() -> None:
    gathering = Manager(waits=False)
    assert not made(gathering).timed
    gathering.gathers = True
    assert made(Manager(waits=False), gathering).timed
    assert made(Manager(waits=True), Manager(waits=False)).timed


def test_before_anything_is_noted_nothing_is_due() -> None:
    agenda = made(Manager(slack=1, deadline=1))
    assert (agenda.slack_due, agenda.time_due, agenda.next_deadline) == (FOREVER, FOREVER, FOREVER)


def test_the_earliest_of_all_patterns_is_due_next() -> None:
    agenda = made(Manager(deadline=7), Manager(deadline=5), Manager(deadline=3, waits=False))
    assert agenda.note() == agenda.next_deadline == agenda.time_due == 5
    assert agenda.slack_due == FOREVER


def test_while_something_waits_for_slack_any_event_time_may_matter() -> None:
    agenda = made(Manager(slack=9, deadline=7), Manager(slack=8), Manager(slack=9))
    assert agenda.note() == agenda.next_deadline == -FOREVER
    assert (agenda.slack_due, agenda.time_due) == (8, 7)


def test_deadlines_that_event_time_has_passed_are_run_and_no_others() -> None:
    passed, reached = Manager(deadline=4), Manager(deadline=5)
    agenda = made(passed, reached, lta=3)
    assert agenda.run(5) == agenda.next_deadline == 5
    assert (passed.done, reached.done) == (["due 5"], [])


def test_event_time_does_not_go_back() -> None:
    manager = Manager(deadline=4)
    made(manager, lta=9).run(5)
    assert manager.done == ["due 9"]


def test_when_the_input_is_over_everything_is_run() -> None:
    manager = Manager(deadline=9)
    made(manager, over=True).run(5)
    assert manager.done == ["due 5"]


def test_slack_is_looked_at_once_its_arrival_time_has_come() -> None:
    for now, done in ((7, []), (8, ["slack 8"]), (9, ["slack 9"])):
        waiting, other = Manager(slack=8), Manager(slack=20)
        agenda = made(waiting, other, now=now)
        agenda.note()
        agenda.run_slack()
        assert waiting.done == other.done == done
        assert agenda.slack_due == (FOREVER if done else 8)


def test_what_has_waited_for_slack_is_looked_at_before_deadlines_are() -> None:
    manager = Manager(slack=8, deadline=4)
    agenda = made(manager, now=8)
    agenda.note()
    assert agenda.run(5) == FOREVER
    assert manager.done == ["slack 8", "due 5"]


def test_of_patterns_that_do_not_wait_only_those_are_asked_that_a_late_event_may_have_changed() -> None:
    class Asked(Manager):
        """Counts how often it is asked whether something waits for slack."""

        asked = 0

        def __getattribute__(self, name: str) -> Any:
            if name == "slack_due":
                self.asked += 1
            return super().__getattribute__(name)

    quiet, changed, waiting = Asked(waits=False), Asked(waits=False), Asked()
    agenda = made(quiet, changed, waiting)
    agenda.note()
    quiet.asked = changed.asked = waiting.asked = 0
    changed.slack_due = 7
    agenda.look_at([changed])
    assert (agenda.slack_due, agenda.next_deadline) == (7, -FOREVER)
    assert (quiet.asked, changed.asked, waiting.asked) == (0, 1, 0)
    agenda.note()
    assert (quiet.asked, changed.asked, waiting.asked) == (0, 2, 1)
    changed.slack_due = FOREVER
    agenda.note()
    agenda.note()
    assert (agenda.slack_due, changed.asked) == (FOREVER, 3)


def test_slack_is_looked_at_in_the_order_of_the_pipeline() -> None:
    ran: list[str] = []
    first, second = Manager(waits=False), Manager(waits=False)
    agenda = made(first, second, now=9)
    agenda.note()
    for name, manager in (("second", second), ("first", first)):
        manager.slack_due = 5
        manager.run_slack = lambda now, name=name: ran.append(name)  # type: ignore[method-assign]
        agenda.look_at([manager])
    agenda.note()
    agenda.run_slack()
    assert ran == ["first", "second"]
