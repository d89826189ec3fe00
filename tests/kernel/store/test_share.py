"""Keys are divided among processes: each belongs to one, the same in every process."""

from __future__ import annotations

from collections import Counter

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.plan.partition import compile_partition
from limecep.store.share import Share, owner_of
from limecep.store.store import Store

KEYS = ["x", "\ud800", 1, 2.5, (True,), ("x", 1), (("x",), 2)]


@pytest.mark.parametrize("key", KEYS)
def test_every_key_belongs_to_one_process(key: object) -> None:
    assert sum(Share(number, 3).takes(key) for number in range(3)) == 1


def test_keys_are_divided_about_evenly() -> None:
    owners = Counter(owner_of(f"device-{n}", 4) for n in range(4000))
    assert min(owners.values()) > 900
    assert len(owners) == 4


def test_a_key_belongs_to_the_same_process_in_every_run() -> None:
    assert [owner_of(key, 7) for key in ("x", 1, (True,), ("x", 1))] == [6, 2, 6, 1]


def test_equal_attributes_belong_together() -> None:
    key = compile_partition((("k",),))
    one, other = (key(Event("A", "1", 1, payload={"k": k})) for k in (1, 1.0))
    assert owner_of(one, 1000) == owner_of(other, 1000)


def test_what_has_no_key_belongs_to_the_first() -> None:
    assert [Share(number, 3).takes(()) for number in range(3)] == [True, False, False]
    assert [Share(number, 3).first for number in range(3)] == [True, False, False]


@pytest.mark.parametrize("query", ["SEQ(A a) WITHIN 1 s", "AND(A a, B b) WITHIN 1 s"])
@pytest.mark.parametrize("partition", ["", " PARTITION BY k"])
def test_an_event_has_a_view_in_one_process_and_is_stored_in_all(query: str, partition: str) -> None:
    plan = compile_plan(parse(f"PATTERN {query}{partition}"), name="p")
    views = []
    for number in range(3):
        store = Store(share=Share(number, 3))
        of = store.subscribe(plan)
        events = [Event("A", str(n), n, payload={"k": n}) for n in range(20)]
        for event in events:
            store.add(event, store.types["A"])
        assert store.size == 20
        assert store.partitions.keys == 0 or store.partitions.keys < 20
        views.append([of.of(event) is not None for event in events])
        assert len(of.stored()) == sum(views[-1]) or not partition
    assert [sum(of_event) for of_event in zip(*views, strict=True)] == [1] * 20


def test_events_without_a_key_are_counted_in_every_process() -> None:
    plan = compile_plan(parse("PATTERN SEQ(A a) WITHIN 1 s PARTITION BY k"), name="p")
    for number in range(2):
        store = Store(share=Share(number, 2))
        views = store.subscribe(plan)
        for event in (Event("A", "1", 1), Event("A", "2", 2, payload={"k": "x"})):
            store.add(event, store.types["A"])
        assert views.without_key == 1
