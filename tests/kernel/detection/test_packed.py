"""Packed events: what is there of a range of time, and what leaves."""

from __future__ import annotations

from random import Random
from threading import Lock
from typing import Any

import pytest

from limecep import Event
from limecep.detection import packed as module
from limecep.detection.packed import GUESSED_BYTES, Packed
from limecep.detection.past import Unavailable
from limecep.detection.spans import Spans
from limecep.detection.unpacking import events_of
from limecep.model.time import FOREVER


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments have three events."""
    monkeypatch.setattr(module, "SEGMENT_EVENTS", 3)


def event(t: int, ordinal: int, **payload: Any) -> Event:
    return Event("A", f"a{ordinal}", t, payload=payload, ordinal=ordinal)


def filled(*times: int, past: Any = None) -> Packed:
    """Packed events of these times, in order."""
    made = Packed(past)
    made.put([event(t, n) for n, t in enumerate(times, 1)], max(times) + 1)
    return made


def times(packed: Packed, *spans: tuple[int, int]) -> list[int]:
    return [e.t_gen for e in events_of(Spans(spans), packed._segments, packed._firsts)]


class Log:
    """A past that says what it was asked for, and has an event of each even time."""

    possible = True

    def fetch(self, needed: Any, others: Any, room: int, batch: Any, at: int) -> Any:
        self.asked = needed, others
        spans = Spans([needed, *others])
        return spans, [event(t, 0) for t in range(needed[0], needed[1] + 1) if t % 2 == 0]


def test_the_events_of_ranges_come_in_the_order_in_which_they_entered() -> None:
    packed = filled(*range(10))
    packed.put([event(4, 20), event(2, 21)], 10)
    assert packed.count == 12
    assert times(packed, (2, 4), (8, 20)) == [2, 3, 4, 8, 9, 4, 2]
    assert times(packed, (-5, -1)) == []


def test_many_late_ones_are_found_wherever_they_belong() -> None:
    chosen = Random(3)
    packed = filled(*range(10, 40, 3))
    known = list(range(10, 40, 3))
    for n in range(100, 160):
        more = [chosen.randrange(45) for _ in range(chosen.randrange(4))]
        packed.put([event(t, 10 * n + i) for i, t in enumerate(more)], max(40, *more, 0))
        known += more
        low, high = sorted(chosen.choices(range(45), k=2))
        assert sorted(times(packed, (low, high))) == sorted(t for t in known if low <= t <= high)


def test_segments_leave_whole_and_what_stays_is_all_from_a_time_on() -> None:
    packed = filled(1, 2, 3, 3, 3, 4, 5, 6)
    # The first segment ends at the time at which the second begins.
    assert (packed.before(3), packed.before(4)) == (0, 3)
    assert [e.t_gen for e in packed.forget(4)] == [1, 2, 3]
    assert (packed.begins, packed.count) == (4, 5)
    assert [e.t_gen for e in packed.forget(7)] == [3, 3, 4, 5, 6]
    assert (packed.begins, packed.count) == (7, 0)
    packed.put([event(6, 9), event(7, 10)], 8)
    assert times(packed, (0, 9)) == [7]


@pytest.mark.parametrize(("keep", "since"), [(8, -FOREVER), (7, 4), (5, 4), (4, 7), (2, 7), (1, 9)])
def test_it_knows_from_when_on_there_are_so_many(keep: int, since: int) -> None:
    assert filled(*range(1, 9)).oldest(keep) == since


def test_what_is_older_is_asked_for_where_it_is() -> None:
    log = Log()
    packed = filled(*range(10), past=log)
    packed.forget(3)
    spans, events = packed.fetch((1, 4), [(0, 1), (2, 7), (8, 8)], 100, [], 0)
    assert log.asked == ((1, 2), [(0, 1), (2, 2)])
    assert [e.t_gen for e in events] == [2, 3, 4, 8]
    assert list(spans) == [(0, 4), (8, 8)]
    assert packed.fetch((3, 4), [], 100, [], 0)[1][0].t_gen == 3


def test_where_there_is_nothing_older_that_is_said() -> None:
    packed = filled(*range(10))
    packed.forget(3)
    assert not packed.possible
    assert Packed(Log()).possible  # type: ignore[arg-type]
    with pytest.raises(Unavailable, match="nothing can be read again"):
        packed.fetch((2, 4), [], 100, [], 0)


def test_what_may_be_needed_besides_comes_as_far_as_there_is_room() -> None:
    packed = filled(*range(30))
    spans, events = packed.fetch((1, 1), [(10, 10), (20, 20), (28, 28)], 9, [], 0)
    assert list(spans) == [(1, 1), (10, 10)]
    assert [e.t_gen for e in events] == [1, 10]


def test_they_take_what_can_be_measured_of_them() -> None:
    assert Packed(None).per_event == GUESSED_BYTES
    packed = filled(*range(30))
    alike = packed.per_event
    packed.put([event(t, t + 50, v="x" * 5000 + str(t)) for t in range(30, 60)], 60)
    assert 50 < alike < packed.per_event


def test_what_cannot_be_packed_is_kept_as_it_is() -> None:
    packed = Packed(None)
    packed.put([event(1, 1, v=Lock())], 2)
    assert times(packed, (1, 1)) == [1]
