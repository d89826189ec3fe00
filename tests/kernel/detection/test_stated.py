"""What was said of events is remembered as long as it may count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.detection import stated
from limecep.model.time import FOREVER
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    import pytest
    from conftest import Made

    from limecep.detection.stated import Held

PAIR = "SEQ(A a, B b) WITHIN 2 s"
A1 = ("A", "", "a1")


def known(made: Made) -> tuple[Held, ...]:
    assert made.detection.stated is not None
    return made.detection.stated.known(A1)


def test_of_a_withdrawal_that_comes_first_it_is_told_whether_its_event_came(revising: type[Made]) -> None:
    made = revising((PAIR, None))
    figures = made.detection.statistics.source("")
    made.says("a1@1v3x")
    assert figures.unmet == 1
    made.says("a1@1v4x")
    assert figures.unmet == 1
    made.says("a1@1v2")
    assert figures.unmet == 0
    made.says("a1@1v9", "a1@1v10x")
    assert figures.unmet == 0


def test_something_that_was_withdrawn_may_come_as_far_ahead_as_events_may_be_late(
    revising: type[Made],
) -> None:
    made = revising((PAIR, 5))
    stated = made.detection.stated
    assert stated is not None
    made.says("b1@20v1")
    assert stated.awaited_until == -FOREVER
    made.says("a1@1v2x", "a2@30v2x")
    assert stated.awaited_until == (30 + 5) * SECOND
    ever = revising((PAIR, None))
    ever.says("b1@20v1", "a1@1v2x")
    assert ever.detection.stated is not None
    assert ever.detection.stated.awaited_until == 20 * SECOND


def test_what_is_said_of_an_event_that_came_again_is_for_those_that_have_it(revising: type[Made]) -> None:
    made = revising((PAIR, None))
    made.says("a1@1v1", "a1@2v2", "a2@1v1", "a3@1v1", "a3@1v2x")
    assert made.detection.stated is not None
    gone_for = made.detection.stated.gone_for
    assert gone_for(made.statement("a1@1v1")) is None
    assert gone_for(made.statement("a1@2v2")) == frozenset()
    assert gone_for(made.statement("a2@1v1")) == frozenset()
    assert gone_for(made.statement("a3@1v1")) is None


def test_what_is_past_keeping_is_let_go(revising: type[Made], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stated, "LEAST_STATED", 10)
    made = revising((PAIR, 5))
    remembered = made.detection.stated
    assert remembered is not None
    remembered._look_at = 10
    for n in range(300):
        made.says(f"a{n}@{n}v1", f"b{n}@{n}v1", f"a{n}@{n}v2x", f"z@{n}v1")
        made.says(f"a@{n}v{n}")
    assert len(remembered._once) + len(remembered._stated) + len(remembered.gone) < 200


def test_of_too_many_withdrawals_the_oldest_are_let_go(
    revising: type[Made], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stated, "LEAST_STATED", 10)
    monkeypatch.setattr(stated, "ROOM_STATED", 20)
    made = revising((PAIR, None))
    assert made.detection.stated is not None
    made.detection.stated._look_at = 10
    for n in range(200):
        made.says(f"a{n}@{n}v2x")
    assert len(made.detection.stated._stated) < 60
