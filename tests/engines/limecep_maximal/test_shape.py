"""What of an alternative does not change from window to window."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep_maximal.shape import Shape


def shape(query: str, *, next_match: bool = True, demanding: tuple[int, ...] = ()) -> Shape:
    alternative = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p").alternatives[0]
    return Shape(alternative, next_match=next_match, raise_if_stopped=lambda: None, demanding=demanding)


def test_it_says_of_each_step_what_it_may_take() -> None:
    made = shape("SEQ(A a, B+ b, A* c, B{2,} d, C e)")
    assert made.size == 5
    assert made.kleene == (False, True, True, True, False)
    assert made.optional == (False, False, True, False, False)
    assert made.minimum == (1, 1, 1, 2, 1)
    assert made.precedes == (False, True, True, True, False)


@pytest.mark.parametrize(
    ("query", "plain", "simply", "start"),
    [
        ("SEQ(A a, B b)", True, True, True),
        ("SEQ(A a, B+ b, C c)", True, True, True),
        ("A a", False, True, True),
        ("SEQ(A+ a, B b)", False, True, False),
        ("SEQ(A a, B+ b)", False, True, True),
        ("SEQ(A a, B? b, C c)", False, False, True),
        ("SEQ(A? a, B b)", False, False, False),
        ("SEQ(!X x, A a, B b)", False, False, False),
        ("SEQ(A a, !X x, B b)", False, False, True),
        ("SEQ(A a, !X x, B b, C c)", False, True, True),
        ("SEQ(A a, B b, !X x)", False, False, True),
    ],
)
def test_it_says_how_simple_it_is(query: str, plain: bool, simply: bool, start: bool) -> None:
    made = shape(query)
    assert (made.plain, made.completes_simply, made.plain_start) == (plain, simply, start)


@pytest.mark.parametrize(
    ("query", "mandatory", "closing"),
    [
        ("SEQ(A a, B b, C c)", 0, (False, True, True)),
        ("SEQ(A? a, B b, C c)", 1, (False, True, True)),
        ("SEQ(A a, B? b, C c)", 0, (True, True, True)),
        ("SEQ(A? a, B* b)", 1, (True, True)),
    ],
)
def test_it_says_what_must_come_first_and_what_the_end_may_follow(
    query: str, mandatory: int, closing: tuple[bool, ...]
) -> None:
    made = shape(query)
    assert (made.first_mandatory, made.may_close) == (mandatory, closing)


def test_negated_steps_are_known_by_the_gap_they_stand_in() -> None:
    made = shape("SEQ(!X x, A a, !X y, !X z, B b, C c, !X w)")
    assert made.negations == ((0,), (1, 2), (), (3,))
    assert made.plain_gap == (False, False, True)
    assert made.trails
    assert not made.closes_plainly


@pytest.mark.parametrize(
    ("query", "trails", "closes"),
    [
        ("SEQ(A a, B b)", False, True),
        ("SEQ(A a, !X x, B b)", False, False),
        ("SEQ(A a, !X x, B? b)", True, False),
        ("SEQ(A a, B? b, C c)", False, False),
        ("SEQ(A a, B b, !X x)", True, False),
    ],
)
def test_it_says_what_may_stand_around_the_end(query: str, trails: bool, closes: bool) -> None:
    made = shape(query)
    assert (made.trails, made.closes_plainly) == (trails, closes)


@pytest.mark.parametrize(
    ("query", "demanding", "plainly"),
    [
        ("SEQ(A a, B b)", (), True),
        ("SEQ(A+ a, B b)", (), True),
        ("SEQ(A+ a, B b)", (0,), False),
        ("SEQ(A+ a, B b)", (1,), True),
        ("SEQ(A+ a, B b) WHERE a[i+1].v > a[i].v", (), False),
        ("SEQ(A a, B+ b) WHERE b[i+1].v > b[i].v", (), True),
        ("SEQ(A? a, B b)", (), False),
        ("SEQ(!X x, A a, B b)", (), False),
        ("SEQ(A a, !X x, B b)", (), False),
        ("A a", (), False),
    ],
)
def test_it_says_whether_the_first_step_stands_alone(
    query: str, demanding: tuple[int, ...], plainly: bool
) -> None:
    assert shape(query, demanding=demanding).begins_plainly is plainly
