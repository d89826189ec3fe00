"""Lanes: sorted sets as flat lists, whose ranges go on meaning what they meant."""

from __future__ import annotations

from random import Random

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event, sort_key
from limecep.model.match import Match, Range
from limecep.patterns.containment import contains
from limecep.plan.compiler import compile_plan
from limecep.store.lane import LEAST_CHANGES, Lane, Ordering

(ONE,) = compile_plan(parse("PATTERN SEQ(A+ a[]) WITHIN 1 s"), name="p").alternatives


def event(t: int, id_: str = "", *, seq: int = 0) -> Event:
    return Event("A", id_ or f"a{t}", t, seq=seq)


def filled(*times: int) -> Lane:
    lane = Lane()
    for n, t in enumerate(times):
        lane.add(t, Event("A", f"a{t}", t, ordinal=n + 1))
    return lane


def test_events_stand_in_the_order_of_the_sort_key_whatever_the_order_of_arrival() -> None:
    chosen = Random(1)
    events = [event(chosen.randrange(20), f"e{n}") for n in range(200)]
    lane = Lane()
    for e in events:
        lane.add(e.t_gen, e)
    assert lane.content.events == sorted(events, key=sort_key)
    assert lane.content.order == sorted(e.t_gen for e in events)


@pytest.mark.parametrize(
    ("times", "new", "at_end"),
    [((), 5, True), ((1, 2), 3, True), ((1, 3), 2, False), ((1, 3), 0, False)],
)
def test_adding_says_whether_it_was_at_the_end(times: tuple[int, ...], new: int, at_end: bool) -> None:
    assert filled(*times).add(new, event(new)) is at_end


def test_a_tie_goes_by_the_whole_sort_key() -> None:
    lane = Lane()
    assert lane.add(5, event(5, "b"))
    assert not lane.add(5, event(5, "a"))
    assert lane.add(5, event(5, "c"))
    assert [e.id for e in lane.content.events] == ["a", "b", "c"]


def test_the_place_of_an_event_is_found_among_ties() -> None:
    lane = Lane()
    events = [event(5, i) for i in "abc"]
    for e in events:
        lane.add(5, e)
    assert [lane.place(5, e) for e in events] == [0, 1, 2]
    with pytest.raises(KeyError):
        lane.place(5, event(5, "d"))


def test_events_that_are_put_back_stand_where_they_stood() -> None:
    lane = filled(*range(0, 40, 2))
    made = Range(lane.content, 3, 6, 0)
    dropped = lane.trim(30)
    lane.add(7, late := Event("A", "late", 7, ordinal=100))
    lane.put_back([(e.t_gen, e) for e in dropped if 4 <= e.t_gen <= 20])
    assert [e.t_gen for e in lane.content.events] == [4, 6, 7, *range(8, 21, 2), *range(30, 40, 2)]
    assert lane.content.order == [e.t_gen for e in lane.content.events]
    assert late in lane.content.events
    assert [e.t_gen for e in made] == [6, 8, 10]


def test_ranges_mean_the_same_events_whatever_comes_and_leaves() -> None:
    chosen = Random(5)
    for _ in range(300):
        lane = filled(*range(0, 60, 10))
        known: list[tuple[Range, list[Event]]] = []
        for ordinal in range(100, 125):
            content = lane.content
            # Some come at the end, which is no change that a range may see.
            if not content.events or chosen.random() < 0.5:
                t = chosen.randrange(80)
                lane.add(t, Event("A", f"n{ordinal}", t, ordinal=ordinal))
            else:
                content.remove(chosen.randrange(len(content.events)))
            if content.events:
                start = chosen.randrange(len(content.events))
                stop = chosen.randrange(start + 1, len(content.events) + 1)
                made = Range(content, start, stop, len(content.late))
                known.append((made, content.events[start:stop]))
            if chosen.random() < 0.1:
                lane.content = content.renewed()
            for made, events in known:
                assert list(made) == events
                assert (made.first, made.last) == (events[0], events[-1])
                start, stop = made.span()
                there = [e for e in events if e in made.content.events]
                assert [e for e in made.content.events[start:stop] if e in events] == there
        contents = {id(made.content) for made, _ in known}
        for larger, events in known:
            for smaller, others in known:
                if len(contents) == 1 and larger.version >= smaller.version:
                    within = contains(Match(ONE, (larger,)), Match(ONE, (smaller,)))
                    assert within == {*others}.issubset(events)


def test_a_removal_that_is_undone_has_never_been() -> None:
    lane = filled(10, 20, 30)
    whole = Range(lane.content, 0, 3, 0)
    lane.content.remove(1)
    rest = Range(lane.content, 0, 2, 1)
    lane.content.restore(20)
    assert (lane.content.order, lane.content.late, lane.content.gone) == ([10, 20, 30], [], {})
    assert [e.t_gen for e in whole] == [10, 20, 30]
    lane.content.remove(1)
    assert [e.t_gen for e in rest] == [10, 30]


def test_the_log_of_changes_is_no_longer_than_the_lane_and_copying_it_costs_a_change_no_more() -> None:
    lane = filled(*range(3000))
    begun = 0
    for n in range(20_000):
        before = lane.content
        lane.tidy()
        begun += len(lane.content.order) * (lane.content is not before)
        lane.content.remove(n % 2000)
        lane.add(t := n % 2000, Event("A", f"n{n}", t, ordinal=5000 + n))
        assert len(lane.content.late) <= len(lane.content.order) + LEAST_CHANGES + 2
    assert 0 < begun <= 40_000


@pytest.mark.parametrize("sequenced", [False, True])
def test_order_numbers_agree_with_time_and_window(sequenced: bool) -> None:
    ordering = Ordering(10, sequenced=sequenced)
    at = ordering.of(event(20))
    assert ordering.of(event(10)) >= ordering.floor(at) > ordering.of(event(9))
    assert ordering.of(event(30)) <= ordering.ceiling(at) < ordering.of(event(31))


def test_the_window_goes_by_time_alone_and_precedence_by_sequence_too() -> None:
    ordering = Ordering(10, sequenced=True)
    assert ordering.of(event(5, seq=-3)) < ordering.of(event(5)) < ordering.of(event(5, seq=2**63 - 1))
    assert ordering.of(event(5, seq=2**63 - 1)) < ordering.of(event(6, seq=-(2**63)))
    end = ordering.of(event(20, seq=-7))
    assert ordering.of(event(10, seq=-(2**63))) >= ordering.floor(end) > ordering.of(event(9, seq=2**63 - 1))
