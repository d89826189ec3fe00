"""What a plan says of its alternatives: ends, types, and which steps may share a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.plan.plan import PlanStep

if TYPE_CHECKING:
    from limecep.plan.plan import Plan


def plan(structure: str, **options) -> Plan:
    return compile_plan(parse(f"PATTERN {structure} WITHIN 1 s"), name="p", **options)


@pytest.mark.parametrize(
    ("structure", "ends", "growing"),
    [
        ("SEQ(A a, B b)", (1,), False),
        ("SEQ(A a, B+ b[])", (1,), True),
        ("SEQ(A a, B{2} b[])", (1,), True),
        ("SEQ(A a, B? b)", (0, 1), True),
        ("SEQ(A a, B b, C* c[], D? d)", (1, 2, 3), True),
        ("SEQ(A? a, B? b)", (0, 1), True),
        ("SEQ(A a, B b, !C c)", (1,), False),
    ],
)
def test_a_match_ends_with_its_last_step_or_before_what_may_be_empty(
    structure: str, ends: tuple[int, ...], growing: bool
) -> None:
    (alternative,) = plan(structure).alternatives
    assert (alternative.ends, alternative.growing) == (ends, growing)


def test_filters_of_negated_steps_come_last() -> None:
    (alternative,) = plan("SEQ(!X x, A a, !Y y, B b)").alternatives
    assert [f.types for f in alternative.filters] == [("A",), ("B",), ("X",), ("Y",)]


@pytest.mark.parametrize(
    ("structure", "simultaneous"),
    [
        ("SEQ(A a, B b)", False),
        ("AND(A a, B b)", True),
        ("SEQ(A a, AND(B b, C c))", True),
        ("AND(A a)", False),
    ],
)
def test_only_steps_of_one_and_may_share_a_time(structure: str, simultaneous: bool) -> None:
    assert plan(structure).simultaneous is simultaneous


def test_steps_are_together_only_in_one_and() -> None:
    alternative = plan("SEQ(AND(A a, B b), AND(C c, D d), E e, F f)").alternatives[0]
    pairs = [(k, j) for k in range(6) for j in range(k + 1, 6) if alternative.together(k, j)]
    assert pairs == [(0, 1), (2, 3)]


@pytest.mark.parametrize(
    ("structure", "levels"),
    [
        ("SEQ(A a, B b)", [(0, False)] * 2),
        ("AND(A a, B b)", [(0, True)] * 2),
        ("SEQ(AND(A a, B b), AND(C c, D d))", [(1, True), (1, True), (0, True), (0, True)]),
        ("SEQ(AND(A a, B b), C c, D d)", [(1, True), (1, True), (0, False), (0, False)]),
        # What is negated has no rank, and a level of its own unless it stands within the AND.
        ("SEQ(AND(A a, B b), !X x)", [(1, True), (1, True), (0, False)]),
        ("SEQ(!X x, AND(A a, B b))", [(0, True), (0, True), (1, False)]),
    ],
)
def test_the_lanes_of_earlier_steps_stand_on_higher_levels(
    structure: str, levels: list[tuple[int, bool]]
) -> None:
    for alternative in plan(structure).alternatives:
        assert alternative.levels == tuple(levels)


def test_what_is_negated_within_an_and_stands_on_its_level() -> None:
    levels = {a.negations[0].after: a.levels for a in plan("AND(A a, !X x, B b)").alternatives}
    assert levels == {
        0: ((0, True), (0, True), (1, False)),
        1: ((0, True), (0, True), (0, False)),
        2: ((1, True), (1, True), (0, False)),
    }


def test_types_are_those_of_all_steps_and_some_of_them_only_forbid() -> None:
    made = plan("OR(SEQ(A a, !X x, (B OR C) b), SEQ(A a, !B n, !Y y, D d))")
    assert made.types == {"A", "B", "C", "D", "X", "Y"}
    assert made.forbidding == {"X", "Y"}


def test_unless_told_otherwise_a_step_stands_in_no_and_and_an_end_event_has_a_million_matches() -> None:
    made = plan("SEQ(A a, B b)")
    assert made.max_per_end == 1_000_000
    step = made.alternatives[0].steps[0]
    assert PlanStep(variable="a", filter=step.filter, quantifier=step.quantifier) == step
