"""Conditions that could not be known, told at the end of a run of patterns that found something, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.diagnosis import no_match
from limecep.model.event import Event
from limecep.runtime.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.registry import Registry

SECOND = 1_000_000
DAY = 1_767_225_600 * SECOND


def found(registry: Registry, query: str, events: Sequence[Event]) -> tuple[int, list[str]]:
    """How many matches there were, and what is suspicious."""
    patterns = {"p": {"query": f"PATTERN {query}", "slack": "none"}}
    pipeline = Pipeline.from_dict({"version": 1, "patterns": patterns}, registry=registry)
    pipeline.feed(events)
    pipeline.finish()
    counts = pipeline.report()["patterns"]["p"]
    return counts["emitted"], [r["message"] for r in counts.get("suspicions", ())]


def stream(types: str, **payload: Any) -> list[Event]:
    """An event of each type a second."""
    return [
        Event(t, str(n), DAY + n * SECOND, DAY + n * SECOND, "s", {"v": n, **payload})
        for n, t in enumerate(types)
    ]


@pytest.mark.parametrize(
    ("query", "types", "payload", "message"),
    [
        ("SEQ(A a, !B b, A c) WHERE b.typo = 1 WITHIN 1 min", "AB" * 25, {},
         "b.typo was missing in all 25 B: they have 'v'"),
        ("SEQ(A a, B? b, C c) WHERE b.typo = 1 WITHIN 1 min", "ABC", {},
         "b.typo was missing in the only B: they have 'v'"),
        ("SEQ(A a, !B b, C c) WHERE b.s > 3 WITHIN 1 min", "ABC", {"s": "7"},
         "b.s > 3 compared text with a number in the only B"),
        ("SEQ(A a, !B b, C c) WHERE b.s = a.v WITHIN 1 min", "ABC", {"s": "7"},
         "b.s = a.v compared text with a number in the only B and the only A"),
    ],
)  # fmt: skip
def test_what_never_could_be_known_of_a_step_that_may_be_absent_is_told(
    installed: Registry, query: str, types: str, payload: dict[str, Any], message: str
) -> None:
    emitted, said = found(installed, query, stream(types, **payload))
    assert emitted
    assert said == [message]


def test_a_key_that_no_event_of_a_negated_step_has_is_told(installed: Registry) -> None:
    events = stream("ABAC")
    for e in events:
        e.payload |= {} if e.type == "B" else {"room": "k"}
    query = "SEQ(A a, !B b, C c) WITHIN 1 min PARTITION BY room"
    emitted, said = found(installed, query, events)
    assert emitted
    assert said == ["room, of PARTITION BY, was missing in the only B: they have 'v'"]
    events[1].payload["room"] = ["k"]
    assert found(installed, query, events)[1] == ["room, of PARTITION BY, is a list in the only B: no key"]
    events[1].payload["room"] = "h"
    assert found(installed, query, events)[1] == []


def test_of_a_step_whose_events_never_came_nothing_is_said(installed: Registry) -> None:
    assert found(installed, "SEQ(A a, !B b, A c) WHERE b.typo = 1 WITHIN 1 min", stream("AAC")) == (1, [])


def test_conditions_that_could_be_known_are_not_suspicious(installed: Registry) -> None:
    query = "SEQ(A a, !B b, A c) WHERE b.v > 900 AND b.typo = null WITHIN 1 min"
    emitted, said = found(installed, query, stream("ABAA"))
    assert (emitted > 0, said) == (True, [])


def test_an_attribute_that_only_later_events_have_is_not_suspicious(installed: Registry) -> None:
    events = stream("ABC" * 200)
    events[-2].payload["late"] = 1
    emitted, said = found(installed, "SEQ(A a, !B b, C c) WHERE b.late = 1 WITHIN 1 min", events)
    assert (emitted > 0, said) == (True, [])


def test_a_pattern_that_found_nothing_says_each_thing_once(installed: Registry) -> None:
    query = "SEQ(A a, !B b, C c) WHERE a.w = 1 AND b.typo = 1 WITHIN 1 min"
    assert found(installed, query, stream("ABC")) == (0, ["b.typo was missing in the only B: they have 'v'"])


def test_numbers_among_which_there_is_text_are_told(installed: Registry) -> None:
    events = stream("AB" * 200)
    events[300].payload["v"] = "unavailable"
    emitted, said = found(installed, "SEQ(A a, B b) WHERE a.v > 3 WITHIN 1 min", events)
    assert emitted
    assert said == ["a.v holds 199 numbers and 1 text ('unavailable')"]


def test_text_that_a_function_makes_numbers_of_is_not_told(installed: Registry) -> None:
    events = stream("AB" * 200)
    events[300].payload["v"] = "unavailable"
    query = "SEQ(A a, B b) WHERE number(a.v) > 3 AND coalesce(number(a.v), 0) < 99 WITHIN 1 min"
    emitted, said = found(installed, query, events)
    assert (emitted > 0, said) == (True, [])


def test_who_finds_something_pays_for_a_glance(installed: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    stored = no_match.stored

    def counting(*args: Any) -> Any:
        seen = stored(*args)
        looked.append(sum(len(s.events) for s in seen.values()))
        return seen

    monkeypatch.setattr(no_match, "stored", counting)
    found(installed, "SEQ(A a, B b) WHERE a.v > 3 WITHIN 1 h", stream("AB" * 300))
    assert looked == [200]
