"""Patterns with one lane of end events are asked at once, and told what they were asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import Stopped
from limecep.model.event import Event
from limecep.patterns.evaluation import LOOK_EVERY_RUNS
from limecep.patterns.shared_ends import MANY_LANES, SharedEnds, sharing_of
from limecep.store.lane import Lane, Ordering
from limecep.store.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

pytestmark = pytest.mark.interpreted


class Engine:
    """Counts what it is told to, whatever the event."""

    told: tuple[tuple[int, int | None], ...] = ()

    @classmethod
    def together(cls, asked: Sequence[tuple[Engine, View]], recent: Any) -> Any:
        return SimpleNamespace(counts=lambda end: cls.told, matches=lambda end: [(1, iter([end] * 3))])


class Evaluation:
    """Notes what it is asked."""

    engine, sharing = Engine(), Engine

    def __init__(self) -> None:
        self.figures = [0, 0]
        self.looks = 0

    def bounded(self, end: Event, view: View, count: int | None) -> int:
        return 5 if count is None else min(count, 100)

    def within_limit(self, end: Event, matches: Iterable[Any]) -> list[Any]:
        return list(matches)[:2]

    def counted(self, runs: int, events: int) -> None:
        self.figures[0] += runs
        self.figures[1] += events

    def look(self) -> None:
        self.looks += 1
        raise Stopped


def pattern(*lanes: Lane, counts: bool = True, shares: bool = True) -> Any:
    view = View((lanes,), ((),), Ordering(10))
    emitted: list[int] = []
    return SimpleNamespace(
        shares=shares,
        awaited_types=frozenset({"Z"}),
        views=SimpleNamespace(only=view),
        plan=SimpleNamespace(
            alternatives=[SimpleNamespace(ends=(len(lanes) - 1,))], within=10, max_per_end=100
        ),
        results=SimpleNamespace(counts=counts, evaluation=Evaluation(), emitted=emitted, add=emitted.append),
    )


@pytest.fixture
def put() -> Callable[[Lane, int], Event]:
    def put(lane: Lane, t: int) -> Event:
        event = Event("Z", str(t), t)
        lane.add(t, event)
        return event

    return put


def members(*patterns: Any) -> list[tuple[int, Any]]:
    return [(10 * n, p) for n, p in enumerate(patterns)]


def test_what_is_counted_is_told_to_each_later(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, z = Lane(), Lane(), Lane()
    first, second = pattern(a, z), pattern(a, b, z)
    shared = SharedEnds(members(first, second), recent=None)  # type: ignore[arg-type]
    for t, lane in ((1, a), (12, a), (13, b)):
        put(lane, t)
    monkeypatch.setattr(Engine, "told", ((0, 7), (1, None)))
    assert shared.came(put(z, 14)) == []
    monkeypatch.setattr(Engine, "told", ((0, 1_000),))
    shared.came(put(z, 15))
    assert first.results.emitted == []
    shared.tell()
    assert [p.results.emitted for p in (first, second)] == [[107], [5]]
    # Events of the windows: 12 and 14, then 12, 14 and 15; the second pattern has 13 besides.
    assert [p.results.evaluation.figures for p in (first, second)] == [[2, 5], [2, 7]]
    shared.tell()
    assert first.results.evaluation.figures == [2, 5]


def test_matches_are_given_with_the_place_of_their_pattern_within_its_limit(put: Any) -> None:
    z = Lane()
    one, other = pattern(Lane(), z, counts=False), pattern(Lane(), z, counts=False)
    end = put(z, 1)
    shared = SharedEnds(members(one, other), recent=None)  # type: ignore[arg-type]
    assert shared.came(end) == [(10, other, [end, end])]
    shared.tell()
    assert other.results.emitted == []


def test_it_looks_now_and_then_whether_the_run_has_to_end(put: Any) -> None:
    z = Lane()
    one = pattern(Lane(), z)
    shared = SharedEnds(members(one, pattern(Lane(), z)), recent=None)  # type: ignore[arg-type]
    for t in range(1, LOOK_EVERY_RUNS):
        shared.came(put(z, t))
    with pytest.raises(Stopped):
        shared.came(put(z, LOOK_EVERY_RUNS))


def test_of_many_lanes_only_those_are_counted_that_had_an_event_lately(put: Any) -> None:
    lanes, z = [Lane() for _ in range(MANY_LANES)], Lane()
    patterns = [pattern(lane, z) for lane in lanes]
    for lane in lanes:
        put(lane, 1)
    recent: Any = SimpleNamespace(since=lambda low: [z, lanes[3], Lane()])
    shared = SharedEnds(members(*patterns), recent)
    assert shared.wide
    shared.came(put(z, 2))
    shared.tell()
    handed = [p.results.evaluation.figures[1] for p in patterns]
    assert handed == [1 + (lane is lanes[3]) for lane in lanes]


def test_patterns_share_what_has_the_same_lane_window_and_purpose() -> None:
    z = Lane()
    one = pattern(Lane(), z)
    assert sharing_of(one) == sharing_of(pattern(Lane(), Lane(), z))
    for other in (pattern(Lane(), Lane()), pattern(Lane(), z, counts=False)):
        assert sharing_of(one) != sharing_of(other)
    assert sharing_of(pattern(Lane(), z, shares=False)) is None
