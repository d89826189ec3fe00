from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.plan.aggregates import AGGREGATES, RUNNING


@pytest.mark.parametrize(
    ("function", "values", "expected"),
    [
        ("count", [], 0),
        ("count", [1, None, "x", [2]], 3),
        ("sum", [], 0),
        ("sum", [None], 0),
        ("sum", [1, None, 2.5], 3.5),
        ("sum", [0.1] * 10, 1.0),
        ("sum", [10**400, 1], 10**400 + 1),
        ("sum", [10**400, 1.0], None),
        ("sum", [math.inf, 1], math.inf),
        ("sum", [math.inf, -math.inf], None),
        ("sum", [math.nan], None),
        ("sum", [1, True], None),
        ("sum", [1, "2"], None),
        ("avg", [], None),
        ("avg", [None], None),
        ("avg", [1, None, 2], 1.5),
        ("avg", [10**400, 1], None),
        ("avg", [1, []], None),
        ("min", [], None),
        ("min", [3, None, 2.5], 2.5),
        ("min", ["b", "a"], "a"),
        ("min", ["b", 1], None),
        ("min", [True, 1], None),
        ("min", [True], None),
        ("min", [math.nan, 1], None),
        ("max", [1, math.nan], None),
        ("max", [3, None, 2.5], 3),
        ("max", [[1]], None),
    ],
)
def test_aggregates_of_a_group(function, values, expected):
    found = AGGREGATES[function](values)
    assert found == expected
    assert (found is None) is (expected is None)


VALUES = st.lists(
    st.one_of(
        st.none(),
        st.integers(-5, 5),
        st.integers(10**307, 10**310),
        st.floats(-1e300, 1e300),
        st.sampled_from([0.1, 1e-320, math.inf, -math.inf]),
        st.sampled_from(["a", "b", True, math.nan, [1]]).filter(lambda v: v != 1),
    ),
    max_size=8,
)


@pytest.mark.parametrize("function", list(AGGREGATES))
@given(values=VALUES)
def test_running_aggregates_are_those_of_every_prefix(function, values):
    prefixes = [AGGREGATES[function](values[:n]) for n in range(len(values) + 1)]
    assert RUNNING[function](values) == prefixes
