"""Which lanes had an event lately."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.store.store import Store

if TYPE_CHECKING:
    from limecep.store.lane import Lane

TYPES = "ABCDE"


def stored(query: str) -> tuple[Store, dict[str, Lane]]:
    store = Store()
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 us"), name="p", select="stnm")
    view = store.subscribe(plan).only
    assert view is not None
    store.watched = True
    return store, {
        s.variable: lane for s, lane in zip(plan.alternatives[0].steps, view.steps[0], strict=True)
    }


def test_the_lanes_with_the_latest_last_events_come_first() -> None:
    store, lanes = stored("SEQ(A a, B b, C c)")
    for t, event_type in ((1, "A"), (2, "B"), (3, "C"), (4, "A")):
        store.add(Event(event_type, str(t), t, source="s"), store.types[event_type])
    assert list(store.recent.since(0)) == [lanes["a"], lanes["c"], lanes["b"]]
    assert list(store.recent.since(3)) == [lanes["a"], lanes["c"]]
    assert list(store.recent.since(5)) == []


def test_a_lane_is_recent_by_the_events_that_its_filter_takes() -> None:
    store, lanes = stored("SEQ(A a, B b) WHERE a.v > 3")
    for t, value in ((1, 5), (2, 1)):
        event = Event("A", str(t), t, source="s", payload={"v": value})
        store.add(event, store.types["A"])
        store.recent.came(event)
    assert list(store.recent.since(1)) == [store.types["A"].events, lanes["a"]]
    assert list(store.recent.since(2)) == [store.types["A"].events]


def test_it_is_so_in_any_order_of_arrival_and_when_events_leave_and_come_back() -> None:
    for seed in range(40):
        store, _ = stored(f"SEQ({', '.join(f'{t} {t.lower()}' for t in TYPES)})")
        chosen = Random(seed)
        gone: list[Event] = []
        for n in range(60):
            event = Event(chosen.choice(TYPES), str(n), n - chosen.choice((0, 0, 0, 9)), source="s")
            store.add(event, store.types[event.type])
            if chosen.random() < 0.05:
                before = n - chosen.randrange(20)
                gone += [e for t in store.types.values() for e in t.events.content.events if e.t_gen < before]
                store.forget(before)
            if gone and chosen.random() < 0.05:
                store.readmit((e, ()) for e in gone)
                gone = []
            low = n - chosen.randrange(30)
            found = list(store.recent.since(low))
            lanes = {t.events for t in store.types.values()}
            last = {lane: lane.content.order[-1] for lane in lanes if len(lane)}
            assert {*found} == {lane for lane, order in last.items() if order >= low}
            assert [last[lane] for lane in found] == sorted((last[lane] for lane in found), reverse=True)
