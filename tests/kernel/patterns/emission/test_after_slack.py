"""What goes out after the slack: end events wait for late events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.time import FOREVER
from limecep.testing.policy_bench import Waiting
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Life

AB = "SEQ(A a, B b) WITHIN 5 s"
GAP = "SEQ(A a, !C c, B b) WITHIN 5 s"
ABSENCE = "SEQ(A a, B b, !C c) WITHIN 5 s"
AFTER_SLACK: dict[str, Any] = {
    "slack": {"type": "fixed", "wait": "2s"},
    "results": {"type": "corrected", "emit": "slack"},
}


def test_an_end_event_that_comes_in_order_waits_for_late_ones(begin: Callable[..., Life]) -> None:
    life = begin(AB, **AFTER_SLACK)
    assert life.manager.gathers
    assert life.feed("a1 b3") == []
    assert (life.manager.slack_due, life.manager.awaited_from) == (5 * SECOND, 3 * SECOND)
    # It waits; it did not come late.
    assert life.manager.slack_waits == 0
    assert life.feed("a4 b4.5") == []
    assert life.manager.slack_due == 5 * SECOND
    assert life.feed("x5") == ["emit a1 b3", "emit a4 b4.5"]
    assert [u.cause for u in life.updates] == ["in_order", "in_order"]
    assert life.manager.slack_due == FOREVER


def test_what_comes_within_the_slack_corrects_nothing(begin: Callable[..., Life]) -> None:
    assert begin(GAP, **AFTER_SLACK).feed("a1 b3 c2@4 x5") == []
    assert begin(AB, **AFTER_SLACK).feed("a1 b3 a2@4 x5") == ["emit a1 b3", "emit a2 b3"]
    assert begin(GAP, **AFTER_SLACK).feed("a1 b3 x5 c2@5 x7") == ["emit a1 b3", "retract a1 b3"]


def test_without_slack_it_goes_out_at_once(begin: Callable[..., Life]) -> None:
    life = begin(AB, **AFTER_SLACK | {"slack": "none"})
    assert life.feed("a1 b3") == ["emit a1 b3"]
    assert life.manager.slack_due == FOREVER
    life.decide(slack=Waiting(1))
    assert life.feed("a4 b5") == []


def test_what_waits_for_slack_goes_on_after_a_stop(begin: Callable[..., Life]) -> None:
    life = begin(AB, **AFTER_SLACK)
    life.feed("a1 b3 a2@4")
    again = life.restarted()
    assert again.feed("x5") == ["emit a1 b3", "emit a2 b3"]
    assert [u.cause for u in again.updates] == ["in_order", "late_event"]


def test_after_the_slack_some_matches_wait_for_time(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE, **AFTER_SLACK)
    assert life.manager.gathers
    assert life.feed("a1 b3") == []
    assert (life.manager.slack_due, life.manager.pending) == (5 * SECOND, 0)
    assert life.feed("x5.5") == []
    assert (life.manager.slack_due, life.manager.pending) == (FOREVER, 1)
    assert life.feed("x6.1") == ["emit a1 b3"]


def test_what_time_has_decided_meanwhile_goes_out_after_the_slack(begin: Callable[..., Life]) -> None:
    life = begin(ABSENCE, **AFTER_SLACK)
    assert life.feed("a1 b3 x6.1@4") == []
    assert life.feed("x6.2@5") == ["emit a1 b3"]
