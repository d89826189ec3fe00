"""An event leaves: what each way to emit does about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Made

ABSENT = "SEQ(A a, !B b) WITHIN 4 s"


def test_what_waits_for_slack_is_told_as_if_the_event_had_never_been(revising: type[Made]) -> None:
    made = revising(("SEQ(A a, B b) WITHIN 9 s", None), emit="slack", wait=5)
    assert made.says("a1@1v1", "b1@3v1", "b1@3v2x") == []
    made.detection.finish()
    assert made.told() == []


def test_what_is_taken_back_after_the_slack_is_said_after_the_slack(revising: type[Made]) -> None:
    made = revising(("SEQ(A a, B b) WITHIN 9 s", None), wait=2)
    assert made.says("a1@1v1", "b1@3v1", "a1@1v2x") == ["emit1 a1 b1 in_order"]
    assert made.says("z1@3v1", "z2@4v1", "z3@5v1") == ["retract2 a1 b1 withdrawal"]


@pytest.mark.parametrize("gone", ["a1@1v2x", "a1@1v2"])
def test_an_end_event_that_waits_for_time_waits_no_more(revising: type[Made], gone: str) -> None:
    made = revising((ABSENT, None))
    made.says("a1@1v1", gone)
    assert made.says("z1@9v1", "a9@9v1") == (["emit1 a1 time"] if gone == "a1@1v2" else [])


def test_what_forbade_a_match_leaves_it_to_be_told_in_time(revising: type[Made]) -> None:
    made = revising((ABSENT, None))
    made.says("a1@1v1", "b1@2v1", "b1@2v2x")
    assert made.says("a9@9v1") == ["emit1 a1 time"]
    late = revising((ABSENT, None))
    late.says("a1@1v1", "b1@2v1", "a9@9v1")
    assert late.says("b1@2v2x") == ["emit1 a1 withdrawal"]


def test_what_goes_out_when_it_is_final_is_what_counts_then(revising: type[Made]) -> None:
    made = revising((ABSENT, 6), emit="final")
    made.says("a1@1v1", "b1@3v1", "a2@5v1", "b1@3v2x", "a2@5v2x")
    assert made.says("a9@30v1") == ["emit1 a1 time"]


def test_nothing_final_is_said_of_what_has_left(revising: type[Made]) -> None:
    made = revising(("SEQ(A a) WITHIN 1 s", 3), final=True)
    made.says("a1@1v1", "a2@1v1", "a1@1v2x")
    assert [u for u in made.says("a9@30v1") if u.startswith("final")] == ["final1 a2 time"]


def test_what_was_taken_back_and_is_told_in_time_again_goes_on_counting(revising: type[Made]) -> None:
    made = revising((ABSENT, None))
    assert made.says("a1@1v1", "a8@9v1") == ["emit1 a1 time"]
    assert made.says("a1@10v2") == ["retract2 a1 revision"]
    assert made.says("a9@20v1") == ["emit1 a8 time", "emit3 a1 time"]


def test_what_was_withdrawn_and_said_again_goes_on_counting_when_time_tells_it(
    revising: type[Made],
) -> None:
    made = revising((ABSENT, None))
    made.says("a1@1v1", "b8@9v1")
    assert made.says("a1@1v2x", "b8@9v2x") == ["retract2 a1 withdrawal"]
    assert made.says("a1@10v3", "b9@20v1") == ["emit3 a1 time"]
