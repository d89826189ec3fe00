"""Negated steps after the end event: what comes later may hit what it completed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import SECOND, written
from limecep_maximal.hits import Hits
from limecep_maximal.law import Law
from limecep_maximal.trailing_negation import TrailingNegation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.event import Event
    from limecep.store.lane import Content


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stnm", "runs", "SEQ(A a, B b, !C n) WHERE n.v = a.v"),
        ("stnm", "runs", "SEQ(A a, B b, !C n) WHERE n.v > a.v"),
        ("stnm", "runs", "SEQ(A a, B b, !C n) WHERE a.v = b.v"),
        ("stnm", "runs", "SEQ(A a, B+ b, A c, !C n) WHERE sum(b.v) > 0"),
        ("stnm", "runs", "SEQ(A a, B{1,2} b, A c, !C n) WHERE n.v = a.v"),
        ("stnm", "runs", "SEQ(A a, B b, !C n, !A m) WHERE n.v = a.v AND m.v > a.v"),
        ("stnm", "runs", "SEQ(A+ a, B b, !C n) WHERE count(a) < 3"),
        ("stnm", "runs", "SEQ(A+ a, B b, !C n) WHERE n.v = b.v"),
        ("stnm", "runs", "SEQ(A a, B+ b, !C n) WHERE n.v = last(b).v"),
        ("stnm", "runs", "SEQ(A a, B+ b, !C n) WHERE n.v = sum(b.v) AND b[i+1].v >= b[i].v"),
        ("stnm", "runs", "SEQ(A+ a, B{1,2} b, !C n) WHERE n.v = b[1].v"),
        ("stnm", "search", "SEQ(A+ a, B b, !C n) WHERE n.v = last(a).v"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


class Completed:
    """A run that an end event completed."""

    def __init__(self, *groups: str) -> None:
        self.groups: list[Sequence[Event]] = [tuple(written(group)) for group in groups]


def trailing(lanes: Callable[..., list[Content]], query: str, *streams: str) -> TrailingNegation[Completed]:
    """The negated steps after a pattern's end, with what their lanes hold."""
    law = Law(compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p").alternatives[0])
    contents = lanes(*[stream.split() for stream in streams])
    return TrailingNegation(law, [Hits(f, c, 0) for f, c in zip(law.forbidding, contents, strict=True)], 0)


PLAIN, EQUAL = "SEQ(A a, B b, !C n) WHERE a.v = b.v", "SEQ(A a, B b, !C n) WHERE n.v = a.v"


@pytest.mark.parametrize(
    ("after", "until", "hit"), [(2, 4, True), (3, 5, False), (2, 3, True), (2, 2.5, False), (5, 6, True)]
)
def test_it_hits_after_the_end_and_up_to_a_bound(
    lanes: Callable[..., list[Content]], after: float, until: float, hit: bool
) -> None:
    made = trailing(lanes, PLAIN, "c3 c6")
    assert made.hit(after * SECOND, int(until * SECOND), Completed("a1", "b2").groups) is hit


def test_what_is_new_is_told_once(lanes: Callable[..., list[Content]]) -> None:
    made = trailing(lanes, PLAIN, "c3 c6")
    assert made.first_new() == 3 * SECOND
    assert made.first_new() is None
    assert [made.stand(t * SECOND) for t in (2, 3, 6)] == [(0,), (1,), (2,)]


def test_what_comes_after_an_end_event_opens_its_runs_again(lanes: Callable[..., list[Content]]) -> None:
    made = trailing(lanes, EQUAL, "c3=1 c6=2")
    first, second, third = (Completed(f"a1={v}", "b2") for v in (1, 2, 3))
    for run in (first, second, third):
        made.put_aside(run, 2 * SECOND, run.groups)
    assert made.reopened(2 * SECOND) == []
    assert made.reopened(5 * SECOND) == [(2 * SECOND, first, first.groups)]
    made.put_aside(first, 5 * SECOND, first.groups)
    assert made.reopened(None) == [(2 * SECOND, second, second.groups)]


def test_what_is_beyond_a_run_lets_it_go(lanes: Callable[..., list[Content]]) -> None:
    made = trailing(lanes, EQUAL, "c3=1 c6=1")
    gone, there = Completed("a1=1", "b2"), Completed("a1=1", "b2")
    for run in (gone, there):
        made.put_aside(run, 2 * SECOND, run.groups)
    over = made.reopened(None, lambda run, order: run is gone and order == 3 * SECOND)
    assert [run for _, run, _ in over] == [there]


def test_what_came_before_the_end_event_opens_nothing(lanes: Callable[..., list[Content]]) -> None:
    made = trailing(lanes, PLAIN, "c3 c6")
    late = Completed("a1", "b4")
    made.put_aside(late, 4 * SECOND, late.groups)
    assert made.reopened(5 * SECOND) == []
    assert made.reopened(6 * SECOND) == [(4 * SECOND, late, late.groups)]
    assert made.reopened(9 * SECOND) == []
