"""Streams from a seed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from limecep.model.event import sort_key
from limecep.testing.oracle import identity
from limecep.testing.streams import disorder, shown, shuffled, stream, with_duplicates, written


def test_a_text_is_read_as_a_stream() -> None:
    first, second, third = written("a1 b2.5=7 c3=hot")
    assert (first.type, first.id, first.t_gen, first.payload) == ("A", "a1", 1_000_000, {})
    assert (second.t_gen, second.payload) == (2_500_000, {"v": 7})
    assert third.payload == {"v": "hot"}
    assert [first.t_arr, second.t_arr, third.t_arr] == [0, 1, 2]


def test_a_word_that_is_no_event_is_named() -> None:
    with pytest.raises(ValueError, match="'what'"):
        written("a1 what")


def test_one_seed_gives_one_stream() -> None:
    assert shown(stream(7, 50, ties=0.3)) == shown(stream(7, 50, ties=0.3))
    assert shown(stream(7, 50)) != shown(stream(8, 50))


def test_a_stream_is_in_order_and_as_asked() -> None:
    events = stream(
        3, 400, {"A": 9, "B": 1}, ties=0.2, sources=("x", "y"), attributes={"v": lambda r: r.randint(1, 3)}
    )
    assert events == sorted(events, key=sort_key)
    assert len({identity(e) for e in events}) == 400
    assert {e.source for e in events} == {"x", "y"}
    assert {e.payload["v"] for e in events} == {1, 2, 3}
    assert sum(e.type == "A" for e in events) > 300
    ties = sum(a.t_gen == b.t_gen for a, b in pairwise(events))
    assert 40 < ties < 120


def test_without_ties_every_time_is_its_own() -> None:
    events = stream(3, 200)
    assert len({e.t_gen for e in events}) == 200


def test_duplicates_are_copies() -> None:
    events = with_duplicates(stream(1, 100), 5, 0.5)
    assert 120 < len(events) < 180
    assert len({identity(e) for e in events}) == 100
    assert len({id(e) for e in events}) == len(events)
    assert len(stream(1, 100, duplicates=1.0)) == 200


def test_disorder_delays_arrival_within_the_bound() -> None:
    events = stream(2, 300)
    arrived = disorder(events, 9, 0.3, 5_000_000)
    assert [e.t_arr for e in arrived] == sorted(e.t_arr for e in arrived)
    delays = [e.t_arr - e.t_gen for e in arrived]
    assert max(delays) <= 5_000_000
    assert 50 < sum(d > 0 for d in delays) < 150
    assert sorted(map(identity, arrived)) == sorted(map(identity, events))


def test_shuffling_loses_nothing_and_leaves_the_original_alone() -> None:
    events = stream(2, 100)
    before = shown(events)
    mixed = shuffled(events, 4)
    assert sorted(map(sort_key, mixed)) == sorted(map(sort_key, events))
    assert [identity(e) for e in mixed] != [identity(e) for e in events]
    assert shown(events) == before
