"""Events are looked at after a component had them."""

from __future__ import annotations

import pytest

from limecep.testing.streams import written
from limecep.testing.untouched import untouched


def test_a_change_is_told_with_the_event_and_what_it_was() -> None:
    events = written("a1 b2=3")
    with untouched(events):
        events[0].payload.get("v")
    said = r"the event b2 was changed: payload was {'v': 3} and is {'v': 4}"
    with pytest.raises(AssertionError, match=said), untouched(events):
        events[1].payload["v"] = 4
    said = "the event a1 was changed: t_gen was 1000000 and is 5"
    with pytest.raises(AssertionError, match=said), untouched(events):
        events[0].t_gen = 5
