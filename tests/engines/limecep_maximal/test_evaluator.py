"""One alternative: the way it goes, what it counts, and where it is cut short."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench

    Make = Callable[..., Bench]


@pytest.mark.parametrize(
    ("query", "select", "way"),
    [
        ("SEQ(A a, B{2,} b, C c)", "stnm", "plain"),
        ("SEQ(A a, B+ b, C c) WHERE count(b) > 2", "stnm", "plain"),
        ("SEQ(A a, B+ b) WHERE b[i+1].v > b[i].v", "stnm", "tight"),
        ("SEQ(A a, !X x, B b)", "stam", "tight"),
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", "stnm", "runs"),
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", "stam", "joined"),
        ("SEQ(A a, B{1,2} b, C c)", "stnm", "runs"),
        ("SEQ(A a, B{1,2} b, C c)", "stam", "search"),
        ("A+ a WHERE sum(a.v) > 1", "stnm", "alone"),
        ("A+ a WHERE sum(a.v) > 1", "stam", "relaxed"),
        ("SEQ(A+ a, !X x) WHERE x.v = a[1].v", "stam", "alone"),
        ("SEQ(A+ a, !X x) WHERE x.v = sum(a.v)", "stam", "search"),
        ("SEQ(A a, B+ b) WHERE sum(b.v) > a.v", "stam", "relaxed"),
        ("SEQ(A a, B+ b, C c) WHERE sum(b.v) > 1 AND c.v > a.v", "stam", "search"),
        ("SEQ(A a, B? b, C c) WHERE b.v > a.v", "stnm", "search"),
    ],
)
def test_the_cheapest_way_is_taken(bench: Make, query: str, select: str, way: str) -> None:
    engine = bench(f"{query} WITHIN 10 s", select).engine
    assert isinstance(engine, MaximalEngine)
    (said,) = engine.explain()
    assert said.split(":")[0] == way


STREAM = "a1=1 b2=2 a3=2 b4=1 c5=1 b6=3 a7=1 c8=2 b9=2 c10=1"


@pytest.mark.parametrize(
    ("query", "select"),
    [
        ("SEQ(A a, B b, C c)", "stnm"),
        ("SEQ(A a, B b, C c)", "stam"),
        ("SEQ(A a, B+ b, C c)", "stnm"),
        ("SEQ(A+ a, B+ b)", "stam"),
        ("SEQ(A a, !B b, C c)", "stam"),
        ("SEQ(A a, B? b, C c)", "stnm"),
        ("SEQ(A a, B+ b, C c) WHERE b[i+1].v > b[i].v", "stnm"),
    ],
)
def test_what_is_counted_is_what_is_given(bench: Make, query: str, select: str) -> None:
    driven = bench(f"{query} WITHIN 8 s", select)
    for event in written(STREAM):
        driven.feed(event)
    given = [len(driven.matches(end)) for end in driven.ends]
    assert any(given)
    assert [driven.count(end) for end in driven.ends] == given


@pytest.mark.parametrize(
    ("select", "where", "counted"),
    [
        ("stnm", "", True),
        ("stam", "", True),
        ("stnm", "WHERE b.v > a.v", False),
        ("stam", "WHERE b.v > a.v", False),
    ],
)
def test_only_what_needs_no_conditions_is_counted(
    bench: Make, select: str, where: str, counted: bool
) -> None:
    driven = bench(f"SEQ(A a, B b) {where} WITHIN 8 s", select)
    for event in written("a1=1 b2=2"):
        driven.feed(event)
    assert driven.count(driven.ends[0]) == (1 if counted else None)


@pytest.mark.parametrize("asked", ["matches", "count"])
def test_more_matches_than_there_may_be_are_cut_short(bench: Make, asked: str) -> None:
    driven = bench("SEQ(A a, B* b, C c) WITHIN 1 h", "stam", max_per_end=5)
    for event in written(" ".join(f"a{i} b{i}.5" for i in range(9)) + " c20"):
        driven.feed(event)
    end = driven.ends[-1]
    if asked == "matches":
        assert len(driven.matches(end)) == 5
    else:
        assert driven.count(end) == 6


def test_an_end_event_that_a_step_does_not_take_ends_nothing_there(bench: Make) -> None:
    driven = bench("SEQ(A a, B b, A? c) WHERE c.v > 1 WITHIN 8 s")
    for event in written("a1=0 b2=0 a3=1 a4=2"):
        driven.feed(event)
    found = [
        sorted(" ".join(e.id for g in m.groups for e in g) for m in driven.matches(end))
        for end in driven.ends
    ]
    assert found == [["a1 b2"], ["a1 b2 a4"]]


def test_paths_are_kept_from_one_end_event_to_the_next(bench: Make) -> None:
    driven = bench("SEQ(A a, B+ b, C c) WHERE b[i+1].v > b[i].v WITHIN 8 s")
    for event in written(STREAM):
        driven.feed(event)
    driven.matches(driven.ends[0])
    memo = driven.view(driven.ends[0]).memo
    known = memo["paths", 0, 1]
    driven.matches(driven.ends[1])
    assert memo["paths", 0, 1] is known
    assert set(memo) == {("paths", 0, 1)}


def test_only_an_event_that_a_step_takes_touches_anything(bench: Make) -> None:
    driven = bench("SEQ(A a, B b) WHERE a.v > 1 WITHIN 8 s")
    for event in written("a1=2 b3 b6"):
        driven.feed(event)
    found = [driven.touched(*written(word)) for word in ("a2=2", "a2=1", "c2", "b2")]
    assert [None if ends is None else [e.id for e in ends] for ends in found] == [["b3"], [], [], ["b3"]]
