"""Lanes by the values of an attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.streams import written
from limecep_maximal.values import ByValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.store.lane import Content

    Lanes = Callable[..., list[Content]]


def by_value(lanes: Lanes, stream: str) -> tuple[ByValue, Content]:
    (lane,) = lanes(stream.split())
    return ByValue(lane, ("v",)), lane


def test_places_are_found_by_value(lanes: Lanes) -> None:
    known, _ = by_value(lanes, "a1=1 a2=2 a3=1 a4 a5=null a6=1")
    assert [*known.places(1, 0)] == [0, 2, 5]
    assert [*known.places(2, 0)] == [1]
    assert [*known.places(3, 0)] == []


def test_what_is_missing_equals_nothing(lanes: Lanes) -> None:
    known, _ = by_value(lanes, "a1 a2=null a3=1")
    assert [*known.places(None, 0)] == []


def test_the_lane_may_grow_at_its_end(lanes: Lanes) -> None:
    known, lane = by_value(lanes, "a1=1 a2=2")
    assert [*known.places(1, 0)] == [0]
    lane.events.extend(written("a3=1 a4=2"))
    assert [*known.places(1, 0)] == [0, 2]
    assert [*known.places(2, 0)] == [1, 3]


def test_what_is_before_a_place_need_not_be_known(lanes: Lanes) -> None:
    known, _ = by_value(lanes, "a1=1 a2=1 a3=1 a4=1")
    assert [*known.places(1, 2)] == [2, 3]
    # What was known of later places serves, as more than is asked for.
    assert [*known.places(1, 3)] == [2, 3]
    assert [*known.places(1, 1)] == [1, 2, 3]
