"""Quantities with units, as people write them: `30s`, `10%`, `64MB`."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Decimal

from limecep.problems import suggestion

#: Microseconds by the names of a unit of time. The pattern language reads the same ones.
DURATIONS: dict[str, int] = {
    **dict.fromkeys(("us", "microsecond", "microseconds"), 1),
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), 1_000),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1_000_000),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60_000_000),
    **dict.fromkeys(("h", "hour", "hours"), 3_600_000_000),
    **dict.fromkeys(("d", "day", "days"), 86_400_000_000),
}

#: Bytes by the names of a unit of size.
SIZES: dict[str, int] = {
    "B": 1,
    **{f"{prefix}B": 1000**power for power, prefix in enumerate("kMGT", 1)},
    "KB": 1000,
    **{f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGT", 1)},
}

_QUANTITY = re.compile(r"\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+))\s*(\S*)\s*", re.ASCII)
#: Some 31,000 years: more is a slip of the pen, and would not fit into what holds times.
_LONGEST = 10**18


def duration(value: str | float) -> int:
    """Microseconds of `30s`, `1.5 h`, `2 days`.

    Raises:
        ValueError: It is no duration; the message says what is wrong in words for the user.
    """
    number, unit = _split(value, "a duration such as 30s, 5m or 250ms")
    if not unit:
        raise ValueError(f"needs a unit: {number}s, {number}ms, {number}m, ...")
    if unit.lower() not in DURATIONS:
        raise ValueError(f"has an unknown unit of time '{unit}'; {suggestion(unit, DURATIONS)}")
    return _whole(number * DURATIONS[unit.lower()], "a duration")


def size(value: str | float) -> int:
    """Bytes of `64MB`, `1GiB`, `512`.

    Raises:
        ValueError: It is no size.
    """
    number, unit = _split(value, "a size such as 64MB or 1GiB")
    factor = next((f for name, f in SIZES.items() if name.lower() == (unit or "B").lower()), None)
    if factor is None:
        raise ValueError(f"has an unknown unit of size '{unit}'; {suggestion(unit, SIZES)}")
    return _whole(number * factor, "a size")


def percentage(value: str | float) -> float:
    """The fraction that `10%` or `0.1` means.

    Raises:
        ValueError: It is neither.
    """
    number, unit = _split(value, "a percentage such as 10% or a fraction such as 0.1")
    if unit not in ("", "%"):
        raise ValueError(f"must be a percentage such as 10% or a fraction such as 0.1, not '{value}'")
    if number < 0:
        raise ValueError("must not be negative")
    if not unit and number > 1:
        raise ValueError(f"is ambiguous: write {number}% or a fraction of at most 1")
    return float(number / 100 if unit else number)


def _split(value: str | float, what: str) -> tuple[Decimal, str]:
    match = _QUANTITY.fullmatch(str(value))
    if match is None or len(match[1]) > 40:
        raise ValueError(f"must be {what}, not '{value}'")
    return Decimal(match[1]), match[2]


def _whole(number: Decimal, what: str) -> int:
    if number < 0:
        raise ValueError(f"must not be negative, as {what} never is")
    if number > _LONGEST:
        raise ValueError("is too large")
    return int(number.to_integral_value(ROUND_HALF_EVEN))
