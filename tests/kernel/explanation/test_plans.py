"""The description of a plan: steps, when each condition is decided, how far absence reaches."""

from __future__ import annotations

import pytest

from limecep.explanation.plans import PlanDescription, describe_plan
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan


def described(query: str, **params: int) -> PlanDescription:
    return describe_plan(compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p", params=params))


@pytest.mark.parametrize(
    ("condition", "decided", "when"),
    [
        ("a.v > 3", "event", "on each event alone, by the filter of a"),
        ("b.v > 3", "event", "on each event alone, by the filter of b"),
        ("b[i].v > $limit", "event", "on each event alone, by the filter of b"),
        ("b[i+1].v > b[i].v", "neighbours", "with each event of b but the first, on it and the one before"),
        ("b[i].v > b[i-1].v", "neighbours", "with each event of b but the first, on it and the one before"),
        ("b[i].v > avg(b[..i-1].v)", "each", "with each event of b"),
        ("c.v > a.v", "each", "with the event of c, when a is there"),
        ("b[i].v > a.v", "each", "with each event of b, when a is there"),
        ("c.v > a.v + b[1].v", "each", "with the event of c, when a and b are there"),
        ("c.v > last(b).v", "each", "with the event of c, when b is there"),
        ("b[3].v > a.v", "position", "with event 3 of b"),
        ("first(b).v > a.v", "position", "with the first event of b, when a is there"),
        ("last(b).v > 3", "group", "when b is complete: with the first event of a later step, or at the end"),
        ("count(b) >= 3", "group", "when b is complete: with the first event of a later step, or at the end"),
        (
            "avg(b.v) > a.v",
            "group",
            "when b is complete: with the first event of a later step, or at the end",
        ),
        ("x.v > 3", "event", "on each event alone, by the filter of !x"),
        ("x.v > a.v", "absence", "when an event of !x is held against a match"),
        ("$limit = 40", "constant", "already: it is always true"),
    ],
)
def test_a_condition_is_decided_as_soon_as_what_it_names_is_there(
    condition: str, decided: str, when: str
) -> None:
    [alternative] = described(f"SEQ(A a, !X x, B+ b[], C c) WHERE {condition}", limit=40).alternatives
    [found] = alternative.conditions
    assert (found.text, found.decided, found.when) == (condition, decided, when)


@pytest.mark.parametrize(
    ("structure", "reach", "waits"),
    [
        ("SEQ(A a, !X x, B b)", "between a and b", False),
        ("SEQ(!X x, A a)", "before a, back to the end of the match less the window", False),
        (
            "SEQ(A a, !X x)",
            "after a, up to the start of the match plus the window: only then is a match known",
            True,
        ),
        ("SEQ(A a, B? b, !X x, C* c[], D d)", "between a or b and c or d", False),
        (
            "SEQ(A? a, !X x, B b)",
            "between a and b; where a took nothing, back to the end of the match less the window",
            False,
        ),
        (
            "SEQ(A a, !X x, B? b)",
            "between a and b; where b took nothing, up to the start of the match plus the window",
            True,
        ),
    ],
)
def test_absence_reaches_to_what_stands_next_to_it(structure: str, reach: str, waits: bool) -> None:
    [alternative] = described(structure).alternatives
    [found] = alternative.absences
    assert (found.variable, found.types, found.reach, found.waits) == ("x", ("X",), reach, waits)


def test_a_step_says_what_it_takes_and_whether_it_can_be_the_last() -> None:
    [alternative] = described(
        "SEQ(A a, B+ b[], C{2,3} c[], (D OR C){2,} d[], E? e, F{4} f[], G* g[])"
    ).alternatives
    assert [(s.variable, s.types, s.takes, s.group, s.ends) for s in alternative.steps] == [
        ("a", ("A",), "one", False, False),
        ("b", ("B",), "one or more", True, False),
        ("c", ("C",), "2 to 3", True, False),
        ("d", ("C", "D"), "2 or more", True, False),
        ("e", ("E",), "one or none", False, False),
        ("f", ("F",), "4", True, True),
        ("g", ("G",), "any number", True, True),
    ]


def test_every_order_and_choice_is_an_alternative_with_its_own_conditions() -> None:
    plan = described("OR(SEQ(A a, AND(B b, !X x)), C c) WHERE b.v > a.v AND c.v > 3")
    assert [a.structure for a in plan.alternatives] == [
        "SEQ(A a, B b, !X x)",
        "SEQ(A a, !X x, B b)",
        "SEQ(C c)",
    ]
    assert [[c.text for c in a.conditions] for a in plan.alternatives] == [
        ["b.v > a.v"],
        ["b.v > a.v"],
        ["c.v > 3"],
    ]


def test_what_may_come_at_once_is_said() -> None:
    plan = described("SEQ(AND(A a, B b), C c, AND(D d, !X x))")
    assert [a.at_once for a in plan.alternatives] == [(("a", "b"),)] * 2 + [(("b", "a"),)] * 2


def test_what_nothing_can_fulfil_is_counted() -> None:
    plan = described("AND(A a, B b) WHERE 1 = 2")
    assert (plan.alternatives, plan.impossible) == ((), 2)


def test_what_the_engine_says_stands_at_its_alternative() -> None:
    plan = compile_plan(parse("PATTERN OR(A a, B b) WITHIN 10 s"), name="p")
    assert [a.evaluation for a in describe_plan(plan, ("fast", "slow")).alternatives] == ["fast", "slow"]
    assert [a.evaluation for a in describe_plan(plan).alternatives] == ["", ""]
