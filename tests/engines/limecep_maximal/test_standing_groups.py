"""One step, and a negated step after it: what is found stands until something hits it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench


@pytest.mark.parametrize("select", ["stnm", "stam"])
@pytest.mark.parametrize(
    "query",
    [
        "SEQ(A{2,} a, !B n) WHERE n.v = a[1].v",
        "SEQ(A+ a, !B n) WHERE n.v > last(a).v AND last(a).v >= a[1].v",
        "SEQ(A+ a, !B n) WHERE a[i+1].v = a[i].v AND n.v = last(a).v",
        "SEQ(A+ a, !B n) WHERE a[i+1].v = a[i].v AND n.v = a.v",
        "SEQ(A+ a, !B n, !C m) WHERE n.v = a[1].v AND m.v = last(a).v",
        "SEQ(A+ a, !B n, !C m) WHERE n.v = a[1].v",
        "SEQ(!C m, A{2,} a, !B n) WHERE n.v = a[1].v AND m.v = a[1].v",
    ],
)
def test_matches_are_those_of_the_oracle(hold: Callable[..., None], query: str, select: str) -> None:
    hold(query, select, way="alone", streams=24)


@pytest.mark.parametrize(
    "query",
    [
        "SEQ(A{1,2} a, !B n) WHERE n.v = last(a).v",
        "SEQ(A+ a, !B n) WHERE n.v = sum(a.v)",
        "SEQ(A+ a, !B n) WHERE a[i+1].v > a[i].v AND n.v = a[1].v",
    ],
)
def test_so_are_they_where_groups_have_to_be_tried(hold: Callable[..., None], query: str) -> None:
    hold(query, way="alone", streams=24)


FIRST = "SEQ(A{2,} a, !B n) WHERE n.v = a[1].v"
CHAIN = "SEQ(A+ a, !B n) WHERE a[i+1].v = a[i].v AND n.v = last(a).v"


@pytest.mark.parametrize(
    ("query", "stream", "exposed"),
    [
        (FIRST, "a1=1 a2=2 a3=3 b4=1", ["a2", "a3"]),
        # Nothing that stands is hit.
        (FIRST, "a1=1 a2=2 a3=3 b4=2", []),
        # Its window is over.
        (FIRST, "a1=1 a2=2 a3=3 b12=1", []),
        (CHAIN, "a1=1 a2=2 a3=1 b4=1", ["a1", "a3"]),
        # Of what has been hit nothing is left to hit.
        (CHAIN, "a1=1 a2=1 b3=1 b4=1", []),
    ],
)
def test_an_event_exposes_the_end_events_of_what_it_hits(
    bench: Callable[..., Bench], query: str, stream: str, exposed: list[str]
) -> None:
    driven = bench(f"{query} WITHIN 10 s")
    told: list[str] | None = None
    for event in written(stream):
        end = driven.feed(event)
        if end is None:
            told = [e.id for e in driven.exposed() or ()]
        for end in driven.ends:
            driven.matches(end)
    assert told == exposed


def test_what_was_hit_is_told_although_it_was_asked_about_since(bench: Callable[..., Bench]) -> None:
    driven = bench(f"{FIRST} WITHIN 10 s")
    for event in written("a1=1 a2=2 a3=3"):
        driven.feed(event)
        driven.matches(driven.ends[-1])
    driven.feed(written("b4=1")[0])
    assert [len(driven.matches(end)) for end in driven.ends] == [0, 0, 1]
    assert [e.id for e in driven.exposed() or ()] == ["a2", "a3"]
    assert driven.exposed() == []


def test_end_events_that_were_not_asked_about_are_told(bench: Callable[..., Bench]) -> None:
    driven = bench(f"{FIRST} WITHIN 10 s")
    for event in written("a1=1 a2=2 a3=3 b4=3"):
        driven.feed(event)
    assert driven.exposed() is None
    driven.matches(driven.ends[1])
    assert [e.id for e in driven.exposed() or ()] == ["a1", "a3"]


def test_what_left_the_window_is_let_go_of(bench: Callable[..., Bench]) -> None:
    driven = bench("SEQ(A+ a, !B n) WHERE n.v = a[1].v WITHIN 10 s")
    for event in written(" ".join(f"a{t}=1" for t in range(2000))):
        driven.feed(event)
        driven.matches(driven.ends[-1])
    standing = driven.view(driven.ends[0]).memo["alone", 0]
    assert len(standing._standing) < 1100
    assert standing._trailing._kept < 1100
