"""Under STAM, where every step takes one event: what is chosen, and how much is tried for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench
from limecep.testing.streams import written
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from collections.abc import Callable

SECOND = 1_000_000


def fed(query: str, events: str) -> Bench:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 50 s"), name="p", select="stam")
    bench = Bench(plan, lambda plan, context: MaximalEngine(plan, MaximalOptions(), context))
    for event in written(events):
        bench.feed(event)
    return bench


def found(bench: Bench) -> list[str]:
    """The matches of the last end event."""
    return sorted(" ".join(e.id for g in m.groups for e in g) for m in bench.matches(bench.ends[-1]))


@pytest.mark.parametrize(
    ("query", "events", "matches"),
    [
        ("SEQ(A a, B b) WHERE b.v = a.v", "a1=1 a2=2 a3=1 b4=1", ["a1 b4", "a3 b4"]),
        ("SEQ(A a, B b) WHERE b.v > a.v + 1", "a1=1 a2=2 b3=3", ["a1 b3"]),
        ("SEQ(A a, B b, C c) WHERE c.v = a.v", "a1=1 b2 a3=1 b4 c5=1", ["a1 b2 c5", "a1 b4 c5", "a3 b4 c5"]),
        ("SEQ(A a, !B b, C c) WHERE b.v = a.v", "a1=1 a2=2 b3=2 a4=2 c5", ["a1 c5", "a4 c5"]),
        ("SEQ(A a, !B b, C c) WHERE b.v = c.v AND a.v = 1", "b1=3 a2=1 b3=3 a4=1 c5=3", ["a4 c5"]),
        ("SEQ(!B b, A a, C c) WHERE b.v = c.v", "b1=3 a2 c3=3 c4=5", ["a2 c4"]),
        ("SEQ(A a, C c, !B b) WHERE b.v = a.v", "a1=1 a2=2 c3 b4=1 b60=2", ["a2 c3"]),
        ("SEQ(A a, C c) WHERE c.v != a.v", "a1=1 c51=2", ["a1 c51"]),
        ("SEQ(A a, C c) WHERE c.v != a.v", "a1=1 c52=2", []),
    ],
)
def test_every_assignment_is_a_match_that_nothing_forbids(
    query: str, events: str, matches: list[str]
) -> None:
    assert found(fed(query, events)) == matches


def test_an_event_is_looked_up_by_what_it_has_to_equal() -> None:
    bench = fed("SEQ(A a, B b, C c) WHERE b.v = a.v AND c.v = b.v", f"{_many('a', 20)} b21=7 c22=7")
    before = bench.looks
    assert found(bench) == ["a7 b21 c22"]
    # Once for each step: nothing is tried that has another value.
    assert bench.looks - before == 3


def test_what_conditions_name_is_chosen_before_the_rest() -> None:
    bench = fed("SEQ(A a, B b, C c) WHERE c.v = a.v", f"{_many('a', 20)} {_many('b', 20, 21)} c45=99")
    before = bench.looks
    assert found(bench) == []
    assert bench.looks - before == 2


def test_of_a_given_start_no_other_is_tried() -> None:
    bench = fed("SEQ(A a, B b, C c) WHERE c.v >= a.v", f"{_many('a', 20)} b21 b22 c23=99")
    before = bench.looks
    given = bench.matches_from(bench.ends[-1], 7 * SECOND) or []
    assert sorted(m.groups[1][0].id for m in given) == ["b21", "b22"]
    assert {m.start.id for m in given} == {"a7"}
    assert bench.looks - before == 3
    assert bench.matches_from(bench.ends[-1], 30 * SECOND) == []


def test_an_end_event_that_is_its_own_start_has_no_match_with_another() -> None:
    bench = fed("SEQ(A a, !B b) WHERE b.v <= sum(a.v)", "a1=1 a2=2")
    assert [len(bench.matches_from(bench.ends[-1], t * SECOND) or ()) for t in (1, 2)] == [0, 1]


@pytest.mark.parametrize(
    "query",
    [
        "SEQ(A a, B b, C c) WHERE a.v = c.v",
        "SEQ(A a, !C n, B b) WHERE n.v = a.v",
        "SEQ(A a, B b, !C n) WHERE n.v = b.v",
        "SEQ(A a, B b, C c) WHERE b.v = a.v AND c.v = b.v",
        "AND(A a, B b) WHERE b.v > a.v",
    ],
)
def test_matches_are_those_of_the_oracle(hold: Callable[..., None], query: str) -> None:
    hold(query, "stam", way="joined")


def test_choices_that_are_all_hit_are_cut_short_and_told(bench: Callable[..., Bench]) -> None:
    driven = bench("SEQ(A a, !X x, B b, C c) WHERE a.v < b.v AND c.v > b.v WITHIN 1 h", "stam", 20)
    for event in written(" ".join(f"a{i}=1" for i in range(30)) + " x31 b40=2 c50=9"):
        driven.feed(event)
    assert driven.matches(driven.ends[-1]) == []
    assert driven.counters["truncated"] == 1


def _many(kind: str, count: int, first: int = 1) -> str:
    """Events a second apart, each with its second as value."""
    return " ".join(f"{kind}{n}={n}" for n in range(first, first + count))
