"""Conditions on whole groups under any-match: the largest first, and what is inside those that fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stam", "relaxed", "SEQ(A a, B+ b, C c) WHERE sum(b.v) < 3"),
        ("stam", "relaxed", "SEQ(A a, B+ b) WHERE avg(b.v) > 1"),
        ("stam", "relaxed", "SEQ(A+ a, B+ b) WHERE first(a).v = first(b).v"),
        ("stam", "relaxed", "SEQ(A+ a, B b) WHERE sum(a.v) = 2"),
        ("stam", "relaxed", "SEQ(A a, B+ b, !C n, A c) WHERE sum(b.v) < 2"),
        ("stam", "relaxed", "SEQ(A+ a, B+ b) WHERE sum(a.v) < 3 AND avg(b.v) < 2"),
        ("stam", "relaxed", "SEQ(A a, B+ b, C c) WHERE sum(b.v) < 3 AND b[i+1].v >= b[i].v"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


def fed(driven: Bench, count: int) -> Bench:
    """An A, so many B with 1, and a C."""
    for event in written("a0 " + " ".join(f"b{i}=1" for i in range(1, count + 1)) + f" c{count + 1}"):
        driven.feed(event)
    return driven


def test_the_largest_that_will_do_needs_no_enumeration(bench: Callable[..., Bench]) -> None:
    driven = fed(bench("SEQ(A a, B+ b[], C c) WHERE sum(b.v) > 3 WITHIN 1 h", "stam", enumeration=1), 50)
    assert [len(m.groups[1]) for m in driven.matches(driven.ends[-1])] == [50]
    assert driven.counters["truncated"] == 0


def test_inside_what_fails_every_largest_subset_is_found(bench: Callable[..., Bench]) -> None:
    driven = fed(bench("SEQ(A a, B+ b[], C c) WHERE sum(b.v) < 3 WITHIN 1 h", "stam"), 5)
    assert [len(m.groups[1]) for m in driven.matches(driven.ends[-1])] == [2] * 10


def test_enumeration_without_end_is_cut_short_and_told(bench: Callable[..., Bench]) -> None:
    driven = fed(bench("SEQ(A a, B+ b[], C c) WHERE sum(b.v) < 9 WITHIN 1 h", "stam", enumeration=100), 30)
    driven.matches(driven.ends[-1])
    assert driven.counters["truncated"] == 1
