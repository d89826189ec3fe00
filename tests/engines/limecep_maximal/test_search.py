"""Enumeration, where nothing else is exact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import written
from limecep_maximal.search import LOOK_EVERY, largest

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench
    from limecep_maximal.search import Groups


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stnm", "search", "SEQ(A a, B? b, C c) WHERE b.v > a.v"),
        ("stam", "search", "SEQ(A a, B{1,2} b, C c)"),
        ("stnm", "search", "SEQ(A? a, B+ b, C c) WHERE sum(b.v) > a.v"),
        ("stam", "search", "SEQ(A+ a, B? b, A c) WHERE sum(a.v) > 1 AND c.v >= b.v"),
        ("stam", "search", "SEQ(A a, B+ b, C c) WHERE sum(b.v) > 1 AND c.v >= a.v"),
        ("stam", "search", "SEQ(A a, B? b, C? c) WHERE b.v >= a.v AND c.v >= a.v"),
        ("stam", "search", "SEQ(A{1,2} a, !C n, B b) WHERE n.v = b.v"),
        ("stnm", "search", "SEQ(A+ a, B+ b, A c) WHERE sum(a.v) = c.v AND b[1].v > 0"),
        ("stam", "search", "SEQ(A{2,3} a, B? b)"),
        ("stam", "search", "SEQ(A{1,2} a, B b) WHERE a[i+1].v = a[i].v AND last(a).v = b.v"),
        ("stnm", "search", "SEQ(A* a, B{1,2} b, !C n)"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


def test_enumeration_without_end_is_cut_short_and_told(bench: Callable[..., Bench]) -> None:
    driven = bench(
        "SEQ(A a, B+ b[], C c) WHERE avg(b.v) > 5 AND c.v > a.v WITHIN 1 h", "stam", enumeration=100
    )
    for event in written("a0=0 " + " ".join(f"b{i}=1" for i in range(1, 30)) + " c40=5"):
        driven.feed(event)
    assert driven.matches(driven.ends[-1]) == []
    assert driven.counters["truncated"] == 1


def test_now_and_then_it_looks_whether_the_run_has_to_end(bench: Callable[..., Bench]) -> None:
    driven = bench(
        "SEQ(A a, B+ b[], C c) WHERE avg(b.v) > 5 AND c.v > a.v WITHIN 1 h",
        "stam",
        enumeration=20 * LOOK_EVERY,
    )
    for event in written("a0=0 " + " ".join(f"b{i}=1" for i in range(1, 30)) + " c40=5"):
        driven.feed(event)
    driven.matches(driven.ends[-1])
    assert 18 <= driven.looks <= 22


def groups(*texts: str) -> Groups:
    return tuple(tuple(e for e in EVENTS if e.id in text.split()) for text in texts)


EVENTS = written("a1 b2 b3 b4 c5")


def test_the_largest_are_those_that_no_other_contains() -> None:
    plan = compile_plan(parse("PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s"), name="p")
    for number, event in enumerate(EVENTS):
        event.ordinal = number
    one, two, other, whole = (groups("a1", b, "c5") for b in ("b2", "b2 b3", "b4", "b2 b3 b4"))
    kept = largest(plan.alternatives[0], [one, two, other], lambda: None)
    assert sorted(kept, key=repr) == sorted([two, other], key=repr)
    assert largest(plan.alternatives[0], [one, whole, two, other], lambda: None) == [whole]
