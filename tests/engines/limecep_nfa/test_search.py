"""Runs of one window, gone through one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import written
from limecep_nfa.search import LOOK_EVERY

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench

    Make = Callable[..., Bench]


def found(bench: Bench, stream: str) -> list[str]:
    """The matches of the last end event of a stream."""
    for event in written(stream):
        bench.feed(event)
    matches = bench.matches(bench.ends[-1])
    return sorted(" ".join(e.id for group in m.groups for e in group) for m in matches)


@pytest.mark.parametrize(
    ("query", "stream", "matches"),
    [
        ("SEQ(A a, B+ b[], C c) WHERE sum(b.v) > 3", "a1 b2=2 b3=2 b4=1 c5",
         ["a1 b2 b3 b4 c5", "a1 b2 b3 c5"]),
        ("SEQ(A a, B b, C c) WHERE c.v > a.v", "a1=1 b2 a3=5 b4 c5=3", ["a1 b2 c5", "a1 b4 c5"]),
        ("SEQ(A a, B+ b[]) WHERE b[i].v > avg(b[..i-1].v)", "a1 b2=1 b3=2 b4=3",
         ["a1 b2 b3 b4", "a1 b2 b4", "a1 b3 b4", "a1 b4"]),
        ("SEQ(A a, B? b, C c) WHERE c.v > a.v", "a1=1 b2 c3=2", ["a1 b2 c3", "a1 c3"]),
        ("SEQ(A a, B{2} b[], C c) WHERE count(b.v) < 2", "a1 b2=1 b3=1 b4 c5",
         ["a1 b2 b4 c5", "a1 b3 b4 c5"]),
        ("SEQ(A{2} a[], B b) WHERE a[2].v < b.v", "a1=0 a2=5 a3=0 b4=1", ["a1 a3 b4", "a2 a3 b4"]),
        ("SEQ(A a, !X x, B b, C c) WHERE c.v > a.v", "a1=1 x2 a3=1 b4 c5=2", ["a3 b4 c5"]),
        ("SEQ(A a, !X x, B b, C c) WHERE c.v > a.v AND x.v = b.v", "a1=1 x2=7 b3=7 b4=8 c5=2", ["a1 b4 c5"]),
        ("SEQ(!X x, A a, B b, C c) WHERE c.v > a.v", "a1=1 x2 a3=1 b4 c5=2", ["a1 b4 c5"]),
        ("SEQ(A a, B b, C c) WHERE c.v > a.v AND b.v > a.v", "a1=1 b2=1 b3=2 c4=2", ["a1 b3 c4"]),
        ("SEQ(A a, B b, C c) WHERE c.v > a.v", "a1=1 b1 c2=2 b3 c4=2", ["a1 b3 c4"]),
        ("SEQ(A a, B b, C c) WHERE c.v > a.v", "a1=1 a1.5=1 b2 c11.5=2", ["a1.5 b2 c11.5"]),
        ("SEQ(A a, B+ b[]) WHERE count(b) > 1 AND b[1].v > a.v", "a1=1 b2=0 b3=2 b4=0", ["a1 b3 b4"]),
    ],
)  # fmt: skip
def test_every_match_of_the_end_event_is_found_once(
    bench: Make, query: str, stream: str, matches: list[str]
) -> None:
    assert found(bench(f"{query} WITHIN 10 s", "stam"), stream) == matches


def test_where_there_is_no_room_for_all_steps_nothing_is_gone_through(bench: Make) -> None:
    driven = bench("SEQ(A a, B{3} b[], C c) WHERE c.v > a.v WITHIN 10 s", "stam", max_per_end=1)
    assert found(driven, "a1=1 a2=1 a3=1 b4 b5 c6=2") == []
    assert driven.counters["truncated"] == 0


def test_work_without_end_is_cut_short_and_told(bench: Make) -> None:
    driven = bench("SEQ(A a, B+ b[], C c) WHERE avg(b.v) > 5 WITHIN 1 h", "stam", max_per_end=100)
    assert found(driven, "a0 " + " ".join(f"b{i}=1" for i in range(1, 40)) + " c50") == []
    assert driven.counters["truncated"] == 1


def test_what_leads_to_matches_is_not_in_vain(bench: Make) -> None:
    driven = bench("SEQ(A a, B b, C c) WHERE c.v > a.v WITHIN 1 h", "stam", max_per_end=40)
    assert len(found(driven, "a0=0 " + " ".join(f"b{i}" for i in range(1, 40)) + " c50=1")) == 39
    assert driven.counters["truncated"] == 0


def test_now_and_then_it_looks_whether_it_has_to_stop(bench: Make) -> None:
    driven = bench("SEQ(A a, B+ b[], C c) WHERE avg(b.v) > 5 WITHIN 1 h", "stam", max_per_end=10 * LOOK_EVERY)
    found(driven, "a0 " + " ".join(f"b{i}=1" for i in range(1, 40)) + " c50")
    assert driven.looks == 10
