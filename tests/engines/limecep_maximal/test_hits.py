"""Negated steps: whether something between two places hits a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import SECOND, written
from limecep_maximal.hits import Forbidding, Gaps, Hits

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.store.lane import Content

    Lanes = Callable[..., list[Content]]

STREAM = "x1=1 x2=2 x3=1 x4=3 x5"
PLAIN = "SEQ(A a, !X x, B b)"
EQUAL = f"{PLAIN} WHERE x.v = a.v"
BOTH = f"{PLAIN} WHERE x.v = a.v AND x.v > b.v"
GREATER = f"{PLAIN} WHERE x.v > a.v"


def forbidding(query: str) -> Forbidding:
    alternative = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p").alternatives[0]
    return Forbidding(alternative, alternative.negations[0])


def hits(lanes: Lanes, query: str, low: int = 0) -> Hits:
    (lane,) = lanes(STREAM.split())
    return Hits(forbidding(query), lane, low)


def groups(a: int, b: int = 0) -> tuple[tuple, ...]:
    return tuple(written(f"a0={a}")), tuple(written(f"b9={b}"))


@pytest.mark.parametrize(
    ("query", "decided"),
    [
        (PLAIN, False),
        (EQUAL, True),
        (BOTH, False),
        (GREATER, False),
        ("SEQ(A+ a, !X x, B b) WHERE x.v = last(a).v", True),
        ("SEQ(A+ a, !X x, B b) WHERE x.v = a.v", False),
    ],
)
def test_an_equality_may_decide_what_hits(query: str, decided: bool) -> None:
    assert forbidding(query).decided is decided


def test_within_an_and_the_time_decides_too() -> None:
    plan = compile_plan(parse("PATTERN AND(A a, !X x, B b) WHERE x.v = a.v WITHIN 10 s"), name="p")
    found = [(n.inside, Forbidding(a, n).decided) for a in plan.alternatives for n in a.negations]
    assert (True, False) in found
    assert (True, True) not in found


@pytest.mark.parametrize(
    ("query", "a", "b", "hitting"),
    [
        (PLAIN, 0, 0, [0, 1, 2, 3, 4]),
        (EQUAL, 1, 0, [0, 2]),
        (EQUAL, 2, 0, [1]),
        (EQUAL, 9, 0, []),
        (BOTH, 1, 0, [0, 2]),
        (BOTH, 1, 1, []),
        (GREATER, 1, 0, [1, 3]),
    ],
)
def test_an_event_hits_between_two_places(
    lanes: Lanes, query: str, a: int, b: int, hitting: list[int]
) -> None:
    made = hits(lanes, query)
    for low in range(6):
        for high in range(6):
            expected = [place for place in hitting if low <= place < high]
            assert made.between(low, high, groups(a, b)) is bool(expected)
            assert [*made.hitting(low, high, groups(a, b))] == expected


def test_a_value_says_what_groups_it_hits(lanes: Lanes) -> None:
    made = hits(lanes, EQUAL)
    assert [made.value(place) for place in range(4)] == [1, 2, 1, 3]


def test_a_gap_is_open_at_both_ends(lanes: Lanes) -> None:
    gaps = Gaps([[], [0], []], [hits(lanes, EQUAL)])
    assert gaps.hit(1, 0, 2 * SECOND, groups(1))
    assert gaps.hit(1, 1 * SECOND, 4 * SECOND, groups(1))
    assert not gaps.hit(1, 1 * SECOND, 3 * SECOND, groups(1))
    assert not gaps.hit(2, 0, 9 * SECOND, groups(1))
