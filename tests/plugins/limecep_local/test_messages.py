"""Messages between processes leave events as they are."""

from __future__ import annotations

import pickle
from decimal import Decimal

from limecep.model.event import Event, Statement
from limecep_local.messages import columns, events_of, pack


def test_events_come_out_as_they_went_in() -> None:
    payload = {"big": 1 << 80, "list": [1, {"x": None}], "nan": float("inf"), "exact": Decimal("0.1")}
    events = [Event("A", "1", 5, 6, "s", payload, 3), Event("B", "\ud800", -1)]
    for more in (
        [],
        [Statement("A", "2", 5, version=1 << 70), Statement("A", "2", 5, version=2.5, withdrawn=True)],
    ):
        again = events_of(pickle.loads(pack(columns(events + more))))
        assert list(map(repr, again)) == list(map(repr, events + more))


def test_events_that_were_taken_in_elsewhere_are_new() -> None:
    event = Event("A", "1", 5, ordinal=7)
    assert [e.ordinal for e in events_of(columns([event]))] == [0]
