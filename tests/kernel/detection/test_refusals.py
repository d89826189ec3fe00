"""Refusals are remembered by identity, as many as there is room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.tables import PLAIN
from limecep.detection.refusals import Refusals
from limecep.model.event import Event
from limecep.state.book import Book, Numbers

G = frozenset({"g"})


if TYPE_CHECKING:
    from collections.abc import Hashable

LABELS: dict[Hashable, str] = {"f": "f", "g": "g"}


def event(t: int, id_: str = "") -> Event:
    return Event("A", id_ or f"a{t}", t, source="s")


def test_it_is_known_who_refused_an_event() -> None:
    refusals = Refusals(PLAIN, LABELS, {})
    refusals.note(event(1), G)
    refusals.note(event(2), None)
    refusals.note(event(3), frozenset())
    assert [refusals.of(event(t)) for t in (1, 2, 3, 4)] == [G, None, frozenset(), frozenset()]
    assert refusals.of(Event("B", "a1", 1, source="s")) == frozenset()
    assert len(refusals) == 2


def test_what_was_said_last_counts() -> None:
    refusals = Refusals(PLAIN, LABELS, {})
    refusals.note(event(1), None)
    refusals.note(event(1), frozenset())
    assert refusals.of(event(1)) == frozenset()


def test_what_there_is_no_room_for_is_forgotten_and_that_is_known() -> None:
    refusals = Refusals(PLAIN, LABELS, {}, room=2)
    for t in (5, 9, 7):
        refusals.note(event(t), G)
    assert refusals.of(event(5)) == frozenset()
    assert refusals.lost_until == 5
    refusals.note(event(1), G)
    assert refusals.lost_until == 9
    assert [refusals.of(event(t)) for t in (7, 1)] == [G, G]


def test_it_is_known_after_a_stop_who_refused_an_event() -> None:
    book, again = Book(Numbers()), Book(Numbers())
    before, after = Refusals(book, LABELS, {}, room=2), Refusals(again, LABELS, {})
    for t, refused in ((1, G), (2, None), (3, G)):
        before.note(event(t), refused)
    again.load(book.changes()[0], {})
    after.restore(before.snapshot())
    assert after.known == before.known == {("A", "s", "a2"): (None, 2), ("A", "s", "a3"): (G, 3)}
    assert after.lost_until == 1


def test_a_group_that_began_later_has_refused_all_that_came_before() -> None:
    refusals = Refusals(PLAIN, LABELS, {"f": 2})
    refusals.note(event(3), G)
    refusals.note(event(4), None)
    old, new, gone = event(1), event(3), event(4)
    old.ordinal, new.ordinal, gone.ordinal = 2, 3, 1
    assert [refusals.of(e) for e in (old, new, gone)] == [{"f"}, G, None]
