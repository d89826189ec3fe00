"""Strict contiguity: backwards from one event to the one before."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import pytest

from limecep.model.event import sort_key
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("sc", "contiguous", "SEQ(A a, B b)"),
        ("sc", "contiguous", "SEQ(A+ a, B+ b)"),
        ("sc", "contiguous", "SEQ(A+ a, B b) WHERE a[i+1].v >= a[i].v"),
        ("sc", "contiguous", "SEQ(A a, B? b, C c) WHERE c.v >= a.v"),
        ("sc", "contiguous", "SEQ(A+ a, !C n, B b)"),
        ("sc", "contiguous", "AND(A a, B+ b)"),
        ("sc", "contiguous", "SEQ(A? a, B? b, A c)"),
        ("sc", "contiguous", "SEQ(A{1,2} a, B b)"),
        ("sc", "contiguous", "SEQ(!C n, A+ a) WHERE sum(a.v) > 1"),
        ("sc", "contiguous", "SEQ(!C n, A+ a)"),
        ("sc", "contiguous", "SEQ(A+ a, B b) WHERE sum(a.v) < 2"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


@pytest.mark.parametrize(
    ("query", "stream", "matches"),
    [
        ("SEQ(A a, B b)", "a1 b2 b3 a4 c5 b6", ["a1 b2"]),
        ("SEQ(A+ a[], B b)", "a1 a2 b3", ["a1 a2 b3"]),
        ("SEQ(A a, B b)", "a1 a1.0 b2", ["a1 b2", "a1.0 b2"]),
        ("SEQ(A a, B? b, C c)", "a1 c2 a3 b4 c5", ["a1 c2", "a3 b4 c5"]),
        ("SEQ(A{2} a[], B b)", "a1 a2 a3 b4", ["a2 a3 b4"]),
        ("SEQ(A a, B b)", "a1 b11 a12 b22.5", ["a1 b11"]),
        ("AND(A a, B b)", "a1 b1 c2 a3 b4", ["a1 b1", "a3 b4"]),
    ],
)
def test_nothing_stands_between(
    bench: Callable[..., Bench], query: str, stream: str, matches: list[str]
) -> None:
    driven, found = bench(f"{query} WITHIN 10 s", "sc"), []
    for event in written(stream):
        if (end := driven.feed(event)) is not None:
            found += [
                " ".join(e.id for e in sorted(chain(*m.groups), key=sort_key)) for m in driven.matches(end)
            ]
    assert sorted(found) == matches


def test_work_without_end_is_cut_short_and_told(bench: Callable[..., Bench]) -> None:
    driven = bench("SEQ(A+ a[], A+ b[], B c) WHERE sum(a.v) > 99 WITHIN 1 h", "sc", 50)
    for event in written(" ".join(f"a{i}=1" for i in range(20)) + " b30"):
        driven.feed(event)
    driven.matches(driven.ends[-1])
    assert driven.counters["truncated"] == 1
    assert driven.count(driven.ends[-1]) is None
