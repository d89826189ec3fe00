"""Groups as next-match fills them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.match import Range
from limecep.plan.compiler import compile_plan
from limecep.plan.stretch import Book
from limecep.store.lane import Ordering
from limecep.testing.streams import SECOND
from limecep_maximal.law import Law
from limecep_maximal.paths import Forest
from limecep_maximal.strands import Chosen, Plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.store.lane import Content

    Lanes = Callable[..., list[Content]]

STREAM = "b1=1 b2=3 b3=2 b4=4 b5=0"


def law(step: str, where: str = "") -> Law:
    query = f"PATTERN SEQ(A a, {step}, C c) {where} WITHIN 10 s"
    return Law(compile_plan(parse(query), name="p").alternatives[0])


def plain(lanes: Lanes, step: str, where: str = "", first: int = 1) -> Plain:
    (lane,) = lanes(STREAM.split())
    return Plain(law(step, where), 1, [(), (), ()], lane, Book(lane.events, 0), first)


def rising(lanes: Lanes, step: str = "B+ b", where: str = "", first: int = 0) -> Chosen:
    (lane,) = lanes(STREAM.split())
    paths = Forest(lane, Ordering(10 * SECOND), lambda a, b: a.payload["v"] < b.payload["v"], 0)
    paths.catch_up(9 * SECOND)
    return Chosen(law(step, where), 1, [(), (), ()], lane, first, paths, None)


def greater(lanes: Lanes, step: str = "B+ b") -> Chosen:
    """A group of what is greater than its first event."""
    (lane,) = lanes(STREAM.split())
    takes = lambda _, taken, event: event.payload["v"] > taken[0].payload["v"]  # noqa: E731
    return Chosen(law(step), 1, [(), (), ()], lane, 0, None, takes)


def test_a_plain_group_takes_every_event(lanes: Lanes) -> None:
    strand = plain(lanes, "B+ b")
    assert [strand.before(t * SECOND) for t in (1, 2, 3, 5, 9)] == [0, 0, 1, 3, 4]
    assert [strand.upto(place) for place in range(5)] == [0, 1, 2, 3, 4]
    assert (strand.order(2), strand.place(2)) == (3 * SECOND, 2)
    assert [e.id for e in strand.seen(3)] == ["b2", "b3", "b4"]
    group = strand.group(3)
    assert isinstance(group, Range)
    assert [e.id for e in group] == ["b2", "b3", "b4"]


def test_a_plain_group_takes_no_more_than_it_may(lanes: Lanes) -> None:
    strand = plain(lanes, "B{2,3} b")
    assert strand.before(9 * SECOND) == 3
    assert [strand.upto(place) for place in range(1, 5)] == [1, 2, 3, 0]
    assert [strand.valid(length) for length in (1, 2, 3)] == [False, True, True]
    assert [strand.longest(stop) for stop in (1, 2, 3)] == [0, 2, 3]


def test_a_single_step_takes_its_one_event(lanes: Lanes) -> None:
    strand = plain(lanes, "B b")
    (event,) = strand.seen(1)
    assert event.id == "b2"
    assert strand.group(1) == (event,)
    assert strand.before(9 * SECOND) == 1


@pytest.mark.parametrize("stops", [(1, 2, 3, 4), (4, 3, 2, 1), (4, 2, 4), (2, 4, 1)])
def test_the_longest_that_will_do_is_found_in_whatever_order_it_is_asked_for(
    lanes: Lanes, stops: tuple[int, ...]
) -> None:
    # Sums from b2 on are 3, 5, 9, 9.
    strand = plain(lanes, "B+ b", "WHERE sum(b.v) <= 5")
    assert [strand.longest(stop) for stop in stops] == [min(stop, 2) for stop in stops]
    other = plain(lanes, "B+ b", "WHERE sum(b.v) > 3 AND sum(b.v) < 6 OR count(b) = 4")
    assert [other.longest(stop) for stop in stops] == [{1: 0, 2: 2, 3: 2, 4: 4}[stop] for stop in stops]


@pytest.mark.parametrize("made", [rising, greater])
def test_a_chosen_group_takes_what_goes_with_those_it_has(
    lanes: Lanes, made: Callable[[Lanes], Chosen]
) -> None:
    strand = made(lanes)
    ids = ["b1", "b2", "b4"] if made is rising else ["b1", "b2", "b3", "b4"]
    assert strand.before(9 * SECOND) == len(ids)
    assert [e.id for e in strand.seen(len(ids))] == [e.id for e in strand.group(len(ids))] == ids
    assert (strand.order(2), strand.place(2)) == (2 * SECOND, 1)


def test_a_chosen_group_grows_as_far_as_it_is_asked_for(lanes: Lanes) -> None:
    strand = rising(lanes)
    assert [strand.before(t * SECOND) for t in (1, 2, 3, 4, 5)] == [0, 1, 2, 2, 3]
    again = rising(lanes)
    assert [again.upto(place) for place in (3, 2, 1, 0, 4)] == [3, 0, 2, 1, 0]
    assert rising(lanes, first=1).upto(0) == 0
    assert [e.id for e in rising(lanes).seen(3)] == ["b1", "b2", "b4"]


def test_a_chosen_group_takes_no_more_than_it_may(lanes: Lanes) -> None:
    assert rising(lanes, "B{1,2} b").before(9 * SECOND) == 2
    assert greater(lanes, "B{1,3} b").before(9 * SECOND) == 3


def test_a_chosen_group_is_judged_as_a_whole(lanes: Lanes) -> None:
    strand = rising(lanes, where="WHERE sum(b.v) > 3")
    assert strand.before(9 * SECOND) == 3
    assert [strand.valid(length) for length in (1, 2, 3)] == [False, True, True]
