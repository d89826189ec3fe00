"""Negated steps: where a match may begin, and what forbids it as a whole."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Lane, Ordering
from limecep.testing.streams import SECOND, written
from limecep_nfa.absence import Absence, ByValue

if TYPE_CHECKING:
    from limecep.store.lane import Content

ORDERING = Ordering(10 * SECOND)


def absence(query: str) -> Absence:
    return Absence(compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p").alternatives[0])


def lanes(*streams: str) -> list[Content]:
    found = []
    for stream in streams:
        lane = Lane()
        for event in written(stream):
            lane.add(event.t_gen, event)
        found.append(lane.content)
    return found


@pytest.mark.parametrize(
    ("query", "conditional", "trails"),
    [
        ("SEQ(A a, B b)", False, False),
        ("SEQ(!X x, A a, B b)", False, False),
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", True, False),
        ("SEQ(A a, B b, !X x)", False, True),
        ("SEQ(A a, !X x, B? b)", False, True),
    ],
)
def test_it_knows_whether_it_is_held_against_others_and_whether_it_trails(
    query: str, conditional: bool, trails: bool
) -> None:
    made = absence(query)
    assert (made.conditional, made.trails) == (conditional, trails)


@pytest.mark.parametrize(
    ("query", "negated", "end_step", "latest"),
    [
        ("SEQ(!X x, A a, B b)", "", 1, [20, 20]),
        # The first of the window forbids what begins after it; what is older forbids nothing.
        ("SEQ(!X x, A a, B b)", "x9 x12 x15", 1, [12, 12]),
        ("SEQ(!X x, A a, B b)", "x10", 1, [10, 10]),
        # It stands after the first step, which may begin before it.
        ("SEQ(A? a, !X x, B b, C c)", "x12", 2, [20, 12, 12]),
        # The first one after the end forbids what it is in the window of.
        ("SEQ(A a, B b, !X x)", "x15 x25 x27", 1, [14.999999, 14.999999]),
        ("SEQ(A a, B b, !X x)", "x20", 1, [20, 20]),
        # Where the match ends before a step that may be empty, what stands there trails.
        ("SEQ(A a, !X x, B? b)", "x25", 0, [14.999999, 14.999999]),
        ("SEQ(A a, !X x, B? b)", "x12", 1, [20, 12]),
    ],
)
def test_a_match_begins_early_enough(query: str, negated: str, end_step: int, latest: list[float]) -> None:
    found = absence(query).latest_starts(lanes(negated), ORDERING, 20 * SECOND, end_step)
    assert [number / SECOND for number in found] == latest


@pytest.mark.parametrize(
    ("query", "negated", "groups", "forbidden"),
    [
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", "x12=1", ["a11=1", "b13"], True),
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", "x12=2", ["a11=1", "b13"], False),
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", "x11=1 x13=1 x10=1 x14=1", ["a11=1", "b13"], False),
        ("SEQ(!X x, A a, B b) WHERE x.v = a.v", "x3=1", ["a11=1", "b13"], True),
        ("SEQ(!X x, A a, B b) WHERE x.v = a.v", "x2.9=1 x11=1", ["a11=1", "b13"], False),
        ("SEQ(A a, B b, !X x) WHERE x.v = a.v", "x21=1", ["a11=1", "b13"], True),
        ("SEQ(A a, B b, !X x) WHERE x.v = a.v", "x13=1 x21.1=1", ["a11=1", "b13"], False),
        ("SEQ(A a, !X x, B? b, C c) WHERE x.v = a.v", "x12=1", ["a11=1", "", "c13"], True),
        ("SEQ(A+ a[], !X x, B b) WHERE x.v = b.v", "x12=1", ["a10=1 a12.5", "b13=1"], False),
        ("SEQ(A a, !X x, B b, !Y y, C c) WHERE x.v = a.v AND y.v = a.v", "x12=2|y14=1",
         ["a11=1", "b13", "c15"], True),
    ],
)  # fmt: skip
def test_an_event_in_its_gap_that_fits_the_others_forbids_a_match(
    query: str, negated: str, groups: list[str], forbidden: bool
) -> None:
    chosen = tuple(tuple(written(group)) for group in groups)
    end = max(e.t_gen for e in chain.from_iterable(chosen))
    floor = ORDERING.floor(end)
    assert absence(query).hit(chosen, lanes(*negated.split("|")), ORDERING, floor, {}) is forbidden


@pytest.mark.parametrize(
    ("query", "by_start"),
    [
        ("SEQ(A a, B b, !X x) WHERE x.v = a.v", True),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = a[1].v", True),
        ("SEQ(A a, B b, !X x, !Y y) WHERE x.v = a.v AND y.w = a.v", True),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = a.v", False),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = last(a).v", False),
        ("SEQ(A? a, B b, !X x) WHERE x.v = a.v", False),
        ("SEQ(A a, B b, !X x) WHERE x.v > a.v", False),
        ("SEQ(A a, B b, !X x) WHERE x.v = b.v", False),
        ("SEQ(A a, B b, !X x) WHERE x.v = a.v AND x.w = b.v", False),
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", False),
        ("SEQ(A a, B b, !X x, !Y y) WHERE x.v = a.v AND y.w = b.v", False),
    ],
)
def test_the_start_alone_may_decide_what_forbids_a_match(query: str, by_start: bool) -> None:
    assert absence(query).by_start is by_start


@pytest.mark.parametrize(
    ("negated", "end", "spared"),
    [
        ("x14=1", 12, False),
        # Before the end, or at once with it; another value; after the window.
        ("x14=1", 15, True),
        ("x14=1", 14, True),
        ("x14=2", 12, True),
        ("x21=1", 12, False),
        ("x21.1=1", 12, True),
        ("x13=1 x16=1 x30=1", 14, False),
    ],
)
def test_a_start_is_spared_by_what_does_not_equal_it_after_the_end(
    negated: str, end: int, spared: bool
) -> None:
    made = absence("SEQ(A a, B b, !X x) WHERE x.v = a.v")
    (start,), order = written("a11=1"), end * SECOND
    said = made.spares(start, lanes(negated), ORDERING, ORDERING.floor(order), order, {})
    assert said is spared


def test_what_forbids_a_start_is_found_out_again_when_more_has_come() -> None:
    made = absence("SEQ(A a, B b, !X x) WHERE x.v = a.v")
    (start,), lane = written("a11=1"), Lane()
    known: dict[int, ByValue] = {}
    said = []
    for event in written("x13=1 x15=2 x16=1 x18=1"):
        lane.add(event.t_gen, event)
        said.append(made.spares(start, [lane.content], ORDERING, 4 * SECOND, 14 * SECOND, known))
    assert said == [True, True, False, False]


def test_events_are_found_by_value_in_any_part_of_a_lane() -> None:
    events = written("x1=1 x2=2 x3=1 x4=1 x5=2")
    lane = events[:4]
    made = ByValue(lane, ("v",))
    assert made.places(1, 1) == [2, 3]
    lane.append(events[4])
    assert made.places(2, 2) == [1, 4]
    # From earlier on than was asked for before.
    assert made.places(2, 0) == [1, 4]
    assert made.places(None, 0) == ()
