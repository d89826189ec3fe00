"""Archives: what is known of matches, by the identities of their events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.tables import PLAIN
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match, Range
from limecep.patterns.archive import Archive, Bare, content
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Content

if TYPE_CHECKING:
    from collections.abc import Sequence

ALTERNATIVES = compile_plan(
    parse("PATTERN OR(SEQ(A a, B* b[]), SEQ(B* b[], A a)) WITHIN 1 h"), name="p"
).alternatives


def event(name: str, ordinal: int = 0, source: str = "s") -> Event:
    return Event(name[0].upper(), name, int(name[1:]), source=source, payload={"v": 1}, ordinal=ordinal)


def match(first: Sequence[Event], second: Sequence[Event] = (), *, alternative: int = 0) -> Match:
    return Match(ALTERNATIVES[alternative], (tuple(first), tuple(second)))


def made(room: int = 1000) -> Archive[Any]:
    return Archive(PLAIN, "old", lambda known: known, lambda value, events: value, room)


def test_content_goes_by_identity_and_variable_and_by_nothing_else() -> None:
    whole = content(match([event("a1", 1)], [event("b2", 2), event("b3", 3)]))
    assert content(match([event("a1", 7)], [event("b2", 8), event("b3", 9)])) == whole
    in_lane = Range(Content([2, 3], [event("b2", 5), event("b3", 6)]), 0, 2, 0)
    assert content(Match(ALTERNATIVES[0], ((event("a1"),), in_lane))) == whole
    assert content(match([event("b2"), event("b3")], [event("a1")], alternative=1)) == whole
    others = [
        match([event("a1")], [event("b2")]),
        match([event("a1")]),
        match([event("a1", source="t")], [event("b2"), event("b3")]),
        match([event("b2"), event("b3")], [event("a1")]),
    ]
    assert len({whole, *map(content, others)}) == 5


def test_what_is_known_of_a_match_is_found_for_its_equal() -> None:
    archive: Archive[str] = made()
    archive.put(match([event("a1", 1)]), "one", until=1)
    assert archive.get(match([event("a1", 99)])) == "one"
    assert archive.get(match([event("a2", 1)])) is None
    assert archive.take(match([event("a1", 99)])) == "one"
    assert archive.take(match([event("a1", 99)])) is None


def test_what_counts_no_longer_is_forgotten() -> None:
    archive: Archive[int] = made()
    for t in range(5):
        archive.put(match([event(f"a{t}")]), t, until=t + 10)
    archive.forget(12)
    assert [archive.get(match([event(f"a{t}")])) for t in range(5)] == [None, None, 2, 3, 4]
    assert len(archive) == 3
    assert archive.lost_until < 0


def test_the_oldest_goes_where_there_is_no_room_and_that_is_known() -> None:
    archive: Archive[int] = made(10)
    for t in range(5):
        archive.put(match([event(f"a{t}")]), t, until=t + 10, weight=3)
    assert [archive.get(match([event(f"a{t}")])) for t in range(5)] == [None, None, 2, 3, 4]
    assert archive.lost_until == 11
    archive.put(match([event("a2")]), 7, until=12, weight=3)
    assert (archive.get(match([event("a2")])), len(archive)) == (7, 3)


def test_a_bare_copy_keeps_identities_and_nothing_else() -> None:
    events = [event("b2", 2), event("b3", 3)]
    lane = Content([2, 3], events)
    full = Match(ALTERNATIVES[0], ((event("a1", 1),), Range(lane, 0, 2, 0)))
    bare = Bare()
    copy = bare.match(full)
    assert content(copy) == content(full)
    assert all(type(g) is tuple for g in copy.groups)
    assert [e.payload for g in copy.groups for e in g] == [{}, {}, {}]
    assert events[0].payload == {"v": 1}
    again = bare.match(match([event("a1", 1)], events))
    assert [id(e) for g in again.groups for e in g] == [id(e) for g in copy.groups for e in g]


def test_a_copy_of_a_copy_is_the_same() -> None:
    once: Any = Bare().match(match([event("a1", 1)], [event("b2", 2), event("b3", 3)]))
    assert [e.id for g in Bare().match(once).groups for e in g] == ["a1", "b2", "b3"]


def test_who_is_restored_has_no_more_room_than_before() -> None:
    before, again = made(room=3), made(room=3)
    for name in ("a1", "a2"):
        before.put(match([event(name)]), name, until=9)
    again.known.update(before.known)
    again.restore(before.snapshot())
    again.put(match([event("a3")]), "a3", until=9, weight=2)
    assert (len(again), again.lost_until) == (2, 9)
