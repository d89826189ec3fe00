"""Events as they arrived."""

from __future__ import annotations

from limecep.detection.spans import Spans
from limecep.model.event import Event
from limecep.runtime.arrived import within


def test_events_of_some_ranges_are_picked_out_in_the_order_of_their_arrival() -> None:
    arrived = [(100 + n, Event("A", str(t), t)) for n, t in enumerate([7, 1, 3, 2, 9, 4, 6, 5])]
    found = within(Spans([(2, 3), (6, 7)]), arrived)
    assert [(number, event.t_gen) for number, event in found] == [(100, 7), (102, 3), (103, 2), (106, 6)]
    assert within(Spans(), arrived) == []
