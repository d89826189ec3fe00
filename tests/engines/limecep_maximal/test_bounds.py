"""Rule (c) of SEMANTICS 7: what an earlier end event completed is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Ordering
from limecep.testing.streams import SECOND, written
from limecep_maximal.bounds import NEVER, Bounds, nth, places
from limecep_maximal.paths import ALWAYS
from limecep_maximal.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.store.lane import Content
    from limecep.testing.bench import Bench
    from limecep_maximal.bounds import Path


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stnm", "tight", "SEQ(A+ a, B b)"),
        ("stnm", "tight", "SEQ(A+ a, A b)"),
        ("stnm", "tight", "SEQ(A{2,} a, B b)"),
        ("stnm", "tight", "SEQ(A? a, B b, C c)"),
        ("stnm", "tight", "SEQ(A+ a, B? b, C c)"),
        ("stnm", "tight", "SEQ(A a, B* b, A c)"),
        ("stnm", "tight", "SEQ(A a, !C n, B b)"),
        ("stnm", "tight", "SEQ(!C n, A+ a, B b)"),
        ("stnm", "tight", "SEQ(A a, B b, !C n)"),
        ("stnm", "tight", "SEQ(A a, B+ b, !C n, B c)"),
        ("stnm", "tight", "SEQ(A+ a, B b, !C n)"),
        ("stnm", "tight", "SEQ(A? a, !C n, B+ b, B c)"),
        ("stnm", "tight", "SEQ(A+ a, B+ b, C c) WHERE b[i+1].v >= b[i].v"),
        ("stnm", "tight", "SEQ(A a, B{2,} b, B c) WHERE b[i+1].v >= b[i].v"),
        ("stnm", "tight", "SEQ(A+ a, B b) WHERE a[i+1].v > a[i].v"),
        ("stnm", "tight", "SEQ(A a, B? b, !C n, B c)"),
        ("stnm", "tight", "SEQ(A? a, B? b, C c)"),
    ],
)
def test_what_an_earlier_end_event_completed_is_left_out(
    hold: Callable[..., None], select: str, way: str, query: str
) -> None:
    hold(query, select, way=way)


@pytest.mark.parametrize(
    ("query", "stream", "matches"),
    [
        # A start counts once what could be put before it has left the window.
        ("SEQ(A+ a[], B b)", "a1 a5 b6 b12", ["a1 a5 b6", "a5 b12"]),
        ("SEQ(A+ a[], B b)", "a1 a5 b6 b7", ["a1 a5 b6"]),
        ("SEQ(A a, B? b, C c)", "a1 c2 b3 c4", ["a1 c2"]),
        ("SEQ(A{2,} a[], B b)", "a1 b2 a3 b4 b5", ["a1 a3 b4"]),
        ("SEQ(!C n, A a, B b)", "c1 a2 b3 b11.5", ["a2 b11.5"]),
        ("SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v", "a1 b2=1 c3 b4=2 c5", ["a1 b2 c3"]),
    ],
)
def test_a_run_is_completed_once(
    bench: Callable[..., Bench], query: str, stream: str, matches: list[str]
) -> None:
    driven, found = bench(f"{query} WITHIN 10 s"), []
    for event in written(stream):
        if (end := driven.feed(event)) is not None:
            found += [" ".join(e.id for g in m.groups for e in g) for m in driven.matches(end)]
    assert found == matches


def test_a_path_is_gone_along_from_its_first_event_on() -> None:
    path: Path = (3, (5, (9, None, 1), 2), 3)
    assert [*places(path)] == [3, 5, 9]
    assert [nth(path, n) for n in (1, 2, 3)] == [3, 5, 9]
    assert [*places(None)] == []


def bounds(lanes: Callable[..., list[Content]], query: str, *streams: str, end: int) -> Bounds:
    """The window that ends at a time in seconds, with lanes of the steps and then of the negated ones."""
    alternative = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p").alternatives[0]
    shape = Shape(alternative, next_match=True, raise_if_stopped=lambda: None)
    contents = lanes(*[stream.split() for stream in streams])
    steps, negations = contents[: shape.size], contents[shape.size :]
    made = Bounds(shape, steps, negations, Ordering(10 * SECOND), [None] * shape.size, 10**6)
    made.ends, made.end_order = steps[-1].order, end * SECOND
    made.floor = made.end_order - 10 * SECOND
    return made


def test_an_end_event_could_have_closed_what_the_next_group_comes_after(
    lanes: Callable[..., list[Content]],
) -> None:
    made = bounds(lanes, "SEQ(A a, B? b, C c)", "a1", "b4 b6", "c3 c5 c7 c9", end=9)
    assert made.before(0, 9 * SECOND) == -1
    made.previous = 2
    assert made.before(0, 9 * SECOND) == 2
    assert made.before(0, 6 * SECOND) == 1
    assert made.before(0, 4 * SECOND) == 0
    assert made.before(0, 8 * SECOND) == 2
    made.previous = 1
    assert made.before(0, 8 * SECOND) == 1
    must = bounds(lanes, "SEQ(A a, B b, C c)", "a1", "b4 b6", "c3 c5 c7 c9", end=9)
    must.previous = 2
    assert (must.before(0, 9 * SECOND), must.before(1, 9 * SECOND)) == (-1, 2)


@pytest.mark.parametrize(
    ("query", "streams", "reachable", "earliest"),
    [
        ("SEQ(A a, B b, C c)", ("a1 a3", "b2 b5", "c9"), True, [0, 1.000001, 2.000001]),
        ("SEQ(A{2,} a, B b, C c)", ("a1 a3", "b2 b5", "c9"), True, [0, 3.000001, 5.000001]),
        ("SEQ(A a, B? b, C c)", ("a1 a3", "b2 b5", "c9"), True, [0, 1.000001, 1.000001]),
        ("SEQ(A a, B b, C c)", ("a6", "b2 b5", "c9"), False, None),
        ("SEQ(A a, B b, C c)", ("a1", "b9", "c9"), False, None),
    ],
)
def test_each_step_begins_after_what_must_stand_before_it(
    lanes: Callable[..., list[Content]],
    query: str,
    streams: tuple[str, ...],
    reachable: bool,
    earliest: list[float] | None,
) -> None:
    made = bounds(lanes, query, *streams, end=9)
    made.floor = 0
    assert made.reachable(2, 9 * SECOND) is reachable
    if earliest is not None:
        assert [order / SECOND for order in made.earliest] == earliest


def test_what_follows_the_end_forbids_the_starts_whose_window_it_is_in(
    lanes: Callable[..., list[Content]],
) -> None:
    made = bounds(lanes, "SEQ(A a, B b, !C n)", "a1 a4", "b5", "c2 c13 c14", end=5)
    made.look_behind(1, 5 * SECOND)
    assert made.start_below == 3 * SECOND
    none = bounds(lanes, "SEQ(A a, B b, !C n)", "a1 a4", "b5", "c2 c5", end=5)
    none.look_behind(1, 5 * SECOND)
    assert none.start_below == ALWAYS


@pytest.mark.parametrize(
    ("at", "place", "completed"),
    [(1, 2, 7), (1, 1, 5), (1, 0, 3), (6, 2, 7), (7, 2, None), (3, 0, None), (1, -1, None)],
)
def test_a_single_event_was_completed_by_the_latest_end_event_after_it(
    lanes: Callable[..., list[Content]], at: int, place: int, completed: int | None
) -> None:
    made = bounds(lanes, "SEQ(A a, C c)", "a1", "c3 c5 c7 c9", end=9)
    expected = NEVER if completed is None else (completed - 10) * SECOND
    assert made.completed_single(0, place, at * SECOND) == expected


def test_what_stands_between_spares_an_end_event(lanes: Callable[..., list[Content]]) -> None:
    made = bounds(lanes, "SEQ(A a, B? b, C c)", "a1", "b4", "c3 c5 c9", end=9)
    # The B at 4 is before the C at 5, and not before that at 3.
    assert made.completed_single(0, 1, SECOND) == -7 * SECOND
    hit = bounds(lanes, "SEQ(A a, C c, !B n)", "a1", "c3 c5 c9", "b6", end=9)
    assert hit.completed_single(0, 1, SECOND) == NEVER


def test_a_range_was_completed_once_it_had_enough(lanes: Callable[..., list[Content]]) -> None:
    made = bounds(lanes, "SEQ(A a, B{2,} b, C c)", "a1", "b2 b4 b6", "c3 c5 c9", end=9)
    numbers = made.steps[1].order
    assert made.completed_range(1, 1, 9 * SECOND, numbers, 1, 3) == -5 * SECOND
    assert made.completed_range(1, 0, 9 * SECOND, numbers, 1, 3) == NEVER
    assert made.completed_range(1, -1, 9 * SECOND, numbers, 1, 3) == NEVER
    path: Path = (0, (1, (2, None, 1), 2), 3)
    assert made.completed_path(1, 1, numbers, path, 2) == -5 * SECOND
    assert made.completed_path(1, 1, numbers, path, 3) == NEVER
