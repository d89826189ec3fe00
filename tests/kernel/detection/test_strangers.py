"""Which event types came that no pattern names."""

from __future__ import annotations

from limecep.detection.strangers import LOOKED_AT_EVENTS, ONE_IN_EVENTS, ROOM_TYPES, Strangers
from limecep.model.event import Event


def events(*types: str) -> list[Event]:
    return [Event(t, str(n), n) for n, t in enumerate(types)]


def test_they_are_counted_by_type() -> None:
    strangers = Strangers({"A"})
    strangers.look(events("A", "B", "C", "B"))
    strangers.look(events("B", "A"))
    assert strangers.counts == {"B": 3, "C": 1}
    assert strangers.whole


def test_of_many_events_only_some_of_the_later_ones_are_looked_at() -> None:
    strangers = Strangers({"A"})
    strangers.look(events(*["B"] * LOOKED_AT_EVENTS))
    strangers.look(events("C", *["B"] * (ONE_IN_EVENTS - 1), "D", *["B"] * 10))
    assert strangers.counts == {"B": LOOKED_AT_EVENTS, "C": 1, "D": 1}
    assert not strangers.whole


def test_types_without_end_take_no_room_without_end() -> None:
    strangers = Strangers(set())
    strangers.look(events(*map(str, range(2 * ROOM_TYPES)), "0"))
    assert len(strangers.counts) == ROOM_TYPES
    assert strangers.counts["0"] == 2
    assert not strangers.whole
