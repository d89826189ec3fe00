"""Paths through the events of a lane whose neighbours must satisfy a condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.store.lane import Ordering
from limecep.testing.streams import SECOND, written
from limecep_maximal.paths import ALWAYS, FORGOTTEN_AT, Forest, Reduction

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.event import Event
    from limecep.store.lane import Content
    from limecep_maximal.paths import Successors

    Lanes = Callable[..., list[Content]]

STREAM = "a1=3 a2=1 a3=2 a4=4 a5=2 a14.5=5"
ORDERING = Ordering(10 * SECOND)


def rising(earlier: Event, later: Event) -> bool:
    return earlier.payload["v"] < later.payload["v"]


def other(earlier: Event, later: Event) -> bool:
    return earlier.payload["v"] != later.payload["v"]


def made(lanes: Lanes, kind: type[Successors], begin: int = 0, test: Callable[[Event, Event], bool] = rising):
    (lane,) = lanes(STREAM.split())
    paths = kind(lane, ORDERING, test, begin)
    paths.catch_up(99 * SECOND)
    return paths


def test_the_next_of_a_group_is_the_first_later_event_that_its_last_one_accepts(lanes: Lanes) -> None:
    forest = made(lanes, Forest)
    assert [forest.next_place(place) for place in range(6)] == [3, 2, 3, -1, 5, -1]
    assert [forest.sources(place) for place in range(6)] == [[], [], [1], [0, 2], [], [4]]
    assert forest.next_order(0) == 4 * SECOND
    assert forest.next_order(5) == ALWAYS


def test_what_could_come_before_is_looked_up(lanes: Lanes) -> None:
    forest = made(lanes, Forest)
    assert [forest.latest_before(place) for place in range(6)] == [-1, -1, 1, 2, -1, 4]
    assert [*forest.before(3, 0)] == [0, 2]
    assert [*forest.before(3, 3 * SECOND)] == [2]


def test_events_are_taken_in_as_they_are_needed(lanes: Lanes) -> None:
    (lane,) = lanes(STREAM.split())
    forest = Forest(lane, ORDERING, rising, 1)
    forest.catch_up(3 * SECOND)
    assert (forest.begin, forest.stop) == (1, 3)
    assert forest.next_place(2) == -1
    forest.catch_up(4 * SECOND)
    assert forest.stop == 4
    assert forest.next_place(2) == 3


def test_an_event_beyond_the_window_follows_nothing(lanes: Lanes) -> None:
    (lane,) = lanes(["a1=1", "a11.5=2"])
    forest = Forest(lane, ORDERING, rising, 0)
    forest.catch_up(99 * SECOND)
    assert forest.next_place(0) == -1
    (lane,) = lanes(["a1=1", "a11=2"])
    forest = Forest(lane, ORDERING, rising, 0)
    forest.catch_up(99 * SECOND)
    assert forest.next_place(0) == 1


def test_where_neighbours_are_equal_only_those_are_held_against_each_other(lanes: Lanes) -> None:
    (lane,) = lanes(["a1=1", "a2=2", "a3=1", "a4", "a5=2", "a6"])
    compared = []

    def same(earlier: Event, later: Event) -> bool:
        compared.append((earlier.id, later.id))
        return earlier.payload.get("v") == later.payload.get("v") is not None

    forest = Forest(lane, ORDERING, same, 0, ("v",))
    forest.catch_up(99 * SECOND)
    assert [forest.next_place(place) for place in range(6)] == [2, 4, -1, -1, -1, -1]
    assert ("a1", "a2") not in compared


@pytest.mark.parametrize(
    ("test", "edges", "latest"),
    [
        (rising, [[], [], [1], [2, 0], [1], [4]], [-1, -1, 1, 2, 1, 4]),
        (other, [[], [0], [1], [2], [3], [4]], [-1, 0, 1, 2, 3, 4]),
    ],
)
def test_an_edge_counts_unless_a_longer_path_replaces_it(
    lanes: Lanes, test: Callable[[Event, Event], bool], edges: list[list[int]], latest: list[int]
) -> None:
    reduction = made(lanes, Reduction, test=test)
    assert [[*reduction.before(place, 0)] for place in range(6)] == edges
    assert [reduction.latest_before(place) for place in range(6)] == latest
    assert [*reduction.before(3, 2 * SECOND)] == [place for place in edges[3] if place >= 1]


@pytest.mark.parametrize("kind", [Forest, Reduction])
def test_what_is_old_is_let_go_of_once_it_is_most_of_it(lanes: Lanes, kind: type[Successors]) -> None:
    size = 2 * FORGOTTEN_AT
    (lane,) = lanes([f"a{t}={t % 7}" for t in range(size)])
    paths = kind(lane, ORDERING, rising, 0)
    paths.catch_up(size * SECOND)
    following = [paths.next_place(place) for place in range(FORGOTTEN_AT, size)]
    before = [[*paths.before(place, 0)] for place in range(size - 9, size)]  # type: ignore[attr-defined]
    assert not paths.forget(FORGOTTEN_AT - 1)
    assert paths.forget(FORGOTTEN_AT)
    assert not paths.forget(FORGOTTEN_AT + 1)
    assert (paths.begin, paths.stop) == (FORGOTTEN_AT, size)
    assert [paths.next_place(place) for place in range(FORGOTTEN_AT, size)] == following
    assert [[*paths.before(place, 0)] for place in range(size - 9, size)] == before  # type: ignore[attr-defined]
    lane.order.append(size * SECOND)
    lane.events.extend(written(f"a{size}=9"))
    paths.catch_up(size * SECOND)
    assert paths.next_place(size - 1) == size
