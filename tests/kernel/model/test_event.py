"""Events: their total order, and how they are written down."""

from __future__ import annotations

import gc
import json
import sys
from random import Random

from limecep.model.event import UNVERSIONED, Event, Statement, event_in, event_out, sort_key
from limecep.state.json_values import decode, encode


def test_events_go_by_time_then_sequence_number_then_type_id_and_source() -> None:
    events = [
        Event("B", "b", 1, source="s", seq=9),
        Event("B", "b", 2, source="s", seq=-1),
        Event("B", "b", 2, source="s"),
        Event("A", "z", 2, source="z", seq=1),
        Event("B", "a", 2, source="z", seq=1),
        Event("B", "b", 2, source="r", seq=1),
        Event("B", "b", 2, source="s", seq=1),
    ]
    mixed = Random(1).sample(events, len(events))
    assert [*map(id, sorted(mixed, key=sort_key))] == [*map(id, events)]


def test_arrival_does_not_change_the_order() -> None:
    assert sort_key(Event("A", "a", 1, 5, ordinal=3)) == sort_key(Event("A", "a", 1, 9, ordinal=7))


def test_an_event_comes_back_with_all_there_is_to_it() -> None:
    event = Event("A", "a1", 1, 2, "s", {"v": [1, None]}, 3, 4)
    back = event_in(json.loads(json.dumps(event_out(event))))
    assert repr(back) == repr(event)
    assert [back.t_gen, back.t_arr, back.seq, back.ordinal] == [1, 2, 3, 4]


def test_a_withdrawal_without_a_version_comes_back_from_json_that_knows_no_infinity() -> None:
    said = Statement("A", "a1", 1, 2, "s", version=UNVERSIONED, withdrawn=True)
    assert repr(event_in(decode(encode(event_out(said))))) == repr(said)


def test_types_and_sources_that_come_back_are_shared() -> None:
    first, second = (
        event_in(json.loads(json.dumps(event_out(Event("Gas", "1", 1, source="plant"))))) for _ in "12"
    )
    assert first.type is second.type is sys.intern("Gas")
    assert first.source is second.source


def test_events_are_equal_to_themselves_only() -> None:
    event = Event("A", "a", 1)
    assert event == event
    assert event != Event("A", "a", 1)


def test_an_event_that_has_not_arrived_says_what_it_is_and_no_more() -> None:
    event = Event("A", "a", 1)
    assert (event.t_arr, event.source, event.payload, event.seq, event.ordinal) == (0, "", {}, 0, 0)
    assert repr(event) == "Event(type='A', id='a', t_gen=1)"


def test_the_garbage_collector_does_not_look_at_events() -> None:
    assert not gc.is_tracked(Event("A", "a", 1, payload={"v": [1]}))
