"""A bound on a sum or an average tells which ranges of a lane need not be looked at."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from limecep.model.event import Event
from limecep.plan.aggregates import AGGREGATES
from limecep.plan.bounds import Bound, scaled
from limecep.plan.stretch import Book

VALUES = (
    st.none()
    | st.integers(-3, 3)
    | st.sampled_from([0.5, 0.1, -0.0, 1e300, -1e300, 5e-324, 2.0**60, 2**53 + 1, -(10**40)])
    | st.floats()
    | st.sampled_from(["1", "", True, [1]])
)


def same(x: Any, y: Any) -> bool:
    return type(x) is type(y) and (x == y or (isinstance(x, float) and math.isnan(x) and math.isnan(y)))


@given(
    st.lists(st.sampled_from([0, 1, 2, 3, 7, -2, 0.1, 0.3, 1e-9, 1e16, None]), min_size=1, max_size=12),
    st.sampled_from([0, 1, 2.5, -1, 0.1, 0.2, 1e16]),
    st.booleans(),
    st.booleans(),
)
def test_a_limit_excludes_no_range_that_is_beyond_a_bound(
    values: list[Any], number: float, average: bool, above: bool
) -> None:
    book = Book([Event("A", str(n), n, payload={"v": v}) for n, v in enumerate(values)])
    stop = len(values)
    known = book.series(("v",), stop).limit(Bound(scaled(number), average, above), 0, stop)
    assert known is not None
    for start in range(stop):
        found = AGGREGATES["avg" if average else "sum"](values[start:])
        if found is not None and (found >= number if above else found <= number):
            assert known[0][start] <= known[1]


def test_a_limit_excludes_what_is_not_beyond_it() -> None:
    book = Book([Event("A", str(n), n, payload={"v": v}) for n, v in enumerate([9, 1, 5, 2, "x"])])
    series = book.series(("v",), 5)

    def left(bound: Bound) -> list[int]:
        known = series.limit(bound, 0, 4)
        assert known is not None
        return [start for start in range(4) if known[0][start] <= known[1]]

    assert left(Bound(scaled(4), average=True, above=True)) == [0]
    assert left(Bound(scaled(3), average=True, above=False)) == [1, 3]
    assert left(Bound(scaled(7.5), average=False, above=True)) == [0, 1]
    assert left(Bound(scaled(7.5), average=False, above=False)) == [2, 3]
    assert series.limit(Bound(0, average=False, above=True), 0, 5) is None
