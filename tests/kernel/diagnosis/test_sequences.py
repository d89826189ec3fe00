"""Steps against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.diagnosis.evidence import Evidence, Seen
from limecep.diagnosis.sequences import keys_never_shared, never_together
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.runtime.pipeline import Pipeline
from limecep.testing.streams import written

if TYPE_CHECKING:
    from conftest import IsReason, MakeEvent, Why

    from limecep.model.event import Event
    from limecep.plan.plan import Plan
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
    is_reason: IsReason, query: str, code: str, message: str, hint: str
) -> None:
    is_reason(query, code, message, hint)


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


def plan(query: str) -> Plan:
    return compile_plan(parse(f"PATTERN {query}"), name="p", select="stnm")


def evidence(stream: str, sampled: bool = False, **totals: int) -> Evidence:
    """Of types with a total, so many came; those of the stream are the first."""
    came: dict[str, list[Event]] = {}
    for e in written(stream):
        came.setdefault(e.type, []).append(e)
    seen = {t: Seen(first=of, total=totals.get(t, len(of))) for t, of in came.items()}
    return Evidence(seen=seen, sampled=sampled)


def together(query: str, stream: str, **totals: int) -> list[str]:
    return [p.message for p in never_together(plan(query), evidence(stream, **totals))]


def test_steps_that_may_be_empty_are_left_out() -> None:
    [said] = together("SEQ(A a, X? x, B b) WHERE b.v < a.v WITHIN 1 min", "a1=1 b2=2")
    assert said.startswith("a, b came in order and in time 1 times; ")
    assert together("SEQ(A? a, B* b[]) WITHIN 1 min", "a1 b2") == []


@pytest.mark.parametrize(
    ("stream", "said"),
    [
        ("a1=1 b2=2", "A had 1; B had 2"),
        ("a1=x b2=true", "A had 'x'; B had true"),
        ("a1=1 a2=2 a3=3 b2=4", "A had 1, 2, 3; B had 4"),
        ("a1=1 a2=2 a3=3 a4=5 b2=4", "A had 1, 2, 3, ...; B had 4"),
        ("a1=1 a2=2 b3=2 b1=1 a9", ""),
    ],
)
def test_keys_that_steps_do_not_share_are_shown(stream: str, said: str) -> None:
    of = plan("SEQ(A a, B b) WITHIN 1 min PARTITION BY v")
    expected = [f"no v, of PARTITION BY, had events for every step: {said}"] * bool(said)
    found = [*keys_never_shared(of, evidence(stream))]
    assert [p.message for p in found] == expected
    assert {of.pattern.text[p.start : p.end] for p in found} <= {"v"}
    if said:
        assert together("SEQ(A a, B b) WITHIN 1 min PARTITION BY v", stream) == expected


@pytest.mark.parametrize(
    ("stream", "sampled", "told"),
    [
        ("a1=1 a2=1 a3=1 b4=2 b5=2 b6=2", True, True),
        ("a1=1 a2=1 b4=2 b5=2 b6=2", True, False),
        ("a1=1 a2=1 b4=2 b5=2 b6=2", False, True),
        ("a1=1 a2=1 a3=1", True, False),
    ],
)
def test_in_a_sample_keys_have_to_come_again_to_be_all_there_are(
    stream: str, sampled: bool, told: bool
) -> None:
    of = plan("SEQ(A a, B b) WHERE a.v > 90 WITHIN 1 min PARTITION BY v")
    assert bool([*keys_never_shared(of, evidence(stream, sampled))]) is told


def test_steps_follow_each_other_with_one_key() -> None:
    query = "SEQ(A a, B b) WITHIN 1 min PARTITION BY v"
    assert together(query, "b1=1 a2=1 a1=2") == ["no b came after a with one v"]
    assert together(query, "a1=1 b2=2 b301=1") == [
        "WITHIN 1 minute is too short: a to b took 5 minutes at least with one v"
    ]


@pytest.mark.parametrize(
    ("query", "stream", "said"),
    [
        ("SEQ(A a, B b, C c)", "c1 a2 b3", "no c came after a and b"),
        ("SEQ(A a, B b, C c)", "b1 a2 c3", "no b came after a"),
        ("SEQ(A{2} a[], B b)", "a1 b2 a3", "no b came after a"),
        ("SEQ(A a, B{2} b[])", "b1 a2 b3", "no b came after a"),
        ("SEQ(A{2,} a[], B b)", "a1 b2", "a takes 2 events at least ({2,}), and there were 1 that it takes"),
    ],
)
def test_how_far_the_steps_came_is_told(query: str, stream: str, said: str) -> None:
    assert together(f"{query} WITHIN 1 min", stream) == [said]


@pytest.mark.parametrize(
    ("second", "took"),
    [
        ("3.5", "2500 ms"),
        ("10.999", "9999 ms"),
        ("12.4", "11 seconds"),
        ("601", "10 minutes"),
        ("40001", "11 hours"),
        ("950401", "11 days"),
    ],
)
def test_the_time_that_steps_took_is_rounded(second: str, took: str) -> None:
    [said] = together("SEQ(A a, B b) WITHIN 1 s", f"a1 b{second} b999999")
    assert said.startswith("WITHIN 1 second is too short: a to b took ")
    assert said.removeprefix("WITHIN 1 second is too short: a to b took ") == f"{took} at least"


def test_the_window_has_both_its_ends() -> None:
    query = "SEQ(A a, B b) WHERE a.v > b.v WITHIN"
    assert "in time 1 times" in together(f"{query} 5 s", "a1=1 b6=1")[0]
    assert "is too short" in together(f"{query} 4999 ms", "a1=1 b6=1")[0]


def test_where_events_of_one_type_break_off_those_of_others_do_not_count() -> None:
    query = "SEQ(A a, B b) WHERE a.v > b.v WITHIN 1 min"
    assert "2 times" in together(query, "a1=1 a3=1 b4=2")[0]
    assert together(query, "a1=1 a3=1 b4=2", A=9) == [
        "b takes 1 event at least, and there were 0 that it takes"
    ]


def test_orders_of_and_say_the_same_once() -> None:
    assert len(together("AND(A a, B b) WHERE a.v > b.v WITHIN 1 min", "a1=1 b2=2")) == 1
    assert len(together("OR(SEQ(A a, B b), SEQ(B b, A a)) WITHIN 500 ms", "a1 b2 a3")) == 2
