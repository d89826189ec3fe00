"""Ways back from an end event: found one by one, or counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.model.match import Range
from limecep.testing.streams import written
from limecep_nfa.search import LOOK_EVERY

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench

    Make = Callable[..., Bench]


def fed(bench: Bench, stream: str) -> Bench:
    for event in written(stream):
        bench.feed(event)
    return bench


def found(bench: Bench) -> list[str]:
    """The matches of the last end event."""
    matches = bench.matches(bench.ends[-1])
    return sorted(" ".join(e.id for group in m.groups for e in group) for m in matches)


CASES = [
    ("SEQ(A a, B b, C c)", "stnm", "a1 b2 b3 c4", ["a1 b2 c4"]),
    ("SEQ(A a, B b, C c)", "stam", "a1 b2 b3 c4", ["a1 b2 c4", "a1 b3 c4"]),
    ("SEQ(A a, B+ b[], C c)", "stnm", "a1 b2 b3 c4", ["a1 b2 b3 c4", "a1 b2 c4"]),
    ("SEQ(A a, B+ b[], C c)", "stam", "a1 b2 b3 c4", ["a1 b2 b3 c4", "a1 b2 c4", "a1 b3 c4"]),
    ("SEQ(A a, B+ b[], C c)", "sc", "a1 b2 b3 c4", ["a1 b2 b3 c4"]),
    ("SEQ(A a, B? b, C c)", "stam", "a1 b2 c3", ["a1 b2 c3", "a1 c3"]),
    ("SEQ(A? a, B b)", "stam", "a1 b2", ["a1 b2", "b2"]),
    ("SEQ(A+ a[], B b)", "stam", "a1 a2 b3", ["a1 a2 b3", "a1 b3", "a2 b3"]),
    ("SEQ(A a, B{2,3} b[])", "stam", "a1 b2 b3 b4", ["a1 b2 b3 b4", "a1 b2 b4", "a1 b3 b4"]),
    ("SEQ(A a, B b, C c)", "stam", "a1 a2 b3 c11.5", ["a2 b3 c11.5"]),
    ("SEQ(!X x, A a, B b, C c)", "stam", "a1 x2 a3 b4 c5", ["a1 b4 c5"]),
    ("SEQ(A+ a[], !X x, B b)", "stam", "a1 a2 x3 a4 b5", ["a1 a2 a4 b5", "a1 a4 b5", "a2 a4 b5", "a4 b5"]),
    ("SEQ(A a, B+ b[]) WHERE b[i+1].v > b[i].v", "stam", "a1 b2=1 b3=3 b4=2", ["a1 b2 b4", "a1 b4"]),
    (
        "SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v",
        "stnm",
        "a1=1 b2=2 b3=1 b4=2 c5",
        ["a1 b2 b4 c5", "a1 b2 c5"],
    ),
    ("SEQ(A a, B+ b[], C c) WHERE count(b) > 1", "stnm", "a1 a2 b3 b4 c5", ["a1 b3 b4 c5", "a2 b3 b4 c5"]),
]


@pytest.mark.parametrize(("query", "select", "stream", "matches"), CASES)
def test_every_way_back_is_a_match(
    bench: Make, query: str, select: str, stream: str, matches: list[str]
) -> None:
    driven = fed(bench(f"{query} WITHIN 10 s", select), stream)
    assert found(driven) == matches
    assert driven.count(driven.ends[-1]) == len(matches)


def test_a_condition_on_the_whole_match_is_asked_last(bench: Make) -> None:
    driven = fed(bench("SEQ(A a, !X x, B b, C c) WHERE x.v = c.v WITHIN 10 s", "stam"), "a1 x2=1 a3 b4 c5=1")
    assert found(driven) == ["a3 b4 c5"]
    assert driven.count(driven.ends[-1]) is None


def test_a_group_that_no_condition_looks_at_is_a_range(bench: Make) -> None:
    driven = fed(bench("SEQ(A a, B+ b[], C c) WITHIN 10 s"), "a1 b2 b3 b4 c5")
    groups = [m.groups[1] for m in driven.matches(driven.ends[-1])]
    assert all(isinstance(group, Range) for group in groups)
    assert sorted(len(group) for group in groups) == [1, 2, 3]


@pytest.mark.parametrize(
    ("condition", "select"), [("b[i].v > 1 AND b[i+1].v > b[i].v", "stnm"), ("a.v > 1", "stam")]
)
def test_other_groups_are_tuples(bench: Make, condition: str, select: str) -> None:
    driven = fed(bench(f"SEQ(A a, B+ b[], C c) WHERE {condition} WITHIN 10 s", select), "a1=2 b2=2 b3=3 c5")
    assert {type(m.groups[1]) for m in driven.matches(driven.ends[-1])} == {tuple}


def test_ways_in_vain_are_cut_short_and_told(bench: Make) -> None:
    stream = "x0=1 a1 " + " ".join(f"b{i}" for i in range(2, 30)) + " c40=1"
    driven = fed(bench("SEQ(!X x, A a, B+ b[], C c) WHERE x.v = c.v WITHIN 1 h", "stam", 50), stream)
    assert found(driven) == []
    assert driven.counters["truncated"] == 1


def test_ways_that_lead_to_matches_are_not_in_vain(bench: Make) -> None:
    stream = "a1 " + " ".join(f"b{i}" for i in range(2, 30)) + " c40"
    driven = fed(bench("SEQ(A a, B b, C c) WITHIN 1 h", "stam", 35), stream)
    assert len(found(driven)) == 28
    assert driven.counters["truncated"] == 0


def test_now_and_then_it_looks_whether_it_has_to_stop(bench: Make) -> None:
    driven = fed(
        bench("SEQ(A a, B+ b[], C c) WITHIN 1 h", "stam"),
        "a1 " + " ".join(f"b{i}" for i in range(2, 12)) + " c40",
    )
    before = driven.looks
    assert len(found(driven)) == 1023
    assert driven.looks - before == (1 + 1023 + 1023) // LOOK_EVERY
