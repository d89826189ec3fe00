"""Bounds of sums and averages, as whole numbers: so they are exact."""

from __future__ import annotations

from dataclasses import dataclass

#: Sums are kept as whole multiples of 2 ** -SHIFT, so they are exact whatever is taken from them.
SHIFT = 128
UNIT = 1 << SHIFT


@dataclass(frozen=True, slots=True)
class Bound:
    """What a sum or an average is to be above, or below.

    Attributes:
        value: The bound, in multiples of 2 ** -128.
        average: Whether it is about the average.
        above: Whether it is to be above it, or equal.
    """

    value: int
    average: bool
    above: bool


def scaled(value: float) -> int:
    """A finite number as the value of a bound."""
    numerator, denominator = value.as_integer_ratio()
    return numerator * UNIT // denominator
