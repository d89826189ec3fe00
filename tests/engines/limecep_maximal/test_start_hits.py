"""Starts that what follows an end event hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import SECOND, written
from limecep_maximal.start_hits import StartHits

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench

    Make = Callable[..., Bench]


def start_hits(query: str) -> StartHits:
    return StartHits(compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p").alternatives[0], 0)


@pytest.mark.parametrize(
    ("query", "some"),
    [
        ("SEQ(A a, B b, !N n) WHERE n.v = a.v", True),
        ("SEQ(A a, B b, !N n) WHERE n.v > a.v", True),
        ("SEQ(A a, B b, !N n, !M m) WHERE n.v = b.v AND m.v = a.v", True),
        ("SEQ(A a, B b, !N n)", False),
        ("SEQ(A a, B b, !N n) WHERE n.v = b.v", False),
        ("SEQ(A a, B b, !N n) WHERE n.v = a.v AND n.v > b.v", False),
        ("SEQ(A a, !N n, B b) WHERE n.v = a.v", False),
        ("SEQ(A+ a[], B b, !N n) WHERE n.v = a[1].v", False),
        ("SEQ(A? a, B b, !N n) WHERE n.v = a.v", False),
    ],
)
def test_only_what_names_nothing_but_a_single_start_counts(query: str, some: bool) -> None:
    assert start_hits(query).any is some


@pytest.mark.parametrize(
    ("first", "stop", "hit"),
    [
        # n7 hits a1 until its window ends, n13 nothing of a1's.
        (1, 2, True),
        # a2 has another value; n13 comes too late for it.
        (2, 3, False),
        (1, 3, False),
        # n13 hits a4; n4.5 came before the end event.
        (4, 5, True),
        # Nothing starts there.
        (3, 4, True),
    ],
)
def test_a_start_is_hit_by_what_follows_the_end_event_in_its_window(
    bench: Make, first: int, stop: int, hit: bool
) -> None:
    query = "SEQ(A a, B b, !N n) WHERE n.v = a.v WITHIN 10 s"
    driven = bench(query)
    for event in written("a1=1 a2=3 a4=2 n4.5=3 b5 n7=1 n13=3 n13.5=2"):
        driven.feed(event)
    (end,) = driven.ends
    known = StartHits(compile_plan(parse(f"PATTERN {query}"), name="p").alternatives[0], 0)
    assert known.all_hit(end, driven.view(end), first * SECOND, stop * SECOND) is hit


@pytest.mark.parametrize("select", ["stnm", "stam"])
def test_nothing_is_looked_for_where_the_start_is_hit(bench: Make, select: str) -> None:
    driven = bench("SEQ(A a, B+ b[], !N n) WHERE n.v = a.v WITHIN 10 s", select)
    for event in written("a1=1 a2=2 b3 b4 n5=1"):
        driven.feed(event)
    end = driven.ends[-1]
    assert [len(driven.matches_from(end, t * SECOND) or ()) for t in (1, 2)] == [0, 1]
