"""An event is out of the lanes that have it, for a moment or for good; ranges made before keep it."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Range
from limecep.plan.compiler import compile_plan
from limecep.store.absence import absence
from limecep.store.store import Store


def filled(query: str, *words: str, group: str | None = "g") -> tuple[Store, dict[str, Event]]:
    """A store with the lanes of a pattern, and its events by their words: `a1` is of type A, at 1."""
    store = Store(revised=True)
    store.subscribe(compile_plan(parse(f"PATTERN {query}"), name="p"), group)
    events = {w: Event(w[0].upper(), w, int(w[1:]), payload={"k": int(w[1:]) % 2}) for w in words}
    for event in events.values():
        type_set = store.type_set(event.type)
        assert type_set is not None
        store.add(event, type_set)
    return store, events


QUERIES = (
    "SEQ(A a, A b) WITHIN 9 s",
    "SEQ(A a, A+ b[]) WITHIN 9 s",
    "SEQ(A a, A+ b[]) WITHIN 9 s PARTITION BY k",
    "AND(A a, A b) WITHIN 9 s PARTITION BY k",
)


def lanes(store: Store) -> list[list[str]]:
    """What all lanes have."""
    shared = [lane for type_set in store.types.values() for lane in type_set.shared()]
    keyed = [
        lane
        for type_set in store.types.values()
        for keyed in type_set.keyed
        for lanes in keyed.keys.values()
        for lane in lanes.values()
    ]
    return [[e.id for e in lane.content.events] for lane in (*shared, *keyed)]


@pytest.mark.parametrize("query", QUERIES)
def test_it_is_hidden_in_every_lane_and_shown_again(query: str) -> None:
    store, events = filled(query, "a1", "a2", "a3", "a5")
    whole = lanes(store)
    rest = [[e for e in lane if e != "a3"] for lane in whole]
    away = absence(store, events["a3"])
    assert lanes(store) == whole
    away.hide()
    assert lanes(store) == rest
    away.show()
    assert lanes(store) == whole
    away.hide()
    assert lanes(store) == rest


def test_ranges_made_while_it_is_hidden_or_shown_hold_once_it_is_hidden_for_good() -> None:
    store, events = filled("SEQ(A+ a[]) WITHIN 9 s", "a1", "a2", "a3", group=None)
    content = store.types["A"].events.content
    away = absence(store, events["a2"])
    away.hide()
    without = Range(content, 0, 2, len(content.late))
    away.show()
    whole = Range(content, 0, 3, len(content.late))
    away.hide()
    assert [e.id for e in without] == ["a1", "a3"]
    assert [e.id for e in whole] == ["a1", "a2", "a3"]


@pytest.mark.parametrize("query", QUERIES)
def test_no_lane_is_copied_for_it(query: str) -> None:
    store, events = filled(query, *[f"a{n}" for n in range(1, 400)])
    contents = [lane.content for lane in store.types["A"].shared()]
    for n in range(1, 400):
        away = absence(store, events[f"a{n}"])
        away.hide()
        away.show()
        away.hide()
    assert [lane.content for lane in store.types["A"].shared()] == contents
    assert all(not lane for lane in lanes(store))


def test_a_range_made_before_keeps_it_and_is_told_from_others_by_all_its_events() -> None:
    store, events = filled("SEQ(A+ a[]) WITHIN 9 s", "a1", "a2", "a3", group=None)
    content = store.types["A"].events.content
    made = Range(content, 0, 3, 0)
    absence(store, events["a2"]).hide()
    store.leave(events["a2"])
    late = Event("A", "late", 2)
    store.add(late, store.types["A"])
    now = Range(content, 0, 3, 2)
    assert [e.id for e in made] == ["a1", "a2", "a3"]
    assert [e.id for e in now] == ["a1", "late", "a3"]
    assert made.key() != now.key()
    assert store.size == 3
    store.check()


def test_groups_that_keep_it_have_it_still() -> None:
    store, events = filled(QUERIES[0], "a1", "a2")
    absence(store, events["a2"], frozenset({"g"})).hide()
    assert all("a2" in lane for lane in lanes(store) if lane)


def test_events_are_found_by_their_time() -> None:
    store, events = filled(QUERIES[0], "a1", "a2", "a3")
    assert store.at("A", 2) == [events["a2"]]
    assert store.at("A", 7) == []
