"""What tells matches apart, and what puts them in order."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match, Range
from limecep.patterns.keys import Place, key_of, key_within_alternative, one_each, place
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Content

if TYPE_CHECKING:
    from limecep.plan.plan import Plan


def plan(query: str) -> Plan:
    return compile_plan(parse(f"PATTERN {query} WITHIN 1 h"), name="p")


def event(name: str) -> Event:
    return Event(name[0].upper(), name, int(name[1:]), ordinal=int(name[1:]))


A1, A2, A3, B4, B5 = map(event, ("a1", "a2", "a3", "b4", "b5"))
SINGLE, GROUPS, MIXED = plan("SEQ(A a, B b)"), plan("SEQ(A+ a[], B* b[])"), plan("SEQ(A+ a[], B b)")
SEVERAL = plan("OR(SEQ(A a, B b), SEQ(B b, A a))")


@pytest.mark.parametrize(
    ("made", "single"), [(SINGLE, True), (GROUPS, False), (MIXED, False), (SEVERAL, False)]
)
def test_only_single_steps_of_one_alternative_take_one_event_each(made: Plan, single: bool) -> None:
    assert one_each(made) is single


def test_single_events_are_told_apart_by_their_objects() -> None:
    key = key_of(SINGLE)
    (alternative,) = SINGLE.alternatives
    match = Match(alternative, ((A1,), (B4,)))
    assert key(match) == ((A1,), (B4,))
    in_lane = Range(Content([1], [A1]), 0, 1, 0)
    assert key(Match(alternative, (in_lane, (B4,)))) == key(match)
    assert key(Match(alternative, ((A1,), Range(Content([4], [B4]), 0, 1, 0)))) == key(match)
    # Groups of tuples are the key as they are: nothing is made.
    assert key(match) is match.groups
    assert key(Match(alternative, ((A2,), (B4,)))) != key(match)
    assert key(Match(alternative, ((A1,), [B4]))) == key(match)  # type: ignore[arg-type]


def test_groups_are_told_apart_by_their_ends_and_equal_assignments_are_one() -> None:
    match = Match(GROUPS.alternatives[0], ((A1, A2), (B4,)))
    assert key_of(GROUPS)(match) == ((1, 2), 4)
    one, other = SEVERAL.alternatives
    here, there = Match(one, ((A1,), (B4,))), Match(other, ((B4,), (A1,)))
    assert key_of(SEVERAL)(here) == key_of(SEVERAL)(there) == (("a", (1,)), ("b", (4,)))
    assert key_within_alternative(here) != key_within_alternative(there)
    assert key_within_alternative(here) == key_within_alternative(Match(one, ((A1,), (B4,))))


def test_matches_stand_by_end_then_start_then_the_more_events_the_sooner_then_by_these() -> None:
    (alternative,) = GROUPS.alternatives
    groups = [
        ((A1, A2), ()),
        ((A1, A2, A3), (B4,)),
        ((A1, A2), (B4,)),
        ((A1, A3), (B4,)),
        ((A2,), (B4,)),
        ((A1,), (B5,)),
    ]
    expected = [Match(alternative, g) for g in groups]
    for some in permutations(expected, 3):
        in_order = [m for m in expected if m in some]
        assert sorted(some, key=place) == in_order
        assert sorted(some, key=Place) == in_order
    assert not Place(expected[1]) < Place(expected[1])


def test_equal_events_under_other_variables_have_another_place() -> None:
    (alternative,) = plan("SEQ(A x, A* y[], A+ z[])").alternatives
    here = Match(alternative, ((A1,), (A2,), (A3,)))
    there = Match(alternative, ((A1,), (), (A2, A3)))
    assert place(here) == (
        (3, 0, "A", "a3", ""), (1, 0, "A", "a1", ""), -3,
        [(1, 0, "A", "a1", ""), (2, 0, "A", "a2", ""), (3, 0, "A", "a3", "")],
        [("x", [("A", "", "a1")]), ("y", [("A", "", "a2")]), ("z", [("A", "", "a3")])],
    )  # fmt: skip
    assert Place(here) < Place(there)
    assert not Place(there) < Place(here)
