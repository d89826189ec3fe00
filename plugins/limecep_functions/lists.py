"""Functions of all values of a group, or of a list that an event has."""

from __future__ import annotations

import math
import statistics
from typing import Any

from limecep.encoding import to_canonical_json
from limecep.plan.values import COMPARISONS


def stddev(values: list[float]) -> float | None:
    """The standard deviation of a sample of numbers, by n - 1; missing of fewer than two."""
    return _deviation(values, len(values) - 1)


def stddev_pop(values: list[float]) -> float | None:
    """The standard deviation of numbers that are all there are, by n; missing of none."""
    return _deviation(values, len(values))


def median(values: list[float]) -> float | None:
    """The number in the middle of some, or the mean of the two that are; missing of none."""
    return percentile(values, 50)


def percentile(values: list[float], share: float) -> float | None:
    """The number below which so many of a hundred lie, in between two in proportion; missing of none, and
    where `share` is not between 0 and 100."""
    if not values or not 0 <= share <= 100:
        return None
    ordered = sorted(values)
    try:
        place = (len(ordered) - 1) * share / 100
        low, high = ordered[math.floor(place)], ordered[math.ceil(place)]
        part = place - math.floor(place)
        found = low if low == high or not part else low + (high - low) * part
    except OverflowError:
        return None
    return found if found == found else None


def distinct(values: list[Any]) -> int:
    """How many different values there are: 1 and 1.0 are one, 1 and '1' are two."""
    return len({_spelled(v) for v in values})


def includes(values: list[Any], value: object) -> bool | None:
    """Whether one of some values equals another; missing where the other is."""
    if value is None or value != value:
        return None
    equal = COMPARISONS["=="]
    return any(equal(v, value) is True for v in values)


def any_of(values: list[Any], comparison: str, value: object) -> bool | None:
    """Whether a comparison (`=`, `!=`, `<`, `<=`, `>`, `>=`) with a value is true of one of some values."""
    compare = COMPARISONS.get({"=": "==", "<>": "!="}.get(comparison, comparison))
    if compare is None or value is None:
        return None
    return any(compare(v, value) is True for v in values)


def _vet_share(values: object, share: object = None) -> str:
    """What is wrong with a share that is known before any event."""
    if isinstance(share, (int, float)) and not 0 <= share <= 100:
        return f"{share} is no share of a hundred: write a number from 0 to 100"
    return ""


percentile.vet = _vet_share  # type: ignore[attr-defined]


def _deviation(values: list[float], by: int) -> float | None:
    if by < 1 or not all(map(_finite, values)):
        return None
    try:
        mean = statistics.fmean(values)
        found = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / by)
    except OverflowError:
        return None
    return found if found - found == 0 else None


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _spelled(value: Any) -> bytes:
    if type(value) is float and value.is_integer():
        value = int(value)
    return to_canonical_json(value)
