"""Runs that are kept in a view from one end event to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.testing.bench import Bench


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stnm", "runs", "SEQ(A a, B+ b, C c) WHERE b[i].v >= a.v"),
        ("stnm", "runs", "SEQ(A a, B+ b) WHERE sum(b.v) > 1"),
        ("stnm", "runs", "SEQ(A a, B b, !C n) WHERE n.v = a.v"),
        ("stnm", "alone", "A+ a WHERE sum(a.v) > 1"),
        ("stnm", "alone", "SEQ(!B n, A{1,2} a)"),
    ],
)
def test_end_events_may_be_asked_about_in_any_order(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


def test_runs_go_on_and_those_of_the_past_are_kept_beside_them(bench: Callable[..., Bench]) -> None:
    driven = bench("SEQ(A a, B b, C c) WHERE b.v = a.v WITHIN 10 s")
    for event in written(" ".join(f"a{t}=1 b{t + 1}=1 c{t + 2}" for t in range(0, 90, 3))):
        driven.feed(event)
    memo = driven.view(driven.ends[0]).memo
    in_turn = [len(driven.matches(end)) for end in driven.ends]
    farthest = memo["runs", 0]
    assert farthest.stop == len(driven.ends)
    assert [len(driven.matches(end)) for end in driven.ends[:5]] == in_turn[:5]
    assert memo["runs", 0] is farthest
    past = memo["past", 0]
    assert past.stop == 5
    assert len(driven.matches(driven.ends[5])) == in_turn[5]
    assert memo["past", 0] is past


def test_a_single_step_is_made_anew_for_an_older_window(bench: Callable[..., Bench]) -> None:
    driven = bench("A+ a[] WHERE sum(a.v) > 1 WITHIN 10 s")
    for event in written(" ".join(f"a{t}=1" for t in range(0, 40, 4))):
        driven.feed(event)
    memo = driven.view(driven.ends[0]).memo
    driven.matches(driven.ends[5])
    known = memo["alone", 0]
    driven.matches(driven.ends[6])
    assert memo["alone", 0] is known
    assert len(driven.matches(driven.ends[1])[0].groups[0]) == 2
    assert memo["alone", 0] is not known


@pytest.mark.parametrize(
    ("query", "after", "found"),
    [
        ("SEQ(A a, B+ b, !C n) WHERE n.v = a.v", "c6=3", ["a1 b3 b5", "a2 b3 b5"]),
        ("SEQ(A a, B b, !C n) WHERE n.v = b.v", "c6=2", ["a1 b5", "a2 b5"]),
        ("SEQ(A a, B+ b) WHERE sum(b.v) > 1", "", ["a1 b3 b5", "a2 b3 b5"]),
        ("A+ a WHERE sum(a.v) > 1", "", None),
        ("SEQ(A a, B b) WHERE b.v = a.v", "", None),
    ],
)
def test_where_answers_are_remembered_those_of_one_start_are_given(
    bench: Callable[..., Bench], query: str, after: str, found: list[str] | None
) -> None:
    driven = bench(f"{query} WITHIN 10 s")
    for event in written(f"a1=1 a2=2 b3=2 b5=1 {after}"):
        driven.feed(event)
    for end in driven.ends:
        driven.matches(end)
    given = [driven.matches_from(driven.ends[-1], t * SECOND) for t in (1, 2, 3)]
    if found is None:
        assert given == [None, None, None]
    else:
        shown = [[" ".join(e.id for g in m.groups for e in g) for m in some or ()] for some in given]
        assert shown == [[found[0]], [found[1]], []]


def test_nothing_brings_to_light_what_ends_with_a_group(bench: Callable[..., Bench]) -> None:
    driven = bench("SEQ(A a, B+ b, !C n) WHERE n.v = last(b).v WITHIN 10 s")
    for event in written("a1 b2=1 b3=2 c5=2"):
        driven.feed(event)
    assert driven.exposed() is None
    assert [len(driven.matches(end)) for end in driven.ends] == [1, 0]
    assert driven.exposed() == []
