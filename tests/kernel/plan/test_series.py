"""Ranges of a lane have the aggregates of their events, to the last bit."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from limecep.model.event import Event
from limecep.plan.aggregates import AGGREGATES
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


@given(st.lists(VALUES, max_size=12), st.lists(VALUES, max_size=6), st.data())
def test_an_aggregate_of_a_range_is_that_of_its_values(
    first: list[Any], later: list[Any], data: st.DataObject
) -> None:
    events: list[Event] = []
    begin = data.draw(st.integers(0, len(first)))
    book = Book(events, begin)
    for values in (first, later):
        # A lane grows while it is read.
        events += [Event("A", str(n), n, payload={"v": v}) for n, v in enumerate(values, len(events))]
        for _ in range(3):
            start = data.draw(st.integers(begin, len(events)))
            stop = data.draw(st.integers(start, len(events)))
            stretch = Stretch(book, start, stop)
            for name, aggregate in AGGREGATES.items():
                found = getattr(stretch, f"over_{name}")(("v",))
                assert same(found, aggregate([e.payload["v"] for e in events[start:stop]])), name
            assert list(stretch) == events[start:stop]
