"""Groups bounded by tight pairs: what can be put between two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.model.match import Range
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stam", "tight", "SEQ(A a, B b)"),
        ("stam", "tight", "SEQ(A+ a, B+ b, C c)"),
        ("stam", "tight", "SEQ(A a, B* b, !C n, B c)"),
        ("stam", "tight", "SEQ(A? a, B+ b, A? c)"),
        ("stam", "tight", "SEQ(A{2,} a, !C n, B+ b)"),
        ("stam", "tight", "SEQ(!C n, A+ a, B b)"),
        ("stam", "tight", "SEQ(A a, B+ b, !C n)"),
        ("stam", "tight", "SEQ(A a, B? b, C? c)"),
        ("stam", "tight", "SEQ(A a, B+ b, C c) WHERE b[i+1].v >= b[i].v"),
        ("stam", "tight", "SEQ(A+ a, B b) WHERE a[i+1].v != a[i].v"),
        ("stam", "tight", "SEQ(A a, B+ b) WHERE b[i+1].v > b[i].v"),
        ("stnm", "tight", "SEQ(A a, B? b, C c)"),
        ("stnm", "tight", "SEQ(A+ a, B+ b)"),
        ("stnm", "tight", "SEQ(A a, B? b, C? c)"),
        ("stnm", "tight", "SEQ(A a, B+ b) WHERE b[i+1].v > b[i].v"),
        ("stnm", "tight", "SEQ(B? a, A+ b, B c) WHERE b[i+1].v = b[i].v"),
        ("stam", "pinned", "SEQ(A a, B+ b, A+ c, C d) WHERE last(b).v <= first(c).v"),
        ("stam", "pinned", "SEQ(A+ a, B+ b) WHERE last(a).v < first(b).v"),
        ("stam", "pinned", "SEQ(A+ a, B{2,} b) WHERE last(a).v = first(b).v"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


def test_paths_without_end_are_cut_short_and_told(bench: Callable[..., Bench]) -> None:
    driven = bench("SEQ(A a, B+ b[], C c) WHERE b[i+1].v != b[i].v WITHIN 1 h", "stam", 50)
    for event in written("a0 " + " ".join(f"b{i}={i // 2}" for i in range(1, 40)) + " c50"):
        driven.feed(event)
    assert len(driven.matches(driven.ends[-1])) <= 50
    assert driven.counters["truncated"] == 1


def test_a_group_is_a_range_unless_neighbours_decide(bench: Callable[..., Bench]) -> None:
    for where, kind in (("", Range), ("WHERE b[i+1].v > b[i].v", tuple)):
        driven = bench(f"SEQ(A a, B+ b[], C? c) {where} WITHIN 10 s", "stam")
        for event in written("a1 b2=1 b3=2 c4"):
            driven.feed(event)
        (match,) = driven.matches(driven.ends[-1])
        assert isinstance(match.groups[1], kind)
