"""Keys: one spelling for all values that are equal."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

_SPELLED = frozenset({int, str, bool})
#: Decimals of more digits before the point are no keys.
_DIGITS = 1000


def canonical(value: Any) -> int | float | str | bool | None:
    """Return the one spelling of a value in keys: 1, 1.0, 1e0 and the decimal 1.00 are 1, and -0.0 is 0.

    Equal values get the same result, of the same type. None stands for what equals nothing: null, NaN, lists
    and objects. A boolean stays a boolean, which is no number.
    """
    if type(value) in _SPELLED:
        return value  # type: ignore[no-any-return]
    if type(value) is Decimal:
        if value.is_nan() or (value.is_finite() and value.adjusted() >= _DIGITS):
            return None
        if value.is_finite() and value == value.to_integral_value():
            return int(value)
        value = float(value)
    if type(value) is not float or value != value:
        return None
    return int(value) if value.is_integer() else value
