"""Groups whose conditions are settled by their first and last event."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep_maximal.spans import Demands, Spans, settled_by_ends

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.store.lane import Content


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stam", "pinned", "SEQ(A a, B+ b, C c) WHERE last(b).v > a.v"),
        ("stam", "pinned", "SEQ(A a, B+ b, C c) WHERE last(b).v > first(b).v"),
        ("stam", "pinned", "SEQ(A a, B+ b) WHERE first(b).v >= a.v"),
        ("stam", "pinned", "SEQ(A+ a, B b) WHERE last(a).v > first(a).v"),
        ("stam", "pinned", "SEQ(A{2,} a, B b) WHERE first(a).v <= b.v"),
        ("stam", "pinned", "SEQ(A a, B{2,} b, C c) WHERE last(b).v > 0 AND first(b).v > 0"),
        ("stam", "pinned", "A+ a WHERE last(a).v > first(a).v"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


@pytest.mark.parametrize(
    ("condition", "settled"),
    [
        ("last(b).v > first(b).v", True),
        ("b[1].v > a.v", True),
        ("count(b) > 2", True),
        ("2 <= count(b)", True),
        ("count(b) >= last(b).v", True),
        ("count(b) < 2", False),
        ("2 >= count(b)", False),
        ("count(b) = 2", False),
        ("count(b) > sum(b.v)", False),
        ("sum(b.v) > 2", False),
        ("b[2].v > 2", False),
        ("last(b).v > 1 OR count(b) > 2", False),
    ],
)
def test_the_ends_settle_what_the_largest_group_with_them_does_not_break(
    condition: str, settled: bool
) -> None:
    where = parse(f"PATTERN SEQ(A a, B+ b[]) WHERE {condition} WITHIN 1 s").where
    assert where is not None
    assert settled_by_ends(where, "b") is settled


def spans(lanes: Callable[..., list[Content]], where: str, stream: str, least: int = 1) -> Spans:
    plan = compile_plan(parse(f"PATTERN SEQ(A a, B+ b[]) WHERE {where} WITHIN 10 s"), name="p")
    (lane,) = lanes(stream.split())
    demands = Demands.of(1, "b", plan.alternatives[0].conditions)
    return Spans(demands, lane, [(), ()], least, 0)


def test_conditions_are_sorted_by_the_end_they_name() -> None:
    where = "first(b).v > 1 AND last(b).v > 2 AND last(b).v > first(b).v AND b[1].w > 3"
    plan = compile_plan(parse(f"PATTERN SEQ(A a, B+ b[]) WHERE {where} WITHIN 10 s"), name="p")
    demands = Demands.of(1, "b", plan.alternatives[0].conditions)
    assert [[c.text for c in found] for found in (demands.firsts, demands.lasts, demands.both)] == [
        ["first(b).v > 1", "b[1].w > 3"],
        ["last(b).v > 2"],
        ["last(b).v > first(b).v"],
    ]


RISING, FROM_TWO = "last(b).v > first(b).v", "first(b).v = 2"
STREAM = "b1=3 b2=1 b3=4 b4=2 b5=3 b6=0"


@pytest.mark.parametrize(
    ("where", "least", "low", "outermost", "between"),
    [
        (RISING, 1, 0, [(0, 2, -1), (1, 4, -1)], [(3, 4, 1), (1, 4, -1), (0, 2, -1)]),
        (RISING, 3, 0, [(0, 2, -1), (1, 4, -1)], [(1, 4, -1), (0, 2, -1)]),
        (RISING, 1, 3, [(1, 4, -1)], [(3, 4, 1), (1, 4, -1)]),
        (RISING, 4, 0, [(1, 4, -1)], [(1, 4, -1)]),
        (FROM_TWO, 1, 0, [(3, 5, -1)], [(3, 5, -1)]),
        (f"{FROM_TWO} AND last(b).v = 3", 1, 0, [(3, 4, -1)], [(3, 4, -1)]),
        ("last(b).v = 9", 1, 0, [], []),
    ],
)
def test_ranges_are_the_largest_for_what_they_begin_with(
    lanes: Callable[..., list[Content]],
    where: str,
    least: int,
    low: int,
    outermost: list[tuple[int, int, int]],
    between: list[tuple[int, int, int]],
) -> None:
    assert spans(lanes, where, STREAM, least).outermost(0, 6, low) == outermost
    assert spans(lanes, where, STREAM, least).between(0, 6, low) == between
