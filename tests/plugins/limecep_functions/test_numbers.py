"""Functions of numbers, against Python's own answers."""

from __future__ import annotations

import math
from typing import Any

import pytest

from limecep_functions import numbers

HUGE = 10**400


@pytest.mark.parametrize(
    ("function", "arguments", "value"),
    [
        ("rounded", (2.5,), round(2.5)),
        ("rounded", (3.5,), 4),
        ("rounded", (-0.4,), 0),
        ("rounded", (2.675, 2), round(2.675, 2)),
        ("rounded", (1234, -2), 1200),
        ("rounded", (HUGE,), HUGE),
        ("rounded", (1e308, 100), 1e308),
        ("rounded", (1.5, 101), None),
        ("rounded", (15, -101), None),
        ("rounded", (math.inf,), None),
        ("rounded", (math.inf, 2), None),
        ("floor", (-1.5,), math.floor(-1.5)),
        ("floor", (7,), 7),
        ("floor", (-math.inf,), None),
        ("ceil", (-1.5,), math.ceil(-1.5)),
        ("ceil", (1e300,), math.ceil(1e300)),
        ("ceil", (math.inf,), None),
        ("sqrt", (2,), math.sqrt(2)),
        ("sqrt", (0,), 0.0),
        ("sqrt", (-1,), None),
        ("sqrt", (HUGE,), None),
        ("ln", (math.e,), 1.0),
        ("ln", (HUGE,), math.log(HUGE)),
        ("ln", (0,), None),
        ("ln", (-1.0,), None),
        ("exp", (1,), math.e),
        ("exp", (-math.inf,), 0.0),
        ("exp", (1000,), None),
        ("exp", (math.inf,), None),
        ("power", (2, 10), 1024.0),
        ("power", (2, -1), 0.5),
        ("power", (4, 0.5), 2.0),
        ("power", (-8, 0.5), None),
        ("power", (0, -1), None),
        ("power", (10, 400), None),
        ("power", (HUGE, 2), None),
        ("mod", (7, 3), 7 % 3),
        ("mod", (-7, 3), -7 % 3),
        ("mod", (7.5, 2), 7.5 % 2),
        ("mod", (HUGE, 7), HUGE % 7),
        ("mod", (7, 0), None),
        ("mod", (math.inf, 2), None),
        ("sign", (-0.1,), -1),
        ("sign", (0.0,), 0),
        ("sign", (HUGE,), 1),
        ("sign", (-math.inf,), -1),
    ],
)
def test_a_number_gives(function: str, arguments: tuple[Any, ...], value: object) -> None:
    found = getattr(numbers, function)(*arguments)
    assert (type(found), found) == (type(value), value)


def test_many_digits_take_no_time() -> None:
    assert numbers.rounded(15, -(10**9)) is None
