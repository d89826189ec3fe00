"""Which match of an end event is picked."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match, Range
from limecep.model.picks import best
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Lane
from limecep.testing.streams import written

if TYPE_CHECKING:
    from limecep.model.picks import Pick
    from limecep.plan.plan import Alternative


def alternative(structure: str) -> Alternative:
    (only,) = compile_plan(parse(f"PATTERN {structure} WITHIN 99 s"), name="p").alternatives
    return only


STEPS = alternative("SEQ(A+ a[], B+ b[], C c)")
EVENTS = {e.id: e for e in written("a1 a2 b3 a4 b5 b6 c7")}


def match(*groups: str) -> Match:
    return Match(STEPS, tuple(tuple(EVENTS[name] for name in group.split()) for group in groups))


FOUND = [match("a2", "b3 b5 b6", "c7"), match("a1 a2", "b3", "c7"), match("a1", "b3 b5", "c7"),
         match("a4", "b5", "c7"), match("a4", "b6", "c7"), match("a2 a4", "b5 b6", "c7")]  # fmt: skip


@pytest.mark.parametrize(
    ("pick", "expected"),
    [
        # Of those that start with a1 the one whose next event comes first.
        ("first", match("a1 a2", "b3", "c7")),
        ("last", match("a4", "b5", "c7")),
        ("longest", match("a2", "b3 b5 b6", "c7")),
        ("shortest", match("a4", "b5", "c7")),
    ],
)
def test_the_best_is_picked_in_whatever_order_they_are_found(pick: Pick, expected: Match) -> None:
    for found in permutations(FOUND):
        picked = best(pick, iter(found))
        assert picked is not None
        assert picked.events() == expected.events()


def test_of_nothing_nothing_is_picked() -> None:
    assert best("longest", ()) is None


def test_starts_of_one_time_are_told_apart_by_the_sort_key_alone() -> None:
    steps = alternative("SEQ(A a, B b)")
    starts = [Event("A", name, 5, seq=seq) for name, seq in (("x", 1), ("y", 1), ("w", 2))]
    end = Event("B", "b", 9)
    found = [Match(steps, ((start,), (end,))) for start in starts]
    for order in permutations(found):
        assert [best(pick, order).start.id for pick in ("first", "last")] == ["x", "w"]  # type: ignore[union-attr, arg-type]
        assert (
            best("last", order[:2]).start.id
            == min(  # type: ignore[union-attr]
                (m.start for m in order[:2]), key=lambda e: (-e.seq, e.id)
            ).id
        )


def test_the_same_events_for_other_variables_are_told_apart_by_these() -> None:
    steps = alternative("SEQ(A+ a[], A+ b[])")
    one, two, three = written("a1 a2 a3")
    left, right = Match(steps, ((one,), (two, three))), Match(steps, ((one, two), (three,)))
    assert best("first", (left, right)) is left
    assert best("first", (right, left)) is left


@pytest.mark.parametrize("late", [False, True], ids=["as they stand", "played back"])
def test_ranges_are_compared_like_the_events_they_stand_for(late: bool) -> None:
    lanes = {"A": Lane(), "B": Lane()}
    for number, event in enumerate(written("a1 a2 a4 b3 b5 b6"), 1):
        event.ordinal = number
        lanes[event.type].add(event.t_gen, event)
    a, b = lanes["A"].content, lanes["B"].content
    found = [
        Match(STEPS, (Range(a, 0, stop, 0), Range(b, start, 3, 0), (EVENTS["c7"],)))
        for stop, start in ((3, 1), (2, 0), (1, 1))
    ]
    if late:
        # What came since is none of theirs, and nothing is seen at a glance.
        for number, event in enumerate(written("a3 b4"), 7):
            event.ordinal = number
            lanes[event.type].add(event.t_gen, event)
    for order in permutations(found):
        assert best("first", order) is found[1]
        assert best("longest", order) is found[1]
        assert best("shortest", order) is found[2]
