"""The views of a pattern: one a key, which come and go with their events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.store.store import Store

if TYPE_CHECKING:
    from limecep.plan.plan import Plan


def plan(query: str) -> Plan:
    return compile_plan(parse(f"PATTERN {query}"), name="p")


def put(store: Store, *events: Event) -> None:
    for e in events:
        store.add(e, store.types[e.type])


def test_each_key_has_a_view_of_its_own() -> None:
    store = Store()
    views = store.subscribe(plan("SEQ(A a, B b) WITHIN 1 s PARTITION BY k"))
    x, y = Event("A", "1", 1, payload={"k": "x"}), Event("A", "2", 2, payload={"k": "y"})
    put(store, x, y)
    of_x, of_y = views.of(x), views.of(y)
    assert of_x is not None
    assert of_y is not None
    assert of_x is views.of(x)
    assert [e.id for e in of_x.steps[0][0].content.events] == ["1"]
    assert [e.id for e in of_y.steps[0][0].content.events] == ["2"]


def test_an_event_without_the_attribute_of_the_partition_takes_no_part() -> None:
    store = Store()
    views = store.subscribe(plan("SEQ(A a) WITHIN 1 s PARTITION BY k"))
    nameless = Event("A", "1", 1)
    put(store, nameless)
    assert views.of(nameless) is None
    assert views.without_key == 1
    assert list(views.all()) == []


def test_a_pattern_minds_only_its_own_events_that_lack_a_key() -> None:
    store = Store()
    ab, cd = (
        store.subscribe(plan(f"{s} WITHIN 1 s PARTITION BY k")) for s in ("SEQ(A a, B b)", "SEQ(C c, !D d)")
    )
    put(store, Event("C", "1", 1), Event("D", "2", 2), Event("A", "3", 3, payload={"k": 1}))
    assert (ab.without_key, cd.without_key) == (0, 2)


def test_idle_keys_leave_with_their_last_event() -> None:
    store = Store()
    views = store.subscribe(plan("SEQ(A a) WITHIN 1 s PARTITION BY k"))
    old = [Event("A", str(t), t, payload={"k": t}) for t in range(10)]
    put(store, *old, Event("A", "new", 100, payload={"k": "new"}))
    for e in old:
        views.of(e)
    assert store.forget(50) == 10
    assert len(list(views.all())) == 0
    assert store.size == 1
    store.check()


def test_a_pattern_without_partition_has_one_view_of_all_events() -> None:
    store = Store()
    views = store.subscribe(plan("SEQ(A a) WITHIN 1 s"))
    put(store, Event("A", "1", 1))
    assert views.only is not None
    assert views.of(Event("A", "2", 2)) is views.only
    assert views.stored() == list(views.all()) == [views.only]


def test_a_view_of_every_stored_key_is_made_where_nobody_has_looked() -> None:
    store = Store()
    views = store.subscribe(plan("SEQ(A a) WITHIN 1 s PARTITION BY k"))
    put(store, *[Event("A", k, 1, payload={"k": k}) for k in "xyz"])
    assert len(views) == 0
    assert len(views.stored()) == len(views) == 3
