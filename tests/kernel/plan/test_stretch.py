"""A range of a lane is a sequence of its events."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import strategies as st

from limecep.model.event import Event
from limecep.plan.stretch import Book, Stretch

VALUES = (
    st.none()
    | st.integers(-3, 3)
    | st.sampled_from([0.5, 0.1, -0.0, 1e300, -1e300, 5e-324, 2.0**60, 2**53 + 1, -(10**40)])
    | st.floats()
    | st.sampled_from(["1", "", True, [1]])
)


def same(x: Any, y: Any) -> bool:
    return type(x) is type(y) and (x == y or (isinstance(x, float) and math.isnan(x) and math.isnan(y)))


def test_a_range_is_a_sequence_of_its_events() -> None:
    events = [Event("A", str(n), n) for n in range(5)]
    stretch = Stretch(Book(events), 1, 4)
    assert [stretch[0], stretch[-1], len(stretch)] == [events[1], events[3], 3]
    assert stretch[1:] == events[2:4]
    for place in (3, -4):
        with pytest.raises(IndexError):
            stretch[place]
