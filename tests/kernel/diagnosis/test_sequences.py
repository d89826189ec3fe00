"""Steps against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.runtime.pipeline import Pipeline
from limecep.testing.streams import written

if TYPE_CHECKING:
    from conftest import MakeEvent, Why

    from limecep.model.event import Event
    from limecep.registry import Registry


AB = "SEQ(Gas a, Smoke b)"


@pytest.mark.parametrize(
    ("query", "code", "message", "hint"),
    [
        (
            f"{AB} WITHIN 500 ms",
            "short-window",
            "WITHIN 500 ms is too short: a to b took 1 second at least",
            "look at the unit of WITHIN, and at that of 'time'",
        ),
        (
            "SEQ(Smoke b, Gas a) WITHIN 1 min",
            "never-in-order",
            "no a came after b",
            "look at the order of the steps",
        ),
        (
            f"{AB} WITHIN 1 min PARTITION BY room",
            "keys-differ",
            "no room, of PARTITION BY, had events for every step: Gas had 'k'; Smoke had 'h'",
            "a text is another key",
        ),
        (
            "SEQ(Gas{3} a[], Smoke b) WITHIN 1 min",
            "too-few",
            "a takes 3 events at least ({3}), and there were 2 that it takes",
            "",
        ),
        (
            f"{AB} WHERE b.v < a.v WITHIN 1 min",
            "never-fulfilled",
            "a, b came in order and in time 2 times; what is asked of them together was not fulfilled: "
            "b.v < a.v",
            "",
        ),
        (
            "SEQ(Gas a, !Gas c, Smoke b) WHERE b.v - a.v > 15 AND c.v > 3 WITHIN 1 min",
            "never-fulfilled",
            "a, b came in order and in time 2 times; what is asked of them together was not fulfilled: "
            "b.v - a.v > 15; no c (Gas)",
            "",
        ),
        (
            "AND(Gas a, Smoke b) WHERE b.v < a.v WITHIN 1 min",
            "never-fulfilled",
            "not fulfilled: b.v < a.v",
            "",
        ),
    ],
)
def test_a_reason_is_given_with_what_to_do(
    why: Why, room: list[Event], query: str, code: str, message: str, hint: str
) -> None:
    found = why(room, query)
    assert [c for c, _, _ in found] == [code]
    assert message in found[0][1]
    assert hint in found[0][2]
    assert bool(hint) == bool(found[0][2])


@pytest.mark.parametrize(
    ("stream", "within", "count"),
    [
        ("A5 B5", "1 hour", "1 time"),
        ("A0 B0 A3600 B3600 A7200 B7200", "1 min", "3 times"),
        ("A1 B1 A9", "1 min", "1 time"),
    ],
)
def test_steps_of_a_sequence_that_came_at_one_time_are_told(
    why: Why, stream: str, within: str, count: str
) -> None:
    ((code, message, hint),) = why(written(stream), f"SEQ(A a, B b) WITHIN {within}")
    assert code == "same-time"
    assert message == f"a and b had the same time {count}; steps of SEQ follow each other strictly"
    assert "AND takes them in any order" in hint


def test_an_event_is_not_at_one_time_with_itself(why: Why, event: MakeEvent) -> None:
    (found,) = why([event("A", 1), event("A", 100)], "SEQ(A a, A b) WITHIN 1 min")
    assert found[0] == "short-window"


def test_a_step_alone_is_at_no_time_with_another(why: Why, event: MakeEvent) -> None:
    (found,) = why([event("A", n) for n in (1, 50, 99)], "SEQ(A{3} a[]) WITHIN 1 s")
    assert found[0] == "short-window"


def test_events_of_one_time_that_a_source_orders_follow_each_other(
    event: MakeEvent, installed: Registry
) -> None:
    events = [event("A", 1, v=1), event("B", 1, v=2)]
    for n, e in enumerate(events):
        e.seq = n
    pattern = {"query": "PATTERN SEQ(A a, B b) WHERE a.v > b.v WITHIN 1 min", "slack": "none"}
    source = {"type": "file", "channel": "s.csv", "as": {"field": "k"}, "time": "t", "order": "n"}
    document = {
        "version": 1,
        "sources": {"s": source},
        "patterns": {"p": pattern},
        "sinks": {"o": {"type": "none"}},
    }
    pipeline = Pipeline.from_dict(document, registry=installed)
    pipeline.feed(events)
    pipeline.finish()
    (found,) = pipeline.report()["patterns"]["p"]["why_none"]
    assert found["code"] == "never-fulfilled"


def test_of_alternatives_one_that_can_be_is_enough_to_look_no_further(why: Why, room: list[Event]) -> None:
    found = why(room, "OR(SEQ(Smoke b, Gas a), SEQ(Gas a, Smoke b)) WITHIN 500 ms")
    assert [code for code, _, _ in found] == ["never-in-order", "short-window"]


def test_under_strict_contiguity_what_stands_between_is_named(why: Why, event: MakeEvent) -> None:
    events = [event("Gas", 1), event("Tap", 2), event("Smoke", 3)]
    found = why(events, f"{AB} WITHIN 1 min", select="sc")
    assert "no other event between them (strict contiguity)" in found[0][1]
