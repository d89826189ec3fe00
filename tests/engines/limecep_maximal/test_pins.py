"""Conditions between variables: the single events that they name are chosen first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import written
from limecep_maximal.pins import Pins

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stam", "pinned", "SEQ(A a, B+ b, C c) WHERE b[i].v >= a.v"),
        ("stam", "pinned", "SEQ(A a, B+ b, C c) WHERE b[i].v <= c.v AND a.v < c.v"),
        ("stam", "pinned", "SEQ(A a, B+ b) WHERE b.v > a.v"),
        ("stam", "pinned", "SEQ(A a, B+ b, !C n, A c) WHERE n.v > c.v"),
        ("stam", "pinned", "SEQ(A+ a, B b, A? c) WHERE a.v = b.v"),
        ("stam", "pinned", "SEQ(A a, B+ b, C c) WHERE b[i+1].v = b[i].v AND last(b).v = a.v"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


@pytest.mark.parametrize(
    ("query", "possible", "pinned"),
    [
        ("SEQ(A a, B b, C c) WHERE c.v = a.v", True, [2, 0]),
        ("SEQ(A a, B+ b, C c) WHERE b[i].v > a.v", True, [0]),
        ("SEQ(A a, B+ b, C c) WHERE last(b).v > c.v", True, [2]),
        ("SEQ(A a, B+ b, C c) WHERE sum(b.v) > c.v", False, [2]),
        ("SEQ(A+ a, B+ b) WHERE last(a).v = first(b).v", True, []),
        ("SEQ(A+ a, B+ b) WHERE first(a).v = first(b).v", False, []),
        ("SEQ(A a, B{1,2} b) WHERE b[i].v > a.v", False, [0]),
        ("SEQ(A a, B? b) WHERE b.v > a.v", False, [0]),
        ("SEQ(A a, B+ b) WHERE b[i+1].v = b[i].v AND b[1].v < a.v", True, [0]),
        ("SEQ(A a, B* b) WHERE b[i+1].v = b[i].v AND b[1].v < a.v", False, [0]),
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", True, [0]),
        ("SEQ(A+ a, !X x, B b) WHERE x.v = a.v", False, []),
    ],
)
def test_single_events_that_conditions_name_are_chosen_the_last_one_first(
    query: str, possible: bool, pinned: list[int]
) -> None:
    alternative = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p").alternatives[0]
    made = Pins(alternative)
    assert made.possible is possible
    if possible:
        assert made.pinned == pinned


def test_choices_without_end_are_cut_short_and_told(bench: Callable[..., Bench]) -> None:
    driven = bench("SEQ(A a, B b, !X x, C+ c) WHERE a.v < b.v AND c[i].v > a.v WITHIN 1 h", "stam", 20)
    for event in written(" ".join(f"a{i}=1 b{i}.5=2" for i in range(30)) + " c40=2 x41 c50=0"):
        driven.feed(event)
    assert driven.matches(driven.ends[-1]) == []
    assert driven.counters["truncated"] == 1
