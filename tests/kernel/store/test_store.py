"""The store: shared lanes, and what leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.store.store import Store

if TYPE_CHECKING:
    from limecep.plan.plan import Plan


def plan(query: str, name: str = "p") -> Plan:
    return compile_plan(parse(f"PATTERN {query}"), name=name)


def put(store: Store, *events: Event, refused: frozenset[str] = frozenset()) -> None:
    for e in events:
        store.add(e, store.types[e.type], refused)


def test_patterns_with_the_same_step_share_its_lane() -> None:
    store = Store()
    first = store.subscribe(plan("SEQ(A a, B b) WITHIN 1 s")).only
    second = store.subscribe(plan("SEQ(B x, A y, C z) WITHIN 5 s")).only
    assert first is not None
    assert second is not None
    assert first.steps[0][0] is second.steps[0][1]
    assert first.steps[0][1] is second.steps[0][0]


def test_steps_with_equal_conditions_share_and_others_do_not() -> None:
    store = Store()
    view = store.subscribe(plan("SEQ(A a, A b, A c) WHERE a.v > 1 AND b.v > 1 AND c.v > 2 WITHIN 1 s")).only
    assert view is not None
    a, b, c = view.steps[0]
    assert a is b
    assert a is not c
    put(store, Event("A", "1", 1, payload={"v": 2}), Event("A", "2", 2, payload={"v": 3}))
    assert (len(a), len(c)) == (2, 1)


def test_a_group_that_refused_an_event_never_sees_it() -> None:
    store = Store()
    strict = store.subscribe(plan("SEQ(A a) WITHIN 1 s", "strict"), "strict").only
    lenient = store.subscribe(plan("SEQ(A a) WITHIN 1 s", "lenient"), "lenient").only
    assert strict is not None
    assert lenient is not None
    put(store, Event("A", "1", 1))
    put(store, Event("A", "2", 0), refused=frozenset({"strict"}))
    assert [e.id for e in strict.steps[0][0].content.events] == ["1"]
    assert [e.id for e in lenient.steps[0][0].content.events] == ["2", "1"]
    store.check()


@pytest.mark.parametrize("sequenced", [False, True])
def test_what_is_forgotten_leaves_lanes_and_identities(sequenced: bool) -> None:
    store = Store(sequenced=sequenced)
    view = store.subscribe(plan("SEQ(A a, (A OR B) b) WHERE a.v = 1 WITHIN 1 s")).only
    assert view is not None
    put(store, *[Event("AB"[t % 2], str(t), t, payload={"v": 1}) for t in range(100)])
    view.memo["derived"] = 1
    assert store.forget(90) == 90
    assert [e.t_gen for e in view.steps[0][0].content.events] == [90, 92, 94, 96, 98]
    assert [e.t_gen for e in view.steps[0][1].content.events] == list(range(90, 100))
    assert not view.memo
    store.check()


@pytest.mark.parametrize("sequenced", [False, True])
@pytest.mark.parametrize("keep", [0, 1, 10, 99])
def test_the_time_is_found_from_which_on_there_are_so_many(keep: int, sequenced: bool) -> None:
    store = Store(sequenced=sequenced)
    store.subscribe(plan("SEQ(A a, B b) WITHIN 1 s"))
    put(store, *[Event("AB"[t % 2], str(t), t, seq=t % 3 - 1) for t in range(100)])
    assert store.oldest(keep) == 100 - keep
    assert store.count(100 - keep) == 100 - keep


def test_events_of_one_time_stay_or_go_together() -> None:
    store = Store(sequenced=True)
    store.subscribe(plan("SEQ(A a, B b) WITHIN 1 s"))
    put(store, *[Event("A", str(n), 1 + n // 3, seq=n) for n in range(9)])
    assert [store.oldest(keep) for keep in (8, 6, 5, 3, 2)] == [2, 2, 3, 3, 4]


def strict(query: str) -> Plan:
    return compile_plan(parse(f"PATTERN {query}"), name="p", select="sc")


def test_strict_contiguity_sees_events_of_every_type() -> None:
    store = Store()
    plain = store.subscribe(plan("SEQ(A a, B b) WITHIN 1 s")).only
    view = store.subscribe(strict("SEQ(A a, B b) WITHIN 1 s")).only
    store.subscribe(plan("SEQ(D d, E e) WITHIN 1 s"))
    assert view is not None
    assert view.stream is not None
    assert plain is not None
    assert plain.stream is None
    for name in "ADXYXB":
        type_set = store.type_set(name)
        assert type_set is not None
        store.add(Event(name, f"{name}{store.size}", store.size), type_set)
    assert [e.type for e in view.stream.content.events] == list("ADXYXB")
    assert [len(lane) for lane in view.steps[0]] == [1, 1]
    assert store.forget(4) == 4
    assert [e.type for e in view.stream.content.events] == ["X", "B"]
    store.check()


def test_strict_contiguity_in_a_partition_sees_every_type_of_its_key() -> None:
    store = Store()
    views = store.subscribe(strict("SEQ(A a, B b) WITHIN 1 s PARTITION BY k"))
    plain = store.subscribe(plan("SEQ(A a, C c) WITHIN 1 s PARTITION BY k"))
    for n, (name, key) in enumerate([("A", 1), ("X", 1), ("X", 2), ("C", 1), ("X", None)]):
        type_set = store.type_set(name)
        assert type_set is not None
        store.add(Event(name, str(n), n, payload={"k": key}), type_set)
    view = views.of(Event("A", "a", 0, payload={"k": 1}))
    assert view is not None
    assert view.stream is not None
    assert [e.id for e in view.stream.content.events] == ["0", "1", "3"]
    assert views.without_key == 1
    assert plain.without_key == 0


def test_without_strict_contiguity_a_type_that_no_pattern_names_has_no_set() -> None:
    store = Store()
    store.subscribe(plan("SEQ(A a, B b) WITHIN 1 s"))
    assert store.type_set("X") is None
    assert store.type_set("A") is store.types["A"]
