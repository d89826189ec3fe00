"""Keys have one spelling for all values that are equal."""

from __future__ import annotations

from decimal import Decimal

import pytest

from limecep.model.keys import canonical


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        (1, 1),
        (1.0, 1),
        (-0.0, 0),
        (Decimal("1.00"), 1),
        (Decimal("1e3"), 1000),
        (1.5, 1.5),
        (Decimal("1.5"), 1.5),
        (True, True),
        ("1", "1"),
        (10**30, 10**30),
        (1e300, int(1e300)),
        (Decimal("1e999"), 10**999),
    ],
)
def test_equal_numbers_are_one_key_and_texts_and_truth_values_others(value: object, spelled: object) -> None:
    assert canonical(value) == spelled
    assert type(canonical(value)) is type(spelled)


@pytest.mark.parametrize(
    "value",
    [None, float("nan"), Decimal("NaN"), Decimal("sNaN"), Decimal("1e1000"), [], {}, (1,), b"1"],
)
def test_what_equals_nothing_is_no_key(value: object) -> None:
    assert canonical(value) is None


@pytest.mark.parametrize("value", [float("inf"), Decimal("Infinity")])
def test_infinity_is_a_key(value: object) -> None:
    assert canonical(value) == float("inf")
