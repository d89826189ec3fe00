"""What goes out when event time has passed: that no event forbids it, or that it grows no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.model.time import FOREVER
from limecep.testing.policy_bench import Accepting
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Life

ABSENCE = "SEQ(A a, B b, !C c) WITHIN 5 s"
COMPLETE: dict[str, Any] = {"results": {"type": "corrected", "emit": "complete"}}
ANNOUNCED: dict[str, Any] = {
    "lateness": {"type": "accept", "within": "6s"},
    "results": {"type": "corrected", "final": True},
}


def test_what_may_be_forbidden_waits_until_its_window_has_passed(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE)
    manager = life.manager
    assert manager.waits
    assert not manager.gathers
    assert manager.awaited_types == {"B", "C"}
    assert life.feed("a1 b3 x6") == []
    assert (manager.pending, manager.next_deadline) == (1, 6 * SECOND)
    assert manager.awaited_from == SECOND
    assert life.feed("x6.000001") == ["emit a1 b3"]
    assert [(u.cause, u.cause_event) for u in life.updates] == [("time", None)]
    assert (manager.pending, manager.next_deadline, manager.awaited_from) == (0, FOREVER, FOREVER)


def test_what_is_forbidden_meanwhile_never_goes_out(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE)
    assert life.feed("a1 b3 c4 x7") == []
    assert life.manager.pending == 0


@pytest.mark.parametrize("engine", ["maximal", "nfa"])
def test_what_a_look_shows_to_be_forbidden_is_not_looked_for(begin: Callable[..., Life], engine: str) -> None:
    life = begin("SEQ(A a, B+ b[], !C c) WHERE c.v = a.v WITHIN 5 s", engine=engine)
    assert life.feed("a1=1 a1.5=2 a2=3 b3 c4=1 c4.5=2 x8") == ["emit a2 b3"]
    # When b3 came, and for a2.
    [figures] = life.detection.patterns().values()
    assert figures["engine_runs"] == 2


def test_a_match_whose_time_has_passed_goes_out_at_once(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE)
    assert life.feed("a1 x7 b3@7") == ["emit a1 b3"]
    assert life.feed("c4@7") == ["retract a1 b3"]
    assert life.feed("a6 x10 b10@10") == []
    assert life.finish() == ["emit a6 b10"]


def test_a_match_that_waits_for_nothing_goes_out_when_its_end_event_comes(begin: Callable[..., Life]) -> None:
    life = begin("OR(SEQ(A a, B b), SEQ(A a, D d, !C c)) WITHIN 5 s")
    assert life.feed("a1 b3") == ["emit a1 b3"]
    assert [(u.cause, u.cause_event and u.cause_event.id) for u in life.updates] == [("in_order", "b3")]
    assert life.feed("d4 x7") == ["emit a1 d4"]


def test_a_match_that_may_grow_goes_out_once_as_the_longest(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B+ b[]) WITHIN 5 s", **COMPLETE)
    assert life.feed("a1 b2 b3 x6") == []
    assert life.feed("x6.1") == ["emit a1 b2 b3"]


def test_matches_of_one_end_event_wait_each_for_its_own_time(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE)
    assert life.feed("a1 a2 b3 x6.5") == ["emit a1 b3"]
    assert (life.manager.pending, life.manager.next_deadline) == (1, 7 * SECOND)
    assert life.feed("x7.5") == ["emit a2 b3"]


@pytest.mark.parametrize(
    ("query", "events"),
    [(ABSENCE, "a1 a2 b3 c4"), ("SEQ(A a, B b, !C c) WHERE c.v = b.v WITHIN 5 s", "a1 a2 b3=1 c4=1")],
)
def test_what_has_been_forbidden_waits_for_nothing_more(
    begin: Callable[..., Life], query: str, events: str
) -> None:
    life = begin(query)
    life.feed(events)
    assert life.manager.pending == 2
    assert life.feed("x6.5") == []
    assert life.manager.pending == 0


def test_what_an_event_brings_to_light_waits(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE)
    # The A is taken by the first B, until C forbids that match and spares what ends with it.
    assert life.feed("a1 b3 b4 c4") == []
    assert life.feed("x6.1") == ["emit a1 b4"]


def test_what_an_event_of_another_key_or_none_brings_to_light_waits_for_nothing(
    begin: Callable[..., Life],
) -> None:
    keyed = f"{ABSENCE} PARTITION BY v"
    assert begin(keyed).feed("a1=1 b3=1 b4=1 c4 c4.5=2 x6.1") == ["emit a1 b3"]
    assert begin(keyed).feed("a1=1 b3=1 b4=1 c4=1 x6.1") == ["emit a1 b4"]


def test_nothing_is_brought_to_light_where_it_is_not_known_what_was_emitted(
    begin: Callable[..., Life],
) -> None:
    life = begin(ABSENCE)
    life.feed("a1 b3 b4")
    life.manager.sound_from = 4 * SECOND + 1
    assert life.feed("c4 x6.1") == []


def test_what_waits_for_slack_is_not_decided_by_time_alone(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE, slack={"type": "fixed", "wait": "9s"})
    assert life.feed("a1 b3 a2@4 x6.5@4.5") == []
    assert life.feed("x6.6@13") == ["emit a1 b3"]
    assert life.manager.pending == 1
    assert life.feed("x7.1@13") == ["emit a2 b3"]


def test_what_has_gone_out_in_time_becomes_final(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE, **ANNOUNCED)
    life.feed("a1 b3")
    # The match goes out after 6 s; an event of up to 8 s can change it, and may come 6 s late.
    assert life.manager.next_deadline == 6 * SECOND
    assert life.feed("x6.1") == ["emit a1 b3"]
    assert (life.manager.next_deadline, life.manager.awaited_from) == (14 * SECOND, 3 * SECOND)
    assert life.feed("x14") == []
    assert life.feed("x14.1") == ["final a1 b3"]


def test_what_is_awaited_is_what_waits_longest(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE, **ANNOUNCED)
    life.feed("a1 b5")
    assert life.manager.awaited_from == SECOND
    life = begin(ABSENCE, **ANNOUNCED)
    life.feed("a1 b3 x6.1 a6.5 b9")
    assert (life.manager.awaited_from, life.manager.next_deadline) == (3 * SECOND, 11.5 * SECOND)


def test_what_leaves_before_its_time_is_given_and_left_alone(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE)
    life.feed("a1 b3 a3.5 b4")
    assert life.manager.give_up(3 * SECOND) == []
    assert [e.id for e in life.manager.give_up(3 * SECOND + 1)] == ["b3"]
    assert life.manager.sound_from == 3 * SECOND + 1
    assert life.manager.pending == 1
    life.manager.sound_from = 4 * SECOND + 2
    assert [e.id for e in life.manager.give_up(9 * SECOND)] == ["b4"]
    assert life.manager.sound_from == 4 * SECOND + 2
    assert life.finish() == []


def test_what_leaves_before_it_is_final_is_given_too(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE, **ANNOUNCED)
    life.feed("a1 b3 x6.1 a6.5 b7")
    assert [e.id for e in life.manager.give_up(8 * SECOND)] == ["b7", "b3", "b7"]
    assert life.finish() == []


def test_time_that_has_passed_does_not_come_again(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE)
    life.feed("a1 b3 x7")
    life.manager._progress = lambda: 2 * SECOND
    life.manager.run_due()
    [match] = [u.match for u in life.updates]
    assert life.manager.decided(match)


def test_what_waits_for_time_goes_on_after_a_stop(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE, **ANNOUNCED)
    life.feed("a1 b3 x6.1 a6.5 b7")
    again = life.restarted()
    [match] = [u.match for u in life.updates]
    assert again.manager.decided(match)
    assert again.manager.pending == 1
    assert again.feed("x11.6") == ["emit a6.5 b7"]
    assert again.feed("x18.1") == ["final a1 b3", "final a6.5 b7"]


def test_nothing_older_than_what_was_final_is_accepted_after_a_stop(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE, **ANNOUNCED)
    life.feed("a1 b3 x14.1")
    again = life.restarted()
    again.decide(lateness=Accepting())
    assert again.manager.horizon == 8.1 * SECOND
