"""Reading times that are numbers. Decimals are converted exactly or rounded half to even, never through a
binary fraction of our own making."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import TYPE_CHECKING, Any

from limecep.intake.times import OUT_OF_RANGE, Inexact, Unreadable, shown
from limecep.model.time import EARLIEST, LATEST

if TYPE_CHECKING:
    from limecep.intake.times import TimeReader

#: From 1601 to 1970.
_WINDOWS_US = 11_644_473_600_000_000
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)
_NUMBER_LENGTH = 64
#: Holds every number of that length without rounding.
_EXACT = Context(prec=2 * _NUMBER_LENGTH, rounding=ROUND_HALF_EVEN, traps=[])
_FAR = 10**30


def epoch_reader(power: int, unit: str) -> TimeReader:
    """A function that reads numbers of microseconds times ten to the power, since 1970; it raises
    `Unreadable`, or `Inexact` for some floats.

    Args:
        power: The power of ten.
        unit: What they are numbers of, for messages.
    """
    factor = 10 ** max(power, 0)
    half = 0.5 / 10.0**power

    def read(value: Any) -> int:
        if type(value) is int:
            t = value * factor if power >= 0 else _scaled(Decimal(value), power)
        elif type(value) is float and math.isfinite(value):
            number = Decimal(repr(value))
            t = _scaled(number, power)
            # A float that is a whole number of microseconds, and less than half of one away from whatever
            # else may have been spelled, is sure.
            if abs(value) * 2**-52 >= half or number.scaleb(power) != t:
                raise Inexact
        elif type(value) is str and len(value) < 20 and value.isdecimal() and value.isascii():
            t = int(value) * factor if power >= 0 else _scaled(Decimal(value), power)
        elif isinstance(value, str) and len(value) <= _NUMBER_LENGTH and _NUMBER.fullmatch(value.strip()):
            t = _scaled(_EXACT.create_decimal(value.strip()), power)
        else:
            raise Unreadable(f"is not a number of {unit}: {shown(value)}")
        if EARLIEST <= t <= LATEST:
            return t
        raise Unreadable(OUT_OF_RANGE)

    return read


def filetime_reader() -> TimeReader:
    """A function that reads Windows' times, units of 100 ns since 1601 and not before."""
    read = epoch_reader(-1, "100 ns")

    def read_filetime(value: Any) -> int:
        t = read(value)
        if t < 0:
            raise Unreadable(OUT_OF_RANGE)
        return t - _WINDOWS_US

    return read_filetime


def _scaled(number: Decimal, power: int) -> int:
    """The number times ten to the power, rounded half to even; what is far out of range only roughly."""
    size = number.adjusted() + power
    if not number or size < -2:
        return 0
    if size > 30:
        return -_FAR if number.is_signed() else _FAR
    return int(number.scaleb(power, _EXACT).to_integral_value(context=_EXACT))
