"""Conditions against what events have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written

if TYPE_CHECKING:
    from conftest import MakeEvent, Why

    from limecep.model.event import Event


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
    why: Why, room: list[Event], query: str, code: str, message: str, hint: str
) -> None:
    found = why(room, query)
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
