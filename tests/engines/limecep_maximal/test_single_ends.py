"""The commonest shape: single starts and ends, nothing negated, no conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import SECOND, written
from limecep_maximal.shape import Shape
from limecep_maximal.single_ends import touched

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.store.lane import Content
    from limecep.testing.bench import Bench


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stnm", "plain", "SEQ(A a, B b)"),
        ("stnm", "plain", "SEQ(A a, B b, A c)"),
        ("stnm", "plain", "SEQ(A a, B+ b, C c)"),
        ("stnm", "plain", "SEQ(A a, B{2,} b, C c)"),
        ("stnm", "plain", "SEQ(A a, B+ b, A+ c, C d)"),
        ("stnm", "plain", "SEQ(A a, A b, B+ c, B d)"),
        ("stnm", "plain", "SEQ(B a, A+ b, B c, A d)"),
    ],
)
def test_matches_are_those_of_the_oracle(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


def ended(bench: Bench, stream: str) -> list[str]:
    """The matches of each end event, in the order of the stream."""
    found = []
    for event in written(stream):
        if (end := bench.feed(event)) is not None:
            found += [" ".join(e.id for g in m.groups for e in g) for m in bench.matches(end)]
    return found


@pytest.mark.parametrize(
    ("query", "stream", "matches"),
    [
        ("SEQ(A a, B b)", "a1 a2 b3 b4", ["a1 b3", "a2 b3"]),
        ("SEQ(A a, B b)", "a1 b11 a12 b22.5", ["a1 b11"]),
        ("SEQ(A a, B b)", "a1 b1 b2", ["a1 b2"]),
        ("SEQ(A a, B b, C c)", "a1 b2 b3 c4 c5", ["a1 b2 c4"]),
        ("SEQ(A a, B+ b[], C c)", "a1 b2 a3 b4 c5", ["a3 b4 c5", "a1 b2 b4 c5"]),
        ("SEQ(A a, B{2,} b[], C c)", "a1 b2 c3 b4 c5 b6 c7", ["a1 b2 b4 c5"]),
    ],
)
def test_a_run_is_completed_by_the_first_end_event_after_it(
    bench: Callable[..., Bench], query: str, stream: str, matches: list[str]
) -> None:
    assert ended(bench(f"{query} WITHIN 10 s"), stream) == matches


@pytest.mark.parametrize(
    ("query", "stream", "step", "at", "ends"),
    [
        ("SEQ(A a, B b)", "b2 b4 b6", 0, 1, [2]),
        ("SEQ(A a, B b)", "b2 b4 b6", 0, 2, [4]),
        ("SEQ(A a, B b)", "b2 b4 b6", 0, 7, []),
        ("SEQ(A a, B b)", "b2 b4 b6", 1, 3, [4]),
        ("SEQ(A a, B b)", "b2 b4 b6", 1, 4, [4, 6]),
        ("SEQ(A a, B b, C c)", "b2 b5 c3 c6 c9", 1, 1, [3]),
        ("SEQ(A a, B b, C c)", "b2 b5 c3 c6 c9", 1, 4, [6]),
        ("SEQ(A a, B b, C c)", "b2 b5 c3 c6 c9", 0, 3, [6]),
        ("SEQ(A a, B{2,} b[], C c)", "b2 b5 b7 c3 c6 c9", 0, 1, [6]),
        ("SEQ(A a, B{2,} b[], C c)", "b2 b5 b7 c3 c6 c9", 1, 4, [6, 9]),
    ],
)
def test_an_event_touches_the_end_events_it_leads_to_and_those_it_displaces(
    lanes: Callable[..., list[Content]], query: str, stream: str, step: int, at: int, ends: list[int]
) -> None:
    alternative = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p").alternatives[0]
    shape = Shape(alternative, next_match=True, raise_if_stopped=lambda: None)
    steps = lanes(*[[w for w in stream.split() if w[0] == s.variable] for s in alternative.steps])
    found = touched(shape, steps, step, at * SECOND)
    assert sorted({steps[-1].order[place] // SECOND for place in found}) == ends
