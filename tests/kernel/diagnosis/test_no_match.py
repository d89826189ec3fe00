"""Why a pattern found nothing: what the report says at the end of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.model.event import Event
from limecep.runtime.pipeline import Pipeline
from limecep.testing.random_tests import for_all
from limecep.testing.strategies import patterns, streams
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.pattern import Pattern
    from limecep.registry import Registry

SECOND = 1_000_000
DAY = 1_767_225_600 * SECOND


def why(installed: Registry, events: Sequence[Event], query: str, **more: Any) -> list[tuple[str, str, str]]:
    """What is said of a pattern: code, message, hint."""
    pattern = {"query": f"PATTERN {query}", "slack": "none", **more}
    pipeline = Pipeline.from_dict({"version": 1, "patterns": {"p": pattern}}, registry=installed)
    for event in events:
        pipeline.feed([event])
    pipeline.finish()
    report = pipeline.report()["patterns"]["p"]
    return [(r["code"], r["message"], r["hint"]) for r in report.get("why_none", ())]


def event(type_: str, second: float, **payload: Any) -> Event:
    at = DAY + int(second * SECOND)
    return Event(type_, f"{type_}{second}", at, at, "s", payload)


ROOM = [event("Gas", 1, v=10, room="k"), event("Gas", 2, v=20, room="k"), event("Smoke", 3, v=30, room="h")]
AB = "SEQ(Gas a, Smoke b)"


@pytest.mark.parametrize(
    ("query", "code", "message", "hint"),
    [
        (f"{AB} WHERE a.V > 4 WITHIN 1 min", "absent-attribute",
         "a.V was missing in all 2 Gas: they have 'room', 'v'", "did you mean 'v'?"),
        (f"{AB} WHERE b.level > 4 WITHIN 1 min", "absent-attribute",
         "b.level was missing in the only Smoke: they have 'room', 'v'", ""),
        ("SEQ(Gas+ a[], Smoke b) WHERE avg(a.w) > 4 WITHIN 1 min", "absent-attribute",
         "a.w was missing in all 2 Gas: they have 'room', 'v'", ""),
        (f"{AB} WITHIN 1 min PARTITION BY Room", "absent-attribute",
         "Room, of PARTITION BY, was missing in all 3 Gas and Smoke: they have 'room', 'v'", "did you "
         "mean 'room'?"),
        (f"{AB} WHERE a.room > 4 WITHIN 1 min", "kinds-differ",
         "a.room > 4 compared text with a number in all 2 Gas", "room was 'k'"),
        (f"{AB} WHERE b.v > a.room WITHIN 1 min", "kinds-differ",
         "b.v > a.room compared a number with text in the only Smoke and all 2 Gas", "v was 30"),
        (f"{AB} WHERE a.v = '10' WITHIN 1 min", "kinds-differ",
         "a.v = '10' compared a number with text in all 2 Gas", "v was 10, 20"),
        (f"{AB} WHERE a.room BETWEEN 1 AND 5 WITHIN 1 min", "kinds-differ",
         "a.room BETWEEN 1 AND 5 compared text with a number in all 2 Gas", "room was 'k'"),
        (f"{AB} WHERE a.v IN ('x', 'y') WITHIN 1 min", "kinds-differ",
         "a.v IN ('x', 'y') compared a number with text in all 2 Gas", "v was 10, 20"),
        ("SEQ(Gas+ a[], Smoke b) WHERE max(a.room) > 3 WITHIN 1 min", "kinds-differ",
         "max(a.room) > 3 compared text with a number in all 2 Gas", ""),
        (f"{AB} WHERE a.v > 85 WITHIN 1 min", "never-held", "a.v > 85 held for none of 2 Gas", "v was "
         "10 to 20"),
        (f"{AB} WHERE b.room = 'H' WITHIN 1 min", "never-held",
         "b.room = 'H' held for none of 1 Smoke", "did you mean 'h'?"),
        (f"{AB} WHERE b.room = 'cellar' WITHIN 1 min", "never-held",
         "b.room = 'cellar' held for none of 1 Smoke", "room was 'h'"),
        (f"{AB} WHERE a.v > 15 AND a.v < 15 WITHIN 1 min", "never-held",
         "a.v > 15 AND a.v < 15 held together for none of 2 Gas", ""),
        ("SEQ(Gas a, Smok b) WITHIN 1 min", "absent-type", "no Smok came; there came 'Smoke' (1)", "did "
         "you mean 'Smoke'?"),
        (f"{AB} WITHIN 500 ms", "short-window",
         "WITHIN 500 ms is too short: a to b took 1 second at least", "look at the unit of WITHIN, and "
         "at that of 'time'"),
        ("SEQ(Smoke b, Gas a) WITHIN 1 min", "never-in-order", "no a came after b", "look at the order "
         "of the steps"),
        (f"{AB} WITHIN 1 min PARTITION BY room", "keys-differ",
         "no room, of PARTITION BY, had events for every step: Gas had 'k'; Smoke had 'h'", "a text is "
         "another key"),
        ("SEQ(Gas{3} a[], Smoke b) WITHIN 1 min", "too-few",
         "a takes 3 events at least ({3}), and there were 2 that it takes", ""),
        (f"{AB} WHERE b.v < a.v WITHIN 1 min", "never-fulfilled",
         "a, b came in order and in time 2 times; what is asked of them together was not fulfilled: b.v "
         "< a.v", ""),
        ("SEQ(Gas a, !Gas c, Smoke b) WHERE b.v - a.v > 15 AND c.v > 3 WITHIN 1 min", "never-fulfilled",
         "a, b came in order and in time 2 times; what is asked of them together was not fulfilled: "
         "b.v - a.v > 15; no c (Gas)", ""),
        ("AND(Gas a, Smoke b) WHERE b.v < a.v WITHIN 1 min", "never-fulfilled", "not fulfilled: b.v < a.v",
         ""),
        (f"{AB} WHERE 1 = 2 WITHIN 1 min", "never-true", "some condition is never true", ""),
    ],
)  # fmt: skip
def test_a_reason_is_given_with_what_to_do(
    installed: Registry, query: str, code: str, message: str, hint: str
) -> None:
    found = why(installed, ROOM, query)
    assert [c for c, _, _ in found] == [code]
    assert message in found[0][1]
    assert hint in found[0][2]
    assert bool(hint) == bool(found[0][2])


@pytest.mark.parametrize(
    ("query", "message", "hint"),
    [
        ("SEQ(A+ a[]) WHERE sum(a.s) > 5", "sum(a.s): s is text in all 25 A", "s: float in 'payload'"),
        ("SEQ(A+ a[]) WHERE avg(a.s) > 5", "avg(a.s): s is text in all 25 A", "s: float in 'payload'"),
        ("SEQ(A+ a[]) WHERE max(a.l) > 5", "max(a.l): l is a list in all 25 A", ""),
        ("SEQ(A a) WHERE abs(a.s) < 4", "abs(a.s): s is text in all 25 A", "s: float in 'payload'"),
        ("SEQ(A a) WHERE -a.w < 4", "-a.w: w is text in all 25 A", ""),
        ("SEQ(A a) WHERE a.v + a.s > 4", "a.v + a.s: s is text in all 25 A", "s: float in 'payload'"),
        ("SEQ(A a) WHERE a.id + 1 = 2", "a.id + 1: id is text in all 25 A", "the id of an event is text"),
        ("SEQ(A a) WHERE a.v + 'x' > 2", "a.v + 'x': 'x' is text", ""),
        ("SEQ(A a) WHERE a.v", "a.v: v is a number in all 25 A", "as in a.v > 0"),
        ("SEQ(A a) WHERE NOT (a.w OR a.v > 3)", "a.w: w is text in all 25 A", "as in a.w > 0"),
    ],
)
def test_what_cannot_be_calculated_with_is_told(
    installed: Registry, query: str, message: str, hint: str
) -> None:
    events = [event("A", n, v=n, s=f"{n}", w="x", l=[n]) for n in range(25)]
    (found,) = why(installed, events, f"{query} WITHIN 1 min")
    assert found[:2] == ("kinds-differ", message)
    assert hint in found[2]
    assert bool(hint) == bool(found[2])


def test_booleans_are_conditions(installed: Registry) -> None:
    found = why(installed, [event("A", 1, b=False)], "SEQ(A a) WHERE a.b WITHIN 1 min")
    assert [code for code, _, _ in found] == ["never-held"]


def test_what_is_no_key_is_told(installed: Registry) -> None:
    lists = [event("Gas", n, l=[n], o={"x": n}) for n in range(50)] + [
        event("Smoke", 60, l=["k"], o={"x": 1})
    ]
    found = why(installed, lists, f"{AB} WITHIN 1 h PARTITION BY l")
    assert [(code, message) for code, message, _ in found] == [
        ("no-key", "l, of PARTITION BY, is a list in all 50 Gas: no key"),
        ("no-key", "l, of PARTITION BY, is a list in the only Smoke: no key"),
    ]
    assert found[0][2] == "a key is text, a number or a boolean: name an attribute inside of it"
    mixed = [event("Gas", 1, o={"x": 1}), event("Gas", 2, o=3), event("Smoke", 3, o=4)]
    found = why(installed, mixed, f"{AB} WITHIN 1 h PARTITION BY o")
    assert ("no-key", "o, of PARTITION BY, is an object in 1 of 2 Gas: no key") in [f[:2] for f in found]


AT_ONCE = [event(t, n) for n in range(0, 10_000, 3600) for t in ("A", "B")]


@pytest.mark.parametrize(
    ("events", "query", "count"),
    [
        ([event(t, 5) for t in ("A", "B")], "SEQ(A a, B b) WITHIN 1 hour", "1 time"),
        (AT_ONCE[:2], "SEQ(A a, B b) WITHIN 1 hour", "1 time"),
        (AT_ONCE, "SEQ(A a, B b) WITHIN 1 min", "3 times"),
        ([event("A", 1), event("B", 1), event("A", 9, x=1)], "SEQ(A a, B b) WITHIN 1 min", "1 time"),
    ],
)
def test_steps_of_a_sequence_that_came_at_one_time_are_told(
    installed: Registry, events: Sequence[Event], query: str, count: str
) -> None:
    ((code, message, hint),) = why(installed, events, query)
    assert code == "same-time"
    assert message == f"a and b had the same time {count}; steps of SEQ follow each other strictly"
    assert "AND takes them in any order" in hint


def test_an_event_is_not_at_one_time_with_itself(installed: Registry) -> None:
    (found,) = why(installed, [event("A", 1), event("A", 100)], "SEQ(A a, A b) WITHIN 1 min")
    assert found[0] == "short-window"


def test_a_step_alone_is_at_no_time_with_another(installed: Registry) -> None:
    (found,) = why(installed, [event("A", n) for n in (1, 50, 99)], "SEQ(A{3} a[]) WITHIN 1 s")
    assert found[0] == "short-window"


def test_events_of_one_time_that_a_source_orders_follow_each_other(installed: Registry) -> None:
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


def test_all_mistakes_are_told_the_most_telling_first(installed: Registry) -> None:
    found = why(
        installed, ROOM, "SEQ(Gas a, Smoke b, Fire c) WHERE a.V > 4 AND b.room > 2 AND b.v > 90 WITHIN 1 min"
    )
    assert [code for code, _, _ in found] == ["absent-type", "absent-attribute", "kinds-differ", "never-held"]


def test_of_alternatives_one_that_can_be_is_enough_to_look_no_further(installed: Registry) -> None:
    found = why(installed, ROOM, "OR(SEQ(Smoke b, Gas a), SEQ(Gas a, Smoke b)) WITHIN 500 ms")
    assert [code for code, _, _ in found] == ["never-in-order", "short-window"]


def test_a_pattern_that_found_something_has_no_reasons(installed: Registry) -> None:
    assert why(installed, ROOM, f"{AB} WITHIN 1 min") == []
    retracted = [event("Gas", 1), event("Smoke", 3), event("Tap", 2)]
    assert why(installed, retracted, "SEQ(Gas a, !Tap t, Smoke b) WITHIN 1 min") == []


def test_nothing_read_has_no_reasons(installed: Registry) -> None:
    assert why(installed, [], f"{AB} WITHIN 1 min") == []


def test_a_test_for_null_is_no_mistake(installed: Registry) -> None:
    found = why(installed, ROOM, f"{AB} WHERE a.w = null AND a.v > 90 WITHIN 1 min")
    assert [code for code, _, _ in found] == ["never-held"]


def test_what_some_events_lack_of_the_key_is_counted(installed: Registry) -> None:
    events = [event("Gas", 1), event("Gas", 2, room="k"), event("Smoke", 3, room="h")]
    found = why(installed, events, f"{AB} WITHIN 1 min PARTITION BY room")
    assert found[0][:2] == ("absent-attribute", "room, of PARTITION BY, was missing in 1 of 2 Gas")


def test_nested_attributes_are_named_where_they_would_stand(installed: Registry) -> None:
    events = [event("Gas", 1, meta={"level": 3, "unit": "%"})]
    found = why(installed, events, "SEQ(Gas a) WHERE a.meta.lvel > 1 WITHIN 1 min")
    assert found == [
        (
            "absent-attribute",
            "a.meta.lvel was missing in the only Gas: they have 'level', 'unit'",
            "did you mean 'level'?",
        )
    ]


def test_text_that_reads_as_numbers_can_be_turned_into_them(installed: Registry) -> None:
    found = why(installed, [event("Gas", 1, v=" 12")], "SEQ(Gas a) WHERE a.v > 1 WITHIN 1 min")
    assert found[0][2] == "v is text such as ' 12': v: float in 'payload' makes numbers of it"


def test_the_id_of_an_event_is_text(installed: Registry) -> None:
    found = why(installed, written("a1 a2"), "SEQ(A a) WHERE a.id = 1 WITHIN 1 min")
    assert found == [
        (
            "kinds-differ",
            "a.id = 1 compared text with a number in all 2 A",
            "the id of an event is text, such as 'a1', 'a2'",
        )
    ]


def test_what_was_too_late_for_it_is_told(installed: Registry) -> None:
    events = [event("Smoke", 100, v=1), event("Gas", 1, v=1), event("Gas", 2, v=1)]
    found = why(installed, events, f"{AB} WITHIN 1 min", lateness={"type": "bound", "within": "1s"})
    assert ("refused", "2 events were extremely late for it", "look at 'lateness'") in found


def test_under_strict_contiguity_what_stands_between_is_named(installed: Registry) -> None:
    events = [event("Gas", 1), event("Tap", 2), event("Smoke", 3)]
    found = why(installed, events, f"{AB} WITHIN 1 min", select="sc")
    assert "no other event between them (strict contiguity)" in found[0][1]


def test_what_has_left_memory_is_remembered_in_part(installed: Registry) -> None:
    document = {
        "version": 1,
        "patterns": {"p": {"query": f"PATTERN {AB} WHERE a.v > 8 AND a.w > 1 WITHIN 1 s"}},
        "retention": {"events": 50},
    }
    pipeline = Pipeline.from_dict(document, registry=installed)
    for n in range(0, 3000, 10):
        pipeline.feed([event("Gas", n + i, v=n % 7) for i in range(10)])
    (first, second, third) = pipeline.report()["patterns"]["p"]["why_none"]
    assert first["message"] == "no Smoke came; there came 'Gas' (3,000)"
    assert second["message"].startswith("a.w was missing in the 2")
    assert second["message"].endswith("Gas looked at (of 3,000): they have 'v'")
    assert third["message"].startswith("a.v > 8 held for none of 2")
    assert third["message"].endswith("Gas looked at (of 3,000)")


def test_of_very_many_events_the_first_are_looked_at(installed: Registry) -> None:
    events = [Event("Gas", str(n), DAY + n, DAY + n, "s", {"v": n}) for n in range(12_000)]
    document = {"version": 1, "patterns": {"p": {"query": f"PATTERN {AB} WHERE a.w > 1 WITHIN 1 s"}}}
    pipeline = Pipeline.from_dict(document, registry=installed)
    pipeline.feed(events)
    _, absent = pipeline.report()["patterns"]["p"]["why_none"]
    assert absent["message"] == "a.w was missing in the 10,000 Gas looked at (of 12,000): they have 'v'"


def test_what_a_negated_step_lacks_is_told_after_what_made_a_match_impossible(installed: Registry) -> None:
    found = why(installed, ROOM, "SEQ(Gas a, !Gas c, Smoke b) WHERE b.v < a.v AND c.w > 3 WITHIN 1 min")
    assert [code for code, _, _ in found] == ["never-fulfilled", "absent-attribute"]


def test_a_step_that_may_be_empty_is_not_to_blame(installed: Registry) -> None:
    found = why(installed, ROOM, "SEQ(Gas a, Gas? c, Smoke b) WHERE b.v < a.v AND c.v > 90 WITHIN 1 min")
    assert [code for code, _, _ in found] == ["never-fulfilled"]


def test_no_pattern_and_no_stream_is_too_much_for_it(installed: Registry) -> None:
    """It runs at the end of every run, which it must not break."""

    def body(pattern: Pattern, events: list[Event]) -> None:
        why(installed, events, str(pattern).removeprefix("PATTERN "))

    for_all(body, patterns(), streams(size=6), examples=150, seed=1)
