"""What goes out when nothing can change it any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.model.time import FOREVER
from limecep.testing.policy_bench import Accepting
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Life

AB = "SEQ(A a, B b) WITHIN 5 s"
FINAL: dict[str, Any] = {
    "lateness": {"type": "accept", "within": "6s"},
    "results": {"type": "corrected", "emit": "final"},
}
SKIPPING: dict[str, Any] = {**FINAL, "results": {**FINAL["results"], "skip": "past-last"}}


def test_a_match_goes_out_when_every_event_that_could_change_it_is_too_late(
    begin: Callable[..., Life],
) -> None:
    life = begin(AB, **FINAL)
    manager = life.manager
    assert (manager.waits, manager.gathers, manager.slack_due) == (True, False, FOREVER)
    assert (manager.next_deadline, manager.awaited_from) == (FOREVER, FOREVER)
    assert life.feed("a1 b3") == []
    assert (manager.pending, manager.next_deadline) == (1, 9 * SECOND)
    assert manager.awaited_from == (3 - 5) * SECOND
    assert life.feed("x9") == []
    assert life.feed("x9.000001") == ["emit! a1 b3"]
    assert [(u.cause, u.cause_event) for u in life.updates] == [("time", None)]
    assert (manager.pending, manager.next_deadline, manager.awaited_from) == (0, FOREVER, FOREVER)


def test_events_that_end_nothing_wait_for_nothing(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B b) WHERE b.v > 1 WITHIN 5 s PARTITION BY k", **FINAL)
    life.feed("b3=1 b4=2")
    assert life.manager.pending == 0
    life = begin("SEQ(A a, B b) WHERE b.v > 1 WITHIN 5 s", **FINAL)
    life.feed("b3=1 b4=2 b3.5=2@5 b3.6=1@5")
    assert life.manager.pending == 2


def test_late_events_are_part_of_what_goes_out(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, !C c, B b) WITHIN 5 s", **FINAL)
    assert life.feed("a1 b3 a4 x8 c2@8 b6@8 x12.1") == ["emit! a4 b6"]


@pytest.mark.parametrize(
    "stream", ["a1 b2=1 b3=2 c4=1 x13", "a1 b2=1 b3=2 x7 c4=1@8 x13", "a1 b2=1 b3=2 c6=1 x13"]
)
def test_what_a_later_event_brings_to_light_goes_out_too(begin: Callable[..., Life], stream: str) -> None:
    life = begin("SEQ(A a, B b, !C n) WHERE n.v = b.v WITHIN 5 s", **FINAL)
    assert life.feed(stream) == ["emit! a1 b3"]
    assert life.manager.pending == 0
    assert life.manager.awaited_types == {"B", "C"}


def test_a_late_end_event_of_which_it_is_not_known_what_was_emitted_is_left_alone(
    begin: Callable[..., Life],
) -> None:
    life = begin(AB, **FINAL)
    life.feed("a1 x8")
    life.manager.sound_from = 3 * SECOND
    life.feed("b2.5@8 b3@8")
    assert life.manager.pending == 1


def test_an_event_that_changes_nothing_is_not_prepared(begin: Callable[..., Life]) -> None:
    keyed = begin(f"{AB} PARTITION BY v", **FINAL)
    keyed.feed("a1=1 b3=1 x6")
    assert keyed.manager.prepare(written("a2")[0]) is None
    assert keyed.manager.prepare(written("a2=1")[0]) is not None
    chosen = begin("SEQ(A a, B b) WHERE a.v > 1 WITHIN 5 s", **FINAL)
    chosen.feed("a1=2 b3 x6")
    assert chosen.manager.prepare(written("a2=1")[0]) is None
    assert chosen.manager.prepare(written("a2=2")[0]) is not None


def test_what_is_final_goes_out_before_a_late_event_enters(begin: Callable[..., Life]) -> None:
    life = begin(AB, **FINAL)
    life.feed("a1 b3 x8")
    life.decide(lateness=Accepting(SECOND))
    life.manager.prepare(written("a7.5")[0])
    assert life.told() == ["emit! a1 b3"]


def test_a_match_that_may_be_forbidden_waits_for_its_window_too(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B b, !C c) WITHIN 5 s", **FINAL)
    assert life.feed("a1 b3 x9.1") == []
    assert (life.manager.pending, life.manager.next_deadline) == (1, 12 * SECOND)
    assert life.feed("x12.1") == ["emit! a1 b3"]
    assert life.manager.pending == 0


def test_a_match_that_may_grow_goes_out_once_as_the_longest(begin: Callable[..., Life]) -> None:
    assert begin("SEQ(A a, B+ b[]) WITHIN 5 s", **FINAL).feed("a1 b2 b3 x12.1") == ["emit! a1 b2 b3"]


def test_nothing_older_than_what_is_final_is_accepted(begin: Callable[..., Life]) -> None:
    life = begin(AB, **FINAL)
    life.feed("a1 b3 x10")
    again = life.restarted()
    # As a policy that learns.
    for alive in (life, again):
        alive.decide(lateness=Accepting())
        alive.feed("a4@10 a3.9@10")
        assert [r.event.id for r in alive.refused] == ["a3.9"]
        assert alive.manager.horizon == 4 * SECOND


def test_what_has_become_too_late_since_is_not_accepted_either(begin: Callable[..., Life]) -> None:
    life = begin(AB, **FINAL)
    life.feed("a1 b3 x10")
    strict = Accepting(SECOND)
    strict.assess = Accepting().assess  # type: ignore[method-assign]
    life.decide(lateness=strict)
    life.feed("a8.9@10 a9@10")
    assert [r.event.id for r in life.refused] == ["a8.9"]


def test_what_is_final_stays_so_when_time_seems_to_go_back(begin: Callable[..., Life]) -> None:
    life = begin(AB, **FINAL)
    life.feed("a1 b3 x10")
    [match] = [u.match for u in life.updates]
    life.decide(lateness=Accepting())
    life.manager.run_due()
    assert life.manager.decided(match)
    assert life.manager.horizon == 4 * SECOND


def test_under_a_skip_strategy_a_match_goes_out_when_none_can_drop_it(begin: Callable[..., Life]) -> None:
    life = begin(AB, select="stam", **SKIPPING)
    assert life.feed("a1 a2 b3 b4 a5 b6") == []
    assert (life.manager.next_deadline, life.manager.awaited_from) == (9 * SECOND, (3 - 5) * SECOND)
    assert life.feed("x9.1") == ["emit! a1 b3"]
    assert life.feed("x20") == ["emit! a5 b6"]
    assert life.manager.next_deadline == FOREVER


def test_under_a_skip_strategy_a_match_may_wait_for_others_alone(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B+ b[]) WITHIN 5 s", **SKIPPING)
    assert life.feed("a1 b3 x12.1") == []
    # An event of up to 8 s may still make a match that drops this one, or is dropped.
    assert (life.manager.pending, life.manager.next_deadline) == (0, 14 * SECOND)
    assert life.manager.awaited_from == 3 * SECOND
    again = life.restarted()
    assert again.feed("x14") == []
    assert again.feed("x14.1") == life.feed("x14.1") == ["emit! a1 b3"]


def test_what_leaves_before_it_is_final_is_given_and_left_alone(begin: Callable[..., Life]) -> None:
    life = begin(AB, **FINAL)
    life.feed("a1 b3 a3.5 b4")
    assert [e.id for e in life.manager.give_up(3 * SECOND + 1)] == ["b3"]
    assert life.manager.sound_from == 3 * SECOND + 1
    life.manager.sound_from = 9 * SECOND
    assert [e.id for e in life.manager.give_up(5 * SECOND)] == ["b4"]
    assert life.manager.sound_from == 9 * SECOND
    assert life.finish() == []


def test_under_a_skip_strategy_what_leaves_before_it_may_go_out_is_given(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B+ b[]) WITHIN 5 s", **SKIPPING)
    life.feed("a1 b3 x12.1")
    assert [e.id for e in life.manager.give_up(4 * SECOND)] == ["b3"]
    assert life.manager.next_deadline == FOREVER


@pytest.mark.parametrize("options", [FINAL, SKIPPING])
def test_what_waits_goes_on_after_a_stop(begin: Callable[..., Life], options: dict[str, Any]) -> None:
    life = begin(AB, **options)
    life.feed("a1 b3 x9.1 a9.2 b9.5")
    again = life.restarted()
    [match] = [u.match for u in life.updates]
    assert again.manager.decided(match)
    assert again.feed("x15.6") == ["emit! a9.2 b9.5"]


def test_time_passes_where_nothing_waits(begin: Callable[..., Life]) -> None:
    life = begin(AB, **FINAL)
    life.feed("a1 b3 x9.1")
    [match] = [u.match for u in life.updates]
    again = begin(AB, **FINAL)
    again.feed("x9.1")
    again.manager.run_due()
    assert again.manager.decided(match)


def test_a_match_whose_window_ends_right_after_it_goes_out(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B b, !C c) WITHIN 5 s", **FINAL)
    assert life.feed("a1 b5.999999 x12.1") == ["emit! a1 b5.999999"]


def test_under_a_skip_strategy_only_what_is_settled_goes_out(begin: Callable[..., Life]) -> None:
    life = begin("SEQ(A a, B+ b[]) WITHIN 5 s PARTITION BY v", **SKIPPING)
    assert life.feed("a1=1 b2=1 a2.5=2 b3=2 x14") == ["emit! a1 b2"]
    assert life.feed("x14.000001") == ["emit! a2.5 b3"]
