"""What goes out at once: late events correct it, after the slack, and time makes it final."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.model.time import FOREVER
from limecep.testing.policy_bench import Accepting, Waiting
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Life

AB = "SEQ(A a, B b) WITHIN 5 s"
SLACK = {"type": "fixed", "wait": "2s"}
ANNOUNCED: dict[str, Any] = {
    "lateness": {"type": "accept", "within": "6s"},
    "results": {"type": "corrected", "final": True},
}

engines = pytest.mark.parametrize("engine", ["maximal", "nfa"])


def ids(events: Any) -> list[str]:
    return [e.id for e in events]


def test_what_is_found_goes_out_when_its_end_event_comes(begin: Callable[..., Life]) -> None:
    life = begin(AB)
    manager = life.manager
    assert life.feed("a1 b3 b4") == ["emit a1 b3"]
    assert manager.awaited_types == {"B"}
    assert (manager.waits, manager.gathers, manager.pending, manager.decided) == (False, False, 0, None)
    assert {manager.slack_due, manager.next_deadline, manager.awaited_from} == {FOREVER}
    assert manager.give_up(9 * SECOND) == []


def test_an_event_that_no_step_takes_ends_nothing(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B b) WHERE b.v > 1 WITHIN 5 s", **ANNOUNCED)
    assert life.feed("a1=0 b2=0") == []
    assert life.manager.next_deadline == FOREVER
    assert life.feed("b3=2") == ["emit a1 b3"]
    assert life.manager.next_deadline == 9 * SECOND


def test_an_event_without_the_key_ends_nothing_and_changes_nothing(begin: Callable[..., Life]) -> None:
    life = begin(f"{AB} PARTITION BY v", slack=SLACK)
    assert life.feed("a1=1 b3 b4=1 a2@4") == ["emit a1 b4"]
    assert (life.manager.slack_waits, life.manager.slack_due) == (0, FOREVER)
    assert life.feed("a2.5=1@5 x7") == ["emit a2.5 b4"]


@engines
def test_late_events_are_looked_at_together_after_the_slack(begin: Callable[..., Life], engine: str) -> None:
    life = begin(AB, slack=SLACK, engine=engine)
    assert life.feed("a1 b3 b5 a2@5 a2.5@6") == ["emit a1 b3"]
    assert (life.manager.slack_waits, life.manager.slack_due) == (2, 7 * SECOND)
    assert life.manager.awaited_from == 2 * SECOND
    assert life.feed("x6.999999") == []
    assert sorted(life.feed("x7")) == ["emit a2 b3", "emit a2.5 b3"]
    assert {life.manager.slack_due, life.manager.awaited_from} == {FOREVER}


def test_a_late_event_that_touches_no_end_event_waits_for_nothing(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B b) WHERE a.v > 1 WITHIN 5 s", slack=SLACK)
    assert life.feed("a1=2 b3 a5=2 a4=2@5 a2=0@6") == ["emit a1 b3"]
    assert (life.manager.slack_waits, life.manager.slack_due) == (0, FOREVER)
    assert life.feed("b6") == ["emit a4 b6", "emit a5 b6"]


def test_a_late_event_joins_what_waits_although_there_is_no_slack_any_more(
    begin: Callable[..., Life],
) -> None:
    life = begin(AB, slack=SLACK)
    life.feed("a1 b3 b5 a2@5")
    life.keep()
    life.decide(slack=Waiting(0))
    assert life.feed("a2.5@6") == []
    again = life.restarted()
    assert again.feed("x7") == ["emit a2 b3", "emit a2.5 b3"]
    assert [u.cause_event and u.cause_event.id for u in again.updates] == ["a2.5", "a2.5"]


def test_each_key_has_a_slack_of_its_own(begin: Callable[..., Life]) -> None:
    life = begin(f"{AB} PARTITION BY v", slack=SLACK)
    life.feed("a1=1 a1.5=2 b3=1 b3.5=2 x5 a2=1@5 a2.5=2@6")
    assert life.feed("x7") == ["emit a2 b3"]
    assert life.manager.slack_due == 8 * SECOND
    assert life.feed("x8") == ["emit a2.5 b3.5"]


def test_end_events_are_looked_at_again_in_order(begin: Callable[..., Life]) -> None:
    life = begin(AB, select="stam", slack=SLACK)
    assert life.feed("a1 x6 b4@6 b3@6.5") == []
    assert life.feed("x8") == ["emit a1 b3", "emit a1 b4"]


@engines
def test_end_events_of_which_it_is_not_known_what_was_emitted_are_left_alone(
    begin: Callable[..., Life], engine: str
) -> None:
    life = begin(AB, engine=engine)
    life.feed("a1 b3 b5 x6")
    life.manager.sound_from = 3 * SECOND + 1
    assert life.feed("a2@6 b3.000000@6") == []
    life.manager.sound_from = 3 * SECOND
    assert life.feed("a2.5@6") == ["emit a2.5 b3"]


@pytest.mark.interpreted
@engines
def test_end_events_out_of_reach_are_left_alone(begin: Callable[..., Life], engine: str) -> None:
    life = begin(AB, engine=engine, select="stam")
    life.feed("a1 b3 b4 b5 x6")
    life.manager.touches = lambda event: (3 * SECOND + 1, 4 * SECOND)
    assert life.feed("a2@6") == ["emit a2 b4"]
    life.manager.touches = lambda event: (3 * SECOND, 5 * SECOND - 1)
    assert life.feed("a2.5@6") == ["emit a2.5 b3", "emit a2.5 b4"]


def test_a_late_end_event_is_evaluated_and_becomes_final(begin: Callable[..., Life]) -> None:
    life = begin(AB, **ANNOUNCED)
    assert life.feed("a1 x5 b3@5") == ["emit a1 b3"]
    assert life.feed("x9.1") == ["final a1 b3"]


def test_what_nothing_can_change_any_more_is_final(begin: Callable[..., Life]) -> None:
    life = begin(AB, **ANNOUNCED)
    assert life.feed("a1 b3") == ["emit a1 b3"]
    assert life.manager.waits
    assert life.manager.next_deadline == (3 + 6) * SECOND
    assert life.manager.awaited_from == (3 - 5) * SECOND
    assert life.feed("x9") == []
    assert life.feed("x9.000001") == ["final a1 b3"]
    assert {life.manager.next_deadline, life.manager.awaited_from} == {FOREVER}


def test_the_end_of_the_input_makes_all_final(begin: Callable[..., Life]) -> None:
    life = begin(AB, **ANNOUNCED)
    life.feed("a1 b3")
    assert life.finish() == ["final a1 b3"]


def test_nothing_older_than_what_is_final_is_accepted(begin: Callable[..., Life]) -> None:
    life = begin(AB, **ANNOUNCED)
    life.feed("a1 b3 x10")
    again = life.restarted()
    # As a policy that learns.
    for alive in (life, again):
        alive.decide(lateness=Accepting())
        assert alive.manager.horizon == 4 * SECOND
        alive.feed("a4@10 a3.9@10")
        [refusal] = alive.refused
        assert (refusal.event.id, alive.manager.refused) == ("a3.9", 1)
        assert alive.manager.latest_accepted == 6 * SECOND
        verdict = refusal.verdict
        assert verdict is not None
        assert (verdict.score, verdict.threshold) == (pytest.approx(6.1), 6.0)
        assert verdict.reason == "older than what is final"
        alive.decide(lateness=Accepting(5 * SECOND))
        assert alive.manager.horizon == 5 * SECOND


def test_what_waits_for_slack_is_looked_at_before_it_is_final(begin: Callable[..., Life]) -> None:
    life = begin(AB, slack=SLACK, **ANNOUNCED)
    life.feed("a1 b3 b5 a2@5")
    assert life.feed("x9.1@6") == ["emit a2 b3", "final a1 b3", "final a2 b3"]


def test_of_what_waits_for_slack_one_end_event_that_is_final_is_enough(begin: Callable[..., Life]) -> None:
    life = begin(AB, slack=SLACK, engine="nfa", **ANNOUNCED)
    life.feed("a1 b3 b5 x6 a2@6")
    assert life.feed("x9.1@6")[0] == "emit a2 b3"


def test_what_waits_for_slack_and_ends_later_goes_on_waiting(begin: Callable[..., Life]) -> None:
    life = begin(AB, slack=SLACK, **ANNOUNCED)
    life.feed("a1 b3 b6 x7 a5@7")
    assert life.feed("x9.5@7") == ["final a1 b3"]
    assert life.manager.slack_due == 9 * SECOND


def test_what_is_final_is_said_before_a_late_event_changes_anything(begin: Callable[..., Life]) -> None:
    life = begin(AB, **ANNOUNCED)
    life.feed("a1 b3 x8")
    life.decide(lateness=Accepting(SECOND))
    assert life.manager.prepare(written("a7.5")[0]) is not None
    assert life.told() == ["final a1 b3"]


def test_what_has_to_do_with_events_that_leave_is_looked_at_at_once(begin: Callable[..., Life]) -> None:
    life = begin(AB, slack=SLACK, **ANNOUNCED)
    life.feed("a1 b3 b6 x7 a5@7")
    life.manager.settle(5 * SECOND)
    assert life.told() == []
    life.decide(lateness=Accepting(3 * SECOND))
    life.manager.settle(5 * SECOND + 1)
    assert life.told() == ["final a1 b3", "emit a5 b6"]
    assert life.manager.slack_due == FOREVER


def test_what_settling_makes_final_is_said(begin: Callable[..., Life]) -> None:
    life = begin(AB, slack=SLACK, **ANNOUNCED)
    life.feed("a1 x6 b3@6")
    life.decide(lateness=Accepting(SECOND))
    life.manager.settle(4 * SECOND)
    assert life.told() == ["emit a1 b3", "final a1 b3"]


def test_what_leaves_before_it_is_final_is_given(begin: Callable[..., Life]) -> None:
    life = begin(AB, **ANNOUNCED)
    life.feed("a1 b3 a4 b5")
    assert ids(life.manager.give_up(5 * SECOND)) == ["b3"]
    assert life.finish() == ["final a4 b5"]


def test_what_waits_goes_on_after_a_stop(begin: Callable[..., Life]) -> None:
    life = begin(AB, slack=SLACK, **ANNOUNCED)
    life.feed("a1 b3 b5 a2@5")
    again = life.restarted()
    assert again.manager.slack_due == 7 * SECOND
    assert again.manager.slack_waits == 1
    assert again.feed("x8") == ["emit a2 b3"]
    assert again.feed("x9.1") == ["final a1 b3", "final a2 b3"]


def test_the_shortest_slack_is_waited_for(begin: Callable[..., Life]) -> None:
    life = begin(AB)
    life.feed("a1 b3 b5")
    life.decide(slack=Waiting(1))
    assert life.feed("a2@5") == []
    assert (life.manager.slack_waits, life.manager.slack_due) == (1, 5 * SECOND + 1)


@engines
def test_what_comes_at_the_latest_time_while_others_wait_is_looked_at_with_them(
    begin: Callable[..., Life], engine: str
) -> None:
    life = begin(AB, select="stam", slack=SLACK, engine=engine)
    assert sorted(life.feed("a1 b3 a2@3 b3.0@3")) == ["emit a1 b3", "emit a1 b3.0", "emit a2 b3.0"]
    assert sorted(life.feed("a2.5@3 x6")) == ["emit a2 b3", "emit a2.5 b3", "emit a2.5 b3.0"]


def test_what_late_events_change_and_change_back_is_not_said(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B b, C c) WITHIN 9 s", slack=SLACK)
    assert life.feed("a1 b5 c6 b4@6 b3@6") == ["emit a1 b5 c6"]
    assert life.feed("x8") == ["retract a1 b5 c6", "emit a1 b3 c6"]
    assert life.feed("a9 x12 b10@12 b9.5@12 x14") == []
    assert life.manager.slack_due == FOREVER


def test_a_late_event_that_changes_nothing_waits_for_nothing(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B b, C c) WITHIN 9 s", slack=SLACK)
    life.feed("a1 b3 c6 b5@6")
    assert (life.manager.slack_waits, life.manager.slack_due) == (0, FOREVER)
    assert life.detection.patterns()["p"]["on_demand_runs"] == 0


@pytest.mark.interpreted
def test_of_what_changes_only_end_events_within_reach_count(begin: Callable[..., Life]) -> None:
    life = begin(AB)
    life.feed("a1 b5 x6")
    life.manager.touches = lambda event: (3 * SECOND, 4 * SECOND)
    assert life.feed("b3@6") == ["emit a1 b3"]
    assert life.feed("b2@6") == ["retract a1 b3", "emit a1 b2"]


def test_where_changes_are_not_known_what_waits_is_looked_at_before(begin: Callable[..., Life]) -> None:
    life = begin(AB, slack=SLACK, results={"type": "corrected", "max_per_end": 2})
    life.feed("a1 b5 a2@5")
    assert life.manager.slack_due == 7 * SECOND
    # A third start in the window: only end events can tell.
    assert life.feed("a3@6") == ["emit a2 b5"]
    assert life.manager.slack_due == 8 * SECOND
    assert life.feed("x8") == []
