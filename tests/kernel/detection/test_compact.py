"""Payloads are smaller, and equal to what they were."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.detection.compact import MOST_SHAPES, MOST_TEXTS, Compact
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = st.sampled_from(["id", "unit", "celsius", "a.b", "on", "where"])
VALUES = st.none() | st.booleans() | st.sampled_from([0, 0.0, -0.0, 1, 1.0, "", "1", "C", [1], {"x": "C"}])


class Stored:
    """A store with a compaction that has seen to it."""

    def __init__(self) -> None:
        self.store = Store()
        self.store.subscribe(compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 10 s"), name="p"))
        self.compact = Compact(self.store)

    def add(self, payloads: Sequence[dict[str, Any]]) -> list[Event]:
        """Events of type A with these payloads, as if just decoded."""
        events = []
        for payload in payloads:
            n = self.store.arrivals
            event = Event("A", f"a{n}", n, n, "s", json.loads(json.dumps(payload)))
            self.store.add(event, self.store.types["A"])
            events.append(event)
        self.compact.run()
        return events


def taken(payload: dict[str, Any]) -> int:
    return sys.getsizeof(payload)


@given(st.lists(st.lists(st.dictionaries(NAMES, VALUES), max_size=8), max_size=4))
def test_payloads_stay_what_they_were(batches: list[list[dict[str, Any]]]) -> None:
    stored = Stored()
    for batch in batches:
        for event, payload in zip(stored.add(batch), batch, strict=True):
            assert type(event.payload) is dict
            # Of the types of values, too: 1 is not 1.0, nor true.
            assert repr(sorted(event.payload.items())) == repr(sorted(payload.items()))
            event.payload.pop("unit", None)


def test_names_are_shared_and_texts_that_come_again() -> None:
    payloads = [{"unit": "C" * 20, "n": str(n) * 9, **dict.fromkeys("abc", n)} for n in range(2000)]
    events = Stored().add(payloads)
    assert taken(events[-1].payload) <= taken(json.loads(json.dumps(payloads[-1]))) * 0.7
    assert len({id(e.payload["unit"]) for e in events}) == 1
    # They are few; the others are too many to be known.
    assert events[-1].payload["n"] == "1999" * 9


@pytest.mark.parametrize("orders", [("abcde", "fghij"), ("abcde", "abcdf"), ("abcde", "ab")])
def test_events_of_one_type_may_have_names_that_differ(orders: tuple[str, str]) -> None:
    payloads = [dict.fromkeys(orders[n % 2], n) for n in range(200)]
    events = Stored().add(payloads)
    assert [e.payload for e in events] == payloads
    # Nor do they then make room for the names of each other.
    alone = Stored().add([payloads[0]])
    assert taken(events[-2].payload) == taken(alone[0].payload)


def test_payloads_with_very_many_names_and_shapes_are_left() -> None:
    many = [{f"n{k}": "text" for k in range(100)}]
    shapes = [{f"s{n}": n} for n in range(MOST_SHAPES + 10)]
    stored = Stored()
    assert [e.payload for e in stored.add([*many, *shapes, *many, *shapes])] == [
        *many,
        *shapes,
        *many,
        *shapes,
    ]
    assert [e.payload for e in stored.add([{}])] == [{}]


def test_it_keeps_no_texts_of_an_attribute_that_has_too_many() -> None:
    stored = Stored()
    stored.add([{"n": str(n)} for n in range(MOST_TEXTS + 1)])
    first, second = stored.add([{"n": "one more"}, {"n": "one more"}])
    assert first.payload["n"] is not second.payload["n"]


def test_each_event_is_seen_to_once() -> None:
    stored = Stored()
    (event,) = stored.add([{"unit": "C"}])
    payload = event.payload
    stored.add([{"unit": "C"}])
    assert event.payload is payload
