"""Matches and the ranges they hold, whatever enters or leaves the lanes behind them."""

from __future__ import annotations

import gc
from random import Random

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match, Range
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Lane


def filled(*times: int) -> Lane:
    lane = Lane()
    for n, t in enumerate(times):
        lane.add(t, Event("B", f"b{t}", t, ordinal=n + 1))
    return lane


def late(lane: Lane, t: int, ordinal: int = 100) -> None:
    lane.add(t, Event("B", f"late{t}", t, ordinal=ordinal))


def made(lane: Lane, start: int, stop: int) -> Range:
    return Range(lane.content, start, stop, len(lane.content.late))


def test_a_range_means_the_same_events_after_any_insertions() -> None:
    chosen = Random(2)
    for _ in range(200):
        lane = filled(*range(0, 100, 10))
        start = chosen.randrange(9)
        stop = chosen.randrange(start + 1, 11)
        made = Range(lane.content, start, stop, len(lane.content.late))
        before, key = made.events(), made.key()
        for n in range(chosen.randrange(1, 12)):
            lane.add(t := chosen.randrange(100), Event("A", f"late{n}", t, ordinal=100 + n))
        assert made.events() == before
        assert made.key() == key
        assert len(made) == len(before)


def test_a_range_keeps_its_events_when_the_lane_is_trimmed() -> None:
    lane = filled(*range(10))
    made = Range(lane.content, 2, 5, 0)
    dropped = lane.trim(8)
    assert [e.t_gen for e in dropped] == list(range(8))
    assert [e.t_gen for e in made] == [2, 3, 4]
    assert [e.t_gen for e in lane.content.events] == [8, 9]


def test_a_range_moves_with_what_is_put_in_before_it() -> None:
    lane = filled(10, 20, 30)
    found = made(lane, 1, 3)
    late(lane, 5)
    assert found.span() == (2, 4)
    late(lane, 25)
    assert found.span() == (2, 5)
    assert (found.first.t_gen, found.last.t_gen, len(found)) == (20, 30, 2)


def test_a_range_of_a_later_version_has_the_late_event() -> None:
    lane = filled(10, 30)
    late(lane, 20)
    found = made(lane, 0, 3)
    late(lane, 25, 101)
    assert [e.t_gen for e in found] == [10, 20, 30]


A, C = Event("A", "a", 1, ordinal=7), Event("C", "c", 40, ordinal=9)
(ALTERNATIVE,) = compile_plan(parse("PATTERN SEQ(A? a, B+ b[], C? c) WITHIN 1 s"), name="p").alternatives


def test_a_match_begins_and_ends_with_what_was_taken() -> None:
    lane = filled(10, 20, 30)
    whole = Match(ALTERNATIVE, ((A,), made(lane, 0, 2), (C,)))
    assert (whole.start, whole.end) == (A, C)
    bare = Match(ALTERNATIVE, ((), made(lane, 0, 2), ()))
    assert (bare.start.t_gen, bare.end.t_gen) == (10, 20)
    chosen = Match(ALTERNATIVE, ((), tuple(lane.content.events), ()))
    assert (chosen.start.t_gen, chosen.end.t_gen) == (10, 30)


def test_a_match_names_the_events_of_each_variable() -> None:
    found = Match(ALTERNATIVE, ((), made(filled(10, 20), 0, 2), (C,)))
    assert {name: [e.id for e in events] for name, events in found.events().items()} == {
        "a": [],
        "b": ["b10", "b20"],
        "c": ["c"],
    }
    assert found.assignment() == (("b", (1, 2)), ("c", (9,)))


def test_equal_matches_have_equal_keys_before_and_after_a_late_event() -> None:
    lane = filled(10, 20, 30)
    before = Match(ALTERNATIVE, ((A,), made(lane, 1, 3), (C,)))
    key = before.key()
    late(lane, 5)
    assert before.key() == key == Match(ALTERNATIVE, ((A,), made(lane, 2, 4), (C,))).key()


@pytest.mark.parametrize(("start", "stop"), [(0, 2), (1, 3), (0, 1), (0, 3)])
def test_other_groups_have_other_keys(start: int, stop: int) -> None:
    lane = filled(10, 20, 30, 40)
    keys = {
        Match(ALTERNATIVE, ((A,), made(lane, a, b), (C,))).key() for a in range(4) for b in range(a + 1, 5)
    }
    assert len(keys) == 10
    tuples = Match(ALTERNATIVE, ((A,), tuple(lane.content.events[start:stop]), (C,)))
    assert tuples.key() == Match(ALTERNATIVE, ((A,), tuple(made(lane, start, stop)), (C,))).key()
    assert tuples.key() != Match(ALTERNATIVE, ((), tuples.groups[1], (C,))).key()


def test_the_garbage_collector_looks_at_neither_matches_nor_ranges() -> None:
    found = Match(ALTERNATIVE, ((), made(filled(10, 20), 0, 2), ()))
    assert not gc.is_tracked(found)
    assert not gc.is_tracked(found.groups[1])
