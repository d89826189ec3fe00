"""Steps against the events that came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.diagnosis.evidence import Evidence, Seen
from limecep.diagnosis.steps import absent_types, contradictions, never_held
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import written

if TYPE_CHECKING:
    from conftest import IsReason

    from limecep.model.event import Event
    from limecep.plan.plan import Plan


AB = "SEQ(Gas a, Smoke b)"


@pytest.mark.parametrize(
    ("query", "code", "message", "hint"),
    [
        (
            f"{AB} WHERE a.v > 85 WITHIN 1 min",
            "never-held",
            "a.v > 85 held for none of 2 Gas",
            "v was 10 to 20",
        ),
        (
            f"{AB} WHERE b.room = 'H' WITHIN 1 min",
            "never-held",
            "b.room = 'H' held for none of 1 Smoke",
            "did you mean 'h'?",
        ),
        (
            f"{AB} WHERE b.room = 'cellar' WITHIN 1 min",
            "never-held",
            "b.room = 'cellar' held for none of 1 Smoke",
            "room was 'h'",
        ),
        (
            f"{AB} WHERE a.v > 15 AND a.v < 15 WITHIN 1 min",
            "never-held",
            "a.v > 15 AND a.v < 15 held together for none of 2 Gas",
            "",
        ),
        (
            "SEQ(Gas a, Smok b) WITHIN 1 min",
            "absent-type",
            "no Smok came; there came 'Smoke' (1)",
            "did you mean 'Smoke'?",
        ),
    ],
)
def test_a_reason_is_given_with_what_to_do(
    is_reason: IsReason, query: str, code: str, message: str, hint: str
) -> None:
    is_reason(query, code, message, hint)


def plan(query: str) -> Plan:
    return compile_plan(parse(f"PATTERN {query} WITHIN 1 min"), name="p", select="stnm")


def evidence(stream: str, **more: Any) -> Evidence:
    came: dict[str, list[Event]] = {}
    for e in written(stream):
        came.setdefault(e.type, []).append(e)
    return Evidence(seen={t: Seen(first=of, total=len(of)) for t, of in came.items()}, **more)


@pytest.mark.parametrize(
    ("condition", "impossible"),
    [
        ("a.v > 3 AND a.v < 3", True),
        ("a.v > 3 AND a.v <= 3", True),
        ("a.v >= 3 AND a.v < 3", True),
        ("a.v >= 3 AND a.v <= 3", False),
        ("a.v > 3 AND a.v < 4", False),
        ("3 < a.v AND 3 > a.v", True),
        ("3 <= a.v AND 3 >= a.v", False),
        ("a.v = 3 AND a.v = 4", True),
        ("a.v = 3 AND a.v >= 3", False),
        ("a.v = 3 AND a.v > 3", True),
        ("a.v != 3 AND a.v = 3", False),
        ("a.v > 3 AND a.w < 2", False),
        ("a.v > 3 AND a.v < 'x'", False),
        ("a.v BETWEEN 9 AND 3", True),
        ("a.v BETWEEN 3 AND 3", False),
        ("a.v > 3 AND a.v > 5", False),
    ],
)
def test_bounds_that_no_value_is_within_are_told(condition: str, impossible: bool) -> None:
    found = [*contradictions(plan(f"SEQ(A a) WHERE {condition}"))]
    assert [p.message for p in found] == [f"{condition} holds for no value"] * impossible


@pytest.mark.parametrize(
    ("stream", "condition", "hint"),
    [
        ("a1=2 a2=7", "a.v > 8", "v was 2 to 7"),
        ("a1=2 a2=2", "8 < a.v", "v was 2"),
        ("a1=on a2=off", "a.v = 'onn'", "did you mean 'on'?"),
        ("a1=on a2=off", "a.v = 'closed'", "v was 'on', 'off'"),
        ("a1=p a2=q a3=r a4=s a5=t", "a.v = 'closed'", "v was 'p', 'q', 'r', 's', 't'"),
        ("a1=p a2=q a3=r a4=s a5=t a6=u", "a.v = 'closed'", "v was 'p', 'q', 'r', 's', 't', ..."),
        ("a1=p", "a.v IN ('closed', 'open')", ""),
        ("a1=true", "a.v = false", ""),
    ],
)
def test_what_an_attribute_was_instead_is_shown(stream: str, condition: str, hint: str) -> None:
    [found] = never_held(plan(f"SEQ(A a) WHERE {condition}"), evidence(stream), [])
    total = len(stream.split())
    assert (found.message, found.hint) == (f"{condition} held for none of {total} A", hint)
    text = f"PATTERN SEQ(A a) WHERE {condition}"
    assert text[found.start : found.end] == condition


def test_what_has_been_explained_already_is_not_said_again() -> None:
    of = plan("SEQ(A a) WHERE a.v > 8 AND a.v > 9")
    begin = of.pattern.text.index("a.v > 8")
    found = never_held(of, evidence("a1=2"), [(begin, begin + 3)])
    assert [p.message for p in found] == ["a.v > 9 held for none of 1 A"]


@pytest.mark.parametrize(
    ("stream", "strangers", "more", "said", "hint"),
    [
        ("a1", {}, {}, "no Bee came; there came 'A' (1)", ""),
        ("a1", {"Be": 3}, {}, "no Bee came; there came 'Be' (3)", "did you mean 'Be'?"),
        ("a1", {"Be": 3}, {"all_strangers": False}, "no Bee came; there came 'Be'", "did you mean 'Be'?"),
        ("a1", {}, {"sampled": True}, "no Bee came in the sample; there came 'A' (1)", ""),
        ("a1 c2 c3", {}, {}, "no Bee came; there came 'C' (2)", ""),
        ("", {f"T{n}": 9 - n for n in range(6)}, {}, "no Bee came; there came "
         "'T0' (9), 'T1' (8), 'T2' (7), 'T3' (6), 'T4' (5), ...", ""),
        ("", {}, {}, "no Bee came", ""),
        ("", {f"T{n}": 9 - n for n in range(5)}, {}, "no Bee came; there came "
         "'T0' (9), 'T1' (8), 'T2' (7), 'T3' (6), 'T4' (5)", ""),
    ],
)  # fmt: skip
def test_what_came_instead_of_a_type_is_told(
    stream: str, strangers: dict[str, int], more: dict[str, Any], said: str, hint: str
) -> None:
    [found] = [
        p
        for p in absent_types(plan("SEQ(A a, Bee b)"), evidence(stream, strangers=strangers, **more))
        if "Bee" in p.message
    ]
    assert (found.message, found.hint) == (said, hint)
    assert "PATTERN SEQ(A a, Bee b)"[found.start : found.end] == "Bee"


@pytest.mark.parametrize(("negated", "names"), [(False, []), (True, ["O", "X"])])
def test_what_need_not_come_is_missed_only_if_asked_for(negated: bool, names: list[str]) -> None:
    found = absent_types(plan("SEQ(A a, !X x, O? o, B b)"), evidence("a1 b2"), negated=negated)
    assert [p.message.split()[1] for p in found] == names
