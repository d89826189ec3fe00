"""Conditions against what events have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.diagnosis.attributes import Attributes, kind, listed, shown
from limecep.diagnosis.evidence import Evidence, Seen, SourceSeen
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conftest import IsReason, MakeEvent, Why

    from limecep.language.problems import QueryProblem


AB = "SEQ(Gas a, Smoke b)"


@pytest.mark.parametrize(
    ("query", "code", "message", "hint"),
    [
        (
            f"{AB} WHERE a.V > 4 WITHIN 1 min",
            "absent-attribute",
            "a.V was missing in all 2 Gas: they have 'room', 'v'",
            "did you mean 'v'?",
        ),
        (
            f"{AB} WHERE b.level > 4 WITHIN 1 min",
            "absent-attribute",
            "b.level was missing in the only Smoke: they have 'room', 'v'",
            "",
        ),
        (
            "SEQ(Gas+ a[], Smoke b) WHERE avg(a.w) > 4 WITHIN 1 min",
            "absent-attribute",
            "a.w was missing in all 2 Gas: they have 'room', 'v'",
            "",
        ),
        (
            f"{AB} WITHIN 1 min PARTITION BY Room",
            "absent-attribute",
            "Room, of PARTITION BY, was missing in all 3 Gas and Smoke: they have 'room', 'v'",
            "did you mean 'room'?",
        ),
        (
            f"{AB} WHERE a.room > 4 WITHIN 1 min",
            "kinds-differ",
            "a.room > 4 compared text with a number in all 2 Gas",
            "room was 'k'",
        ),
        (
            f"{AB} WHERE b.v > a.room WITHIN 1 min",
            "kinds-differ",
            "b.v > a.room compared a number with text in the only Smoke and all 2 Gas",
            "v was 30",
        ),
        (
            f"{AB} WHERE a.v = '10' WITHIN 1 min",
            "kinds-differ",
            "a.v = '10' compared a number with text in all 2 Gas",
            "v was 10, 20",
        ),
        (
            f"{AB} WHERE a.room BETWEEN 1 AND 5 WITHIN 1 min",
            "kinds-differ",
            "a.room BETWEEN 1 AND 5 compared text with a number in all 2 Gas",
            "room was 'k'",
        ),
        (
            f"{AB} WHERE a.v IN ('x', 'y') WITHIN 1 min",
            "kinds-differ",
            "a.v IN ('x', 'y') compared a number with text in all 2 Gas",
            "v was 10, 20",
        ),
        (
            "SEQ(Gas+ a[], Smoke b) WHERE max(a.room) > 3 WITHIN 1 min",
            "kinds-differ",
            "max(a.room) > 3 compared text with a number in all 2 Gas",
            "",
        ),
    ],
)
def test_a_reason_is_given_with_what_to_do(
    is_reason: IsReason, query: str, code: str, message: str, hint: str
) -> None:
    is_reason(query, code, message, hint)


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
    why: Why, event: MakeEvent, query: str, message: str, hint: str
) -> None:
    events = [event("A", n, v=n, s=f"{n}", w="x", l=[n]) for n in range(25)]
    (found,) = why(events, f"{query} WITHIN 1 min")
    assert found[:2] == ("kinds-differ", message)
    assert hint in found[2]
    assert bool(hint) == bool(found[2])


def test_booleans_are_conditions(why: Why, event: MakeEvent) -> None:
    found = why([event("A", 1, b=False)], "SEQ(A a) WHERE a.b WITHIN 1 min")
    assert [code for code, _, _ in found] == ["never-held"]


def test_what_is_no_key_is_told(why: Why, event: MakeEvent) -> None:
    lists = [event("Gas", n, l=[n], o={"x": n}) for n in range(50)] + [
        event("Smoke", 60, l=["k"], o={"x": 1})
    ]
    found = why(lists, f"{AB} WITHIN 1 h PARTITION BY l")
    assert [(code, message) for code, message, _ in found] == [
        ("no-key", "l, of PARTITION BY, is a list in all 50 Gas: no key"),
        ("no-key", "l, of PARTITION BY, is a list in the only Smoke: no key"),
    ]
    assert found[0][2] == "a key is text, a number or a boolean: name an attribute inside of it"
    mixed = [event("Gas", 1, o={"x": 1}), event("Gas", 2, o=3), event("Smoke", 3, o=4)]
    found = why(mixed, f"{AB} WITHIN 1 h PARTITION BY o")
    assert ("no-key", "o, of PARTITION BY, is an object in 1 of 2 Gas: no key") in [f[:2] for f in found]


def test_a_test_for_null_is_no_mistake(why: Why, room: list[Event]) -> None:
    found = why(room, f"{AB} WHERE a.w = null AND a.v > 90 WITHIN 1 min")
    assert [code for code, _, _ in found] == ["never-held"]


def test_what_some_events_lack_of_the_key_is_counted(why: Why, event: MakeEvent) -> None:
    events = [event("Gas", 1), event("Gas", 2, room="k"), event("Smoke", 3, room="h")]
    found = why(events, f"{AB} WITHIN 1 min PARTITION BY room")
    assert found[0][:2] == ("absent-attribute", "room, of PARTITION BY, was missing in 1 of 2 Gas")


def test_nested_attributes_are_named_where_they_would_stand(why: Why, event: MakeEvent) -> None:
    events = [event("Gas", 1, meta={"level": 3, "unit": "%"})]
    found = why(events, "SEQ(Gas a) WHERE a.meta.lvel > 1 WITHIN 1 min")
    assert found == [
        (
            "absent-attribute",
            "a.meta.lvel was missing in the only Gas: they have 'level', 'unit'",
            "did you mean 'level'?",
        )
    ]


def test_text_that_reads_as_numbers_can_be_turned_into_them(why: Why, event: MakeEvent) -> None:
    found = why([event("Gas", 1, v=" 12")], "SEQ(Gas a) WHERE a.v > 1 WITHIN 1 min")
    assert found[0][2] == "v is text such as ' 12': v: float in 'payload' makes numbers of it"


def test_the_id_of_an_event_is_text(why: Why) -> None:
    found = why(written("a1 a2"), "SEQ(A a) WHERE a.id = 1 WITHIN 1 min")
    assert found == [
        (
            "kinds-differ",
            "a.id = 1 compared text with a number in all 2 A",
            "the id of an event is text, such as 'a1', 'a2'",
        )
    ]


@pytest.mark.parametrize(
    ("value", "what", "text"),
    [
        (5, "a number", "5"),
        (0.5, "a number", "0.5"),
        (True, "a boolean", "true"),
        ("x", "text", "'x'"),
        ([1], "a list", "[1]"),
        ({"a": 1}, "an object", "{'a': 1}"),
        ("y" * 28, "text", f"'{'y' * 28}'"),
        ("y" * 29, "text", f"'{'y' * 28}…"),
    ],
)
def test_values_have_a_kind_and_are_shown_shortened(value: object, what: str, text: str) -> None:
    assert (kind(value), shown(value)) == (what, text)


def test_of_many_names_the_first_ten_are_listed() -> None:
    assert listed("abcdefghij") == ", ".join(f"'{c}'" for c in "abcdefghij")
    assert listed("abcdefghijk") == listed("abcdefghij") + ", ..."


def looking(query: str, events: Sequence[Event], *sources: SourceSeen) -> Attributes:
    seen = {t: [e for e in events if e.type == t] for t in {e.type: None for e in events}}
    evidence = Evidence(seen={t: Seen(first=of, total=len(of)) for t, of in seen.items()}, sources=sources)
    return Attributes(parse(f"PATTERN {query} WITHIN 1 min"), evidence)


def messages(found: Iterable[QueryProblem]) -> list[str]:
    return [p.message for p in found]


@pytest.mark.parametrize(
    ("condition", "differing", "told"),
    [
        ("a.v > true", False, True),
        ("a.v = true", False, False),
        ("a.v != true", True, False),
        ("a.v = 3", False, True),
        ("a.v != 3", False, False),
        ("a.v != 3", True, True),
        ("a.w > 3", False, False),
        ("a.w IN (3, 'x')", False, False),
        ("a.w IN ('y', 'x')", False, True),
        ("a.w BETWEEN 'a' AND 'b'", False, True),
        ("a.u > 3", False, False),
    ],
)
def test_values_compare_with_those_of_their_kind(condition: str, differing: bool, told: bool) -> None:
    events = written("a1=true a2=false")
    for e in events:
        e.payload["w"] = 5
    of = looking(f"SEQ(A a) WHERE {condition}", events)
    assert bool(messages(of.uncomparable(differing=differing))) is told


@pytest.mark.parametrize(
    ("fields", "hint"),
    [
        (["n"], "the id of an event is text, such as '7'; the field itself is a.n"),
        ([], "the id of an event is text, such as '7'"),
        (["n", "m"], "the id of an event is text, such as '7'"),
        (["x"], "the id of an event is text, such as '7'"),
    ],
)
def test_the_field_that_an_id_is_made_of_is_named_where_it_is_one(fields: list[str], hint: str) -> None:
    events = [Event("A", "7", n, n, f"s{n}", {"n": 7, "m": 7}) for n in range(max(len(fields), 1))]
    sources = [SourceSeen(name=f"s{n}", own={"id": f}) for n, f in enumerate(fields)]
    others = SourceSeen(name="other", own={"id": "k"}), SourceSeen(name="s0", own={"type": "k"})
    [found] = looking("SEQ(A a) WHERE a.id = 7", events, *sources, *others).uncomparable()
    assert found.hint == hint


def test_an_attribute_called_id_is_the_payload_s() -> None:
    events = [Event("A", "7", 1, 1, "s", {"id": "12"})]
    [found] = looking("SEQ(A a) WHERE a.id = 7", events).uncomparable()
    assert found.hint == "id is text such as '12': id: float in 'payload' makes numbers of it"


def test_values_of_several_kinds_are_counted_with_the_odd_ones_shown() -> None:
    events = written("a1=1 a2=2 a3=off a4=on a5=off a6=n a7=m a8=3 a9=4 b1=1 a10=5 a11=6")
    of = looking("SEQ(A a, B b) WHERE a.v > 3 AND a.v < 9 AND b.v > 3", events)
    assert messages(of.mixed()) == ["a.v holds 6 numbers and 5 texts ('off', 'on', 'n')"]
    assert messages(of.mixed(["v"])) == []


@pytest.mark.parametrize(
    ("some", "told"),
    [
        (True, ["v, of PARTITION BY, is a list in 1 of 2 A: no key",
                "v, of PARTITION BY, was missing in the only C: they have no attributes",
                "v, of PARTITION BY, was missing in 1 of 2 B"]),
        (False, ["v, of PARTITION BY, was missing in the only C: they have no attributes"]),
    ],
)  # fmt: skip
def test_keys_that_are_missing_or_none_are_told_also_where_only_some_are(some: bool, told: list[str]) -> None:
    events = written("a1=1 a2=2 b3=1 b4 c5")
    events[1].payload["v"] = [2]
    query = "SEQ(A a, B b, C c) WITHIN 1 min PARTITION BY v"
    pattern = parse(f"PATTERN {query}")
    evidence = looking("SEQ(A a)", events).evidence
    found = [*Attributes(pattern, evidence).without_key(some=some)]
    assert messages(found) == told
    assert {pattern.text[p.start : p.end] for p in found} == {"v"}


def test_only_conditions_on_the_variables_asked_about_are_looked_at() -> None:
    events = written("a1=1 b2=2")
    pattern = parse("PATTERN SEQ(A a, B b) WHERE a.w > 1 AND b.w > 1 WITHIN 1 min")
    evidence = looking("SEQ(A a)", events).evidence
    assert [m.split()[0] for m in messages(Attributes(pattern, evidence, {"b"}).absent())] == ["b.w"]
    assert [m.split()[0] for m in messages(Attributes(pattern, evidence).absent())] == ["a.w", "b.w"]
