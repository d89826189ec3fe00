"""Functions of many values, against Python's own answers."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest

from limecep_functions import lists

SOME = [3, 1.5, 8, 1.5, -2]


@pytest.mark.parametrize(
    ("function", "arguments", "value"),
    [
        ("stddev", (SOME,), statistics.stdev(SOME)),
        ("stddev", ([1],), None),
        ("stddev", ([],), None),
        ("stddev", ([1, math.inf],), None),
        ("stddev", ([10**400, 1],), None),
        ("stddev", ([1e308, -1e308],), None),
        ("stddev_pop", (SOME,), statistics.pstdev(SOME)),
        ("stddev_pop", ([5],), 0.0),
        ("stddev_pop", ([],), None),
        ("median", (SOME,), statistics.median(SOME)),
        ("median", ([1, 2, 3, 10],), statistics.median([1, 2, 3, 10])),
        ("median", ([],), None),
        ("percentile", (SOME, 25), statistics.quantiles(SOME, n=4, method="inclusive")[0]),
        ("percentile", (SOME, 90), statistics.quantiles(SOME, n=10, method="inclusive")[8]),
        ("percentile", (SOME, 0), -2),
        ("percentile", (SOME, 100), 8),
        ("percentile", (SOME, 101), None),
        ("percentile", ([], 50), None),
        ("distinct", ([1, 1.0, "1", True, [1], [1], {"x": 1}],), 5),
        ("distinct", ([],), 0),
        ("includes", ([1, "x"], "x"), True),
        ("includes", ([1, "x"], 1.0), True),
        ("includes", ([1, "x"], True), False),
        ("includes", ([], "b"), False),
        ("includes", ([1], None), None),
        ("any_of", ([1, 5, "x"], ">", 3), True),
        ("any_of", ([1, 2, "x"], ">=", 3), False),
        ("any_of", ([1, 2], "!=", 1), True),
        ("any_of", ([1, 2], "=", 2.0), True),
        ("any_of", ([1, 2], "like", 2), None),
        ("any_of", ([], "<", 2), False),
    ],
)
def test_a_list_gives(function: str, arguments: tuple[Any, ...], value: Any) -> None:
    found = getattr(lists, function)(*arguments)
    assert found == (pytest.approx(value) if isinstance(value, float) else value)
    assert type(found) in (type(value), float)
