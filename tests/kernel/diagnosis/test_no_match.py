"""Why a pattern found nothing: what the report says at the end of a run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from limecep import Pipeline
from limecep.testing.random_tests import for_all
from limecep.testing.strategies import patterns, streams

if TYPE_CHECKING:
    from conftest import IsReason, MakeEvent, Why

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern


EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))
AB = "SEQ(Gas a, Smoke b)"


@pytest.mark.parametrize(
    ("query", "code", "message", "hint"),
    [
        (f"{AB} WHERE 1 = 2 WITHIN 1 min", "never-true", "some condition is never true", ""),
    ],
)
def test_a_reason_is_given_with_what_to_do(
    is_reason: IsReason, query: str, code: str, message: str, hint: str
) -> None:
    is_reason(query, code, message, hint)


def test_all_mistakes_are_told_the_most_telling_first(why: Why, room: list[Event]) -> None:
    found = why(room, "SEQ(Gas a, Smoke b, Fire c) WHERE a.V > 4 AND b.room > 2 AND b.v > 90 WITHIN 1 min")
    assert [code for code, _, _ in found] == ["absent-type", "absent-attribute", "kinds-differ", "never-held"]


def test_a_pattern_that_found_something_has_no_reasons(why: Why, event: MakeEvent, room: list[Event]) -> None:
    assert why(room, f"{AB} WITHIN 1 min") == []
    retracted = [event("Gas", 1), event("Smoke", 3), event("Tap", 2)]
    assert why(retracted, "SEQ(Gas a, !Tap t, Smoke b) WITHIN 1 min") == []


def test_nothing_read_has_no_reasons(why: Why) -> None:
    assert why([], f"{AB} WITHIN 1 min") == []


def test_what_was_too_late_for_it_is_told(why: Why, event: MakeEvent) -> None:
    events = [event("Smoke", 100, v=1), event("Gas", 1, v=1), event("Gas", 2, v=1)]
    found = why(events, f"{AB} WITHIN 1 min", lateness={"type": "bound", "within": "1s"})
    assert ("refused", "2 events were extremely late for it", "look at 'lateness'") in found


def test_a_function_that_did_what_it_should_not_is_told_before_what_came_of_it(
    why: Why, room: list[Event]
) -> None:
    found = why(room, f"{AB} WHERE failing(a.v - 8) > 99 WITHIN 1 min")
    assert found[0] == (
        "mistaken-function",
        "1 call of function 'failing' raised, so the value was missing",
        "'limecep plugins test function/failing' shows of what",
    )
    assert [code for code, _, _ in found[1:]] == ["never-held"]


def test_what_a_negated_step_lacks_is_told_after_what_made_a_match_impossible(
    why: Why, room: list[Event]
) -> None:
    found = why(room, "SEQ(Gas a, !Gas c, Smoke b) WHERE b.v < a.v AND c.w > 3 WITHIN 1 min")
    assert [code for code, _, _ in found] == ["never-fulfilled", "absent-attribute"]


def test_a_step_that_may_be_empty_is_not_to_blame(why: Why, room: list[Event]) -> None:
    found = why(room, "SEQ(Gas a, Gas? c, Smoke b) WHERE b.v < a.v AND c.v > 90 WITHIN 1 min")
    assert [code for code, _, _ in found] == ["never-fulfilled"]


def test_no_pattern_and_no_stream_is_too_much_for_it(why: Why) -> None:
    """It runs at the end of every run, which it must not break."""

    def body(pattern: Pattern, events: list[Event]) -> None:
        why(events, str(pattern).removeprefix("PATTERN "))

    for_all(body, patterns(), streams(size=6), examples=EXAMPLES // 5, seed=1)


def test_what_nobody_found_is_not_looked_for_in_sources(event: MakeEvent) -> None:
    low = {"query": "PATTERN SEQ(Gas a) WHERE a.v > 90 WITHIN 1 min", "derive": {"as": "Leak"}}
    patterns = {"low": low, "other": low, "top": {"query": "PATTERN SEQ(Leak a) WITHIN 1 min"}}
    pipeline = Pipeline.from_dict({"version": 1, "patterns": patterns})
    pipeline.feed([event("Gas", 1, v=5)])
    pipeline.finish()
    [reason] = pipeline.report()["patterns"]["top"]["why_none"]
    assert reason["message"] == "no Leak came: 'low' and 'other', which derive it, found nothing that stands"
