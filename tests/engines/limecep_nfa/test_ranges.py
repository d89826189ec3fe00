"""Ranges that end with an event: those that fulfil what is asked, found without asking about each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench

    Make = Callable[..., Bench]

STREAM = "a1 b2=1 b3=5 b4=3 a5 b6=4 c7"


def found(bench: Bench, stream: str) -> list[str]:
    """The groups of b in the matches of the last end event."""
    for event in written(stream):
        bench.feed(event)
    matches = bench.matches(bench.ends[-1])
    assert bench.count(bench.ends[-1]) == len(matches)
    return sorted(" ".join(e.id for e in m.groups[1]) for m in matches)


@pytest.mark.parametrize(
    ("where", "groups"),
    [
        ("count(b) >= 3", ["b2 b3 b4", "b2 b3 b4 b6"]),
        ("count(b) BETWEEN 2 AND 3", ["b2 b3", "b2 b3 b4"]),
        ("count(b) = 1", ["b2", "b6"]),
        ("last(b).v > 3", ["b2 b3", "b2 b3 b4 b6", "b6"]),
        ("last(b).v > first(b).v", ["b2 b3", "b2 b3 b4", "b2 b3 b4 b6"]),
        ("avg(b.v) > 3", ["b2 b3 b4 b6", "b6"]),
        ("avg(b.v) >= 3", ["b2 b3", "b2 b3 b4", "b2 b3 b4 b6", "b6"]),
        ("avg(b.v) < 3", ["b2"]),
        ("4 > sum(b.v)", ["b2"]),
        ("sum(b.v) > 5 AND max(b.v) - min(b.v) < 5", ["b2 b3", "b2 b3 b4", "b2 b3 b4 b6"]),
        ("avg(b.v) > 3 AND count(b) > 1", ["b2 b3 b4 b6"]),
        ("count(b) < 1", []),
    ],
)
def test_the_ranges_that_fulfil_the_conditions_are_found(bench: Make, where: str, groups: list[str]) -> None:
    assert found(bench(f"SEQ(A a, B+ b[], C c) WHERE {where} WITHIN 10 s"), STREAM) == groups


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        # A sum of what is no number is missing; nothing is said of what it may exceed.
        (["1", "x", "3"], ["b2", "b4"]),
        (["1", "0.5", "3"], ["b2 b3", "b2", "b2 b3 b4", "b3", "b3 b4", "b4"]),
    ],
)
def test_sums_of_odd_values_exclude_nothing(bench: Make, values: list[str], groups: list[str]) -> None:
    stream = " ".join(f"b{n}={value}" for n, value in enumerate(values, start=2))
    driven = bench("B+ b[] WHERE sum(b.v) > 0 WITHIN 10 s")
    for event in written(stream):
        driven.feed(event)
    matches = [m for end in driven.ends for m in driven.matches(end)]
    assert sorted(" ".join(e.id for e in m.groups[0]) for m in matches) == sorted(groups)


def test_a_range_that_began_before_the_window_is_gone(bench: Make) -> None:
    stream = "a1 b2=9 a3 b11=9 b12=9 c12.5"
    assert found(bench("SEQ(A a, B+ b[], C c) WHERE sum(b.v) > 9 WITHIN 10 s"), stream) == ["b11 b12"]


@pytest.mark.parametrize(
    ("pattern", "start", "groups"),
    [
        ("SEQ(A a, B+ b[])", 1, ["b2 b3 b5 b6"]),
        ("SEQ(A a, B+ b[])", 4, ["b5 b6"]),
        ("SEQ(A a, B+ b[])", 7, []),
        ("SEQ(A? a, B+ b[])", 3, ["b3 b5 b6"]),
        ("SEQ(A? a, B+ b[])", 4, ["b5 b6"]),
        ("SEQ(B+ b[], A? a)", 3, ["b3 b5 b6"]),
        ("SEQ(A a, !C c, B+ b[])", 1, ["b2 b3 b5 b6"]),
        ("SEQ(C c, A a, B+ b[])", 0, ["b2 b3 b5 b6"]),
    ],
)
def test_ranges_of_which_nothing_is_asked_are_found_by_their_start(
    bench: Make, pattern: str, start: int, groups: list[str]
) -> None:
    driven = bench(f"{pattern} WITHIN 10 s")
    for event in written("c0 a1 b2 b3 a4 b5 b6"):
        driven.feed(event)
    matches = driven.matches_from(driven.ends[-1], start * SECOND)
    assert matches is not None
    place = [s.variable for s in matches[0].alternative.steps].index("b") if matches else 0
    assert [" ".join(e.id for e in m.groups[place]) for m in matches] == groups


def test_ranges_of_which_nothing_is_asked_are_forgotten_with_their_entries(bench: Make) -> None:
    driven = bench("SEQ(A a, B+ b[], C c) WITHIN 10 s")
    found = []
    for event in written(" ".join(f"a{3 * n} b{3 * n + 1} c{3 * n + 2}" for n in range(1000))):
        end = driven.feed(event)
        if end is not None:
            found.append(len(driven.matches(end)))
    assert found == [1, 2, *[3] * 998]
    (runs,) = [known for name, known in driven.view(driven.ends[-1]).memo.items() if name[0] == "nfa"]
    assert runs.stacks[1].base > 0


def test_no_entry_is_made_for_each_range(bench: Make) -> None:
    driven = bench("SEQ(A a, B+ b[], C c) WHERE avg(b.v) > 5 WITHIN 1 h")
    stream = " ".join(f"a{2 * n} b{2 * n + 1}=9" for n in range(50))
    assert len(found(driven, f"{stream} c200")) == 50 * 51 // 2
    (runs,) = [known for name, known in driven.view(driven.ends[-1]).memo.items() if name[0] == "nfa"]
    assert [len(stack.entries) for stack in runs.stacks] == [50, 50, 1]


def test_ranges_that_are_remembered_one_by_one_are_bounded(bench: Make) -> None:
    driven = bench("SEQ(A a, B+ b[], C c) WHERE max(b.v) - min(b.v) = 1 WITHIN 1 h", max_per_end=60)
    stream = " ".join(f"a{2 * n} b{2 * n + 1}={n % 3}" for n in range(50))
    for event in written(f"{stream} c200"):
        driven.feed(event)
    driven.matches(driven.ends[-1])
    assert driven.counters["truncated"] == 1
