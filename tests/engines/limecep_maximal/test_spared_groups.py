"""Start groups before an end event, and a negated step after it that names one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench


@pytest.mark.parametrize(
    "query",
    [
        "SEQ(A+ a, B b, !C n) WHERE n.v = b.v",
        "SEQ(A+ a, B b, !C n) WHERE n.v = a[1].v",
        "SEQ(A{2,} a, A b, !C n) WHERE n.v > a[1].v AND b.v >= a[1].v",
        "SEQ(A{1,2} a, B b, !A n) WHERE n.v = b.v AND n.v = a[1].v",
        "SEQ(A+ a, B b, !C n, !A m) WHERE n.v = b.v",
        "SEQ(A+ a, !C m, B b, !C n) WHERE n.v = b.v AND m.v = last(a).v",
        "SEQ(A+ a, B b, !C n) WHERE a[i+1].v = a[i].v AND n.v = last(a).v",
        "SEQ(A+ a, B b, !C n) WHERE a[i+1].v >= a[i].v AND n.v = b.v AND b.v = a[1].v",
        "SEQ(A+ a, B b, !C n) WHERE sum(a.v) > 1 AND n.v = a[1].v",
        "SEQ(!B m, A+ a, C b, !C n) WHERE n.v = b.v",
    ],
)
def test_matches_are_those_of_the_oracle(hold: Callable[..., None], query: str) -> None:
    hold(query, way="runs", streams=24)


END = "SEQ(A+ a, B b, !C n) WHERE n.v = b.v"
FIRST = "SEQ(A+ a, B b, !C n) WHERE n.v = a[1].v"


@pytest.mark.parametrize(
    ("query", "stream", "exposed"),
    [
        # The first end event completed the group, the next one does now.
        (END, "a1 b2=1 b3=2 c5=1", ["b2", "b3"]),
        (END, "a1 b2=1 b3=2 c5=2", ["b3"]),
        (END, "a1 b2=1 b3=2 c5=3", []),
        (END, "a1 b2=1 b3=2 c12=1", []),
        # A smaller group is spared.
        (FIRST, "a1=1 a2=2 b3 c4=1", ["b3"]),
        (FIRST, "a1=1 a2=2 b3 c4=2", []),
    ],
)
def test_an_event_exposes_the_end_events_of_what_it_hits_and_those_after(
    bench: Callable[..., Bench], query: str, stream: str, exposed: list[str]
) -> None:
    driven = bench(f"{query} WITHIN 10 s")
    told: list[str] | None = None
    for event in written(stream):
        if driven.feed(event) is None:
            told = [e.id for e in driven.exposed() or ()]
        for end in driven.ends:
            driven.matches(end)
    assert told == exposed


def shown(driven: Bench) -> list[list[str]]:
    """The matches of each end event."""
    return [[" ".join(e.id for g in m.groups for e in g) for m in driven.matches(e)] for e in driven.ends]


def test_what_was_hit_completed_nothing(bench: Callable[..., Bench]) -> None:
    driven = bench(f"{END} WITHIN 10 s")
    for event in written("a1 b2=1 b3=2"):
        driven.feed(event)
    assert shown(driven) == [["a1 b2"], []]
    driven.feed(written("c5=1")[0])
    assert shown(driven) == [[], ["a1 b3"]]
    assert [len(driven.matches_from(driven.ends[1], t * SECOND) or ()) for t in (1, 2)] == [1, 0]


def test_end_events_that_were_not_asked_about_are_told(bench: Callable[..., Bench]) -> None:
    driven = bench(f"{END} WITHIN 10 s")
    for event in written("a1 b2=1 a4 b13=2 b14=2 c15=3"):
        driven.feed(event)
    assert driven.exposed() is None
    driven.matches(driven.ends[1])
    assert [e.id for e in driven.exposed() or ()] == ["b14"]


def test_what_nothing_depends_on_is_let_go_of(bench: Callable[..., Bench]) -> None:
    driven = bench(f"{FIRST} WITHIN 10 s")
    for event in written(" ".join(f"a{t}=1 b{t}.5" for t in range(1500))):
        driven.feed(event)
        if driven.ends:
            driven.matches(driven.ends[-1])
    spared = driven.view(driven.ends[0]).memo["runs", 0]
    assert len(spared._candidates) < 1100
    assert len(spared._begun) < 1100
    assert spared._trailing._kept < 1100
