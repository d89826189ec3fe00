"""The match that is picked, found without the others. (That it is the right one the suite of engines tries on
random patterns.)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.plan.picked import Boundaries, picker_of
from limecep.store.lane import Lane
from limecep.testing.streams import written

if TYPE_CHECKING:
    from limecep.model.picks import Pick

STREAM = "a1 b2 b3 a4 a5 b6 a7 b8 c9 a10 b11 c12"


class Lanes:
    """Lanes of the types A, B and C, and what one picker finds in them."""

    def __init__(self, query: str, pick: Pick, *, maximal: bool) -> None:
        plan = compile_plan(parse(f"PATTERN {query} WITHIN 99 s"), name="p", select="stam", pick=pick)
        (alternative,) = plan.alternatives
        picker = picker_of(plan, alternative, maximal=maximal)
        assert picker is not None
        self.picker = picker
        self.lanes = {name: Lane() for name in "ABC"}
        self.steps = [self.lanes[s.filter.types[0]].content for s in alternative.steps]
        self.memo: dict[Any, Any] = {}

    def fed(self, stream: str) -> Lanes:
        for event in written(stream):
            self.lanes[event.type].add(event.t_gen, event)
        return self

    def found(self, end: str, floor: int = 0) -> str:
        place = [e.id for e in self.steps[-1].events].index(end)
        groups = self.picker.find(self.steps, floor * 1_000_000, place, self.memo)
        if groups is None:
            return ""
        return " ".join(c.events[i].id for c, g in zip(self.steps, groups, strict=True) for i in g)


@pytest.mark.parametrize(
    ("query", "pick", "maximal", "expected"),
    [
        ("SEQ(A+ a[], B+ b[], C c)", "first", True, "a1 b2 b3 b6 b8 b11 c12"),
        ("SEQ(A+ a[], B+ b[], C c)", "last", True, "a1 b2 b3 b6 b8 b11 c12"),
        ("SEQ(A+ a[], B+ b[], C c)", "last", False, "a10 b11 c12"),
        ("SEQ(A+ a[], B+ b[], C c)", "longest", True, "a1 b2 b3 b6 b8 b11 c12"),
        ("SEQ(A+ a[], B+ b[], C c)", "shortest", False, "a1 b2 c12"),
        ("SEQ(A{2,} a[], B{2,} b[], C c)", "shortest", False, "a1 a4 b6 b8 c12"),
        ("SEQ(A a, B+ b[], C c)", "longest", True, "a1 b2 b3 b6 b8 b11 c12"),
        ("SEQ(A a, B+ b[], C c)", "shortest", True, "a10 b11 c12"),
        ("SEQ(A a, B{2,} b[], C c)", "shortest", True, "a7 b8 b11 c12"),
        ("SEQ(A+ a[], B b, C c)", "shortest", True, "a1 b2 c12"),
        ("SEQ(A+ a[], B b, C c)", "longest", True, "a1 a4 a5 a7 a10 b11 c12"),
        ("SEQ(A a, B b, C c)", "longest", True, "a1 b2 c12"),
        ("SEQ(A a, B b, C c)", "last", True, "a10 b11 c12"),
        ("SEQ(A+ a[], B b, A+ d[], C c)", "longest", False, "a1 b2 a4 a5 a7 a10 c12"),
        ("SEQ(A a, C+ c[])", "first", False, "a1 c9 c12"),
        ("SEQ(A a, C+ c[])", "shortest", False, "a1 c12"),
        ("SEQ(A a, C{2,} c[])", "shortest", False, "a1 c9 c12"),
    ],
)
def test_the_match_of_an_end_event(query: str, pick: Pick, maximal: bool, expected: str) -> None:
    assert Lanes(query, pick, maximal=maximal).fed(STREAM).found("c12") == expected


@pytest.mark.parametrize("pick", ["first", "last", "longest", "shortest"])
def test_where_a_step_has_too_little_in_the_window_there_is_none(pick: Pick) -> None:
    for query in ("SEQ(A{2,} a[], B+ b[], C c)", "SEQ(A a, B b, C c)", "SEQ(A a, B{2,} b[], C c)"):
        lanes = Lanes(query, pick, maximal=True).fed("a1 a2 b3 c4 a5 c6 b7 c8")
        assert lanes.found("c6", floor=4) == ""
        assert lanes.found("c8", floor=6) == ""


def test_of_events_of_one_time_the_sort_key_decides() -> None:
    lanes = Lanes("SEQ(A+ a[], B+ b[], C c)", "first", maximal=True)
    lanes.fed("a1 a2 b2 b3 c4")
    assert lanes.found("c4") == "a1 a2 b3 c4"
    # Here the other type has the smaller name.
    lanes = Lanes("SEQ(B+ b[], A+ a[], C c)", "first", maximal=True)
    assert lanes.fed("b1 a2 b2 a3 c4").found("c4") == "b1 a2 a3 c4"


@pytest.mark.parametrize("pick", ["longest", "shortest"])
def test_of_equally_many_events_those_that_come_first_are_taken(pick: Pick) -> None:
    lanes = Lanes("SEQ(A+ a[], B+ b[], C c)", pick, maximal=True)
    # Each boundary has five events, the end event included.
    assert lanes.fed("a1 b2 a3 b4 a5 b6 c7").found("c7") == "a1 b2 b4 b6 c7"
    lanes = Lanes("SEQ(A+ a[], B+ b[], C c)", pick, maximal=True)
    assert lanes.fed("a1 a2 b2 b3 c7").found("c7") == "a1 a2 b3 c7"


@pytest.mark.parametrize(
    ("pick", "expected"), [("longest", "a1 a2 b3 b4 b5 b7 c9"), ("shortest", "a1 a2 a6 b7 c9")]
)
def test_two_groups_are_parted_where_they_are_largest_or_smallest(pick: Pick, expected: str) -> None:
    lanes = Lanes("SEQ(A+ a[], B+ b[], C c)", pick, maximal=True).fed("a1 a2 b3 b4 b5 a6 b7 c9")
    assert lanes.found("c9") == expected


def test_boundaries_go_on_as_events_come_and_are_found_anew_for_what_is_earlier() -> None:
    lanes = Lanes("SEQ(A+ a[], B+ b[], C c)", "longest", maximal=True).fed("a1 b2 b3 c4")
    assert lanes.found("c4") == "a1 b2 b3 c4"
    lanes.fed("a5 b6 b7 c8")
    assert lanes.found("c8", floor=2) == "a5 b6 b7 c8"
    lanes.fed("a9 b10 c11")
    assert lanes.found("c11", floor=2) == "a5 b6 b7 b10 c11"
    assert lanes.found("c4") == "a1 b2 b3 c4"
    assert lanes.found("c11", floor=2) == "a5 b6 b7 b10 c11"


def test_boundaries_are_read_no_further_than_the_end_event_asks_for() -> None:
    lanes = Lanes("SEQ(A+ a[], B+ b[], C c)", "longest", maximal=True)
    lanes.fed("a1 b2 c3 a4 b5 c6 a7 b8 c9")
    assert lanes.found("c3") == "a1 b2 c3"
    assert lanes.memo["boundaries"].firsts == [0]
    assert lanes.found("c9") == "a1 b2 b5 b8 c9"
    assert lanes.memo["boundaries"].firsts == [0, 1, 2]


def test_boundaries_that_left_the_window_are_dropped_when_they_are_many() -> None:
    left, right = [*range(0, 4000, 2)], [*range(1, 4000, 2)]
    known = Boundaries(0)
    known.catch_up(left, right, len(left))
    known.forget(1000)
    assert (len(known.lasts), known.begin) == (2000, 0)
    known.forget(1500)
    assert (known.lasts[0], known.firsts[0], known.sizes[0], known.begin) == (1500, 1500, 0, 1500)
    assert len(known.lasts) == len(known.firsts) == len(known.sizes) == 500


@pytest.mark.parametrize(
    ("query", "pick", "maximal", "select"),
    [
        ("SEQ(A a, B b)", None, True, "stam"),
        ("SEQ(A a, B b)", "first", True, "stnm"),
        ("SEQ(A a, B b)", "first", False, "sc"),
        ("SEQ(A a, B b) WHERE b.v > a.v", "first", False, "stam"),
        ("SEQ(A a, !C c, B b)", "first", False, "stam"),
        ("SEQ(A a, B? b, C c)", "first", False, "stam"),
        ("SEQ(A a, B{1,3} b[], C c)", "first", False, "stam"),
        ("AND(A a, B b)", "first", False, "stam"),
        # What may go on with the group may begin the next step as well.
        ("SEQ(A+ a[], A b, C c)", "first", False, "stam"),
        # What is contained in matches that end later is none.
        ("SEQ(A a, B+ b[])", "first", True, "stam"),
        ("SEQ(A+ a[], B b, A+ d[], C c)", "shortest", True, "stam"),
        ("SEQ(A a, B+ b[], C c) WHERE sum(b.v) > 3", "longest", True, "stam"),
    ],
)
def test_what_asks_for_more_than_order_and_number_takes_all_matches(
    query: str, pick: Any, maximal: bool, select: Any
) -> None:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 9 s"), name="p", select=select, pick=pick)
    assert all(picker_of(plan, a, maximal=maximal) is None for a in plan.alternatives)


def test_a_number_of_events_that_a_condition_asks_for_is_one_of_the_step() -> None:
    lanes = Lanes("SEQ(A a, B+ b[], C c) WHERE count(b) >= 3", "last", maximal=False).fed(STREAM)
    assert lanes.found("c12") == "a5 b6 b8 b11 c12"
