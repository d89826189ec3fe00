"""Aggregates over the values of a group, in one piece and as it grows. None is a missing value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from limecep.model.instants import Instant
from limecep.plan.values import COMPARISONS, NUMBERS, ORDERED, Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Number = int | float

#: Every float is a whole multiple of 1 / SCALE, so sums of floats can be kept exactly as integers, and
#: rounded once at the end as `math.fsum` does.
_SCALE = 2**1074


def count(values: Sequence[Any]) -> int:
    """How many are present."""
    return sum(v is not None for v in values)


def present(values: Sequence[Any]) -> list[Any]:
    """Those that are."""
    return [v for v in values if v is not None]


def collected(values: Sequence[Any]) -> list[Any]:
    """Those that are, a list being the values in it."""
    there = present(values)
    if list in map(type, there):
        parts = [v if type(v) is list else [v] for v in there]
        there = present([v for part in parts for v in part])
    return there


def total(values: Sequence[Any]) -> Number | None:
    """The sum of the numbers; 0 of nothing. Missing if a present value is no number, or the sum is none."""
    there = present(values)
    kinds = set(map(type, there))
    if not kinds <= NUMBERS:
        return None
    try:
        result: Number = math.fsum(there) if float in kinds else sum(there)
    except (OverflowError, ValueError):
        return None
    return result if result == result else None


def average(values: Sequence[Any]) -> float | None:
    """The sum of the numbers by their count; missing of nothing."""
    return ratio(total(values), count(values))


def ratio(numerator: Number | None, denominator: int) -> float | None:
    """Their quotient; missing if there is none."""
    if numerator is None or not denominator:
        return None
    try:
        return numerator / denominator
    except OverflowError:
        return None


def _extreme(pick: Callable[[list[Any]], Any]) -> Callable[[Sequence[Any]], Any]:
    def extreme(values: Sequence[Any]) -> Any:
        there = present(values)
        kinds = set(map(type, there))
        alike = kinds <= NUMBERS or kinds in ({str}, {Instant})
        if not there or not alike or any(v != v for v in there):
            return None
        return pick(there)

    return extreme


#: Each gives the aggregate of a whole group.
AGGREGATES: dict[str, Callable[[Sequence[Any]], Any]] = {
    "count": count,
    "sum": total,
    "avg": average,
    "min": _extreme(min),
    "max": _extreme(max),
    "collect": collected,
    "column": list,
}


def _counts(values: Sequence[Any]) -> list[int]:
    found = [0]
    for v in values:
        found.append(found[-1] + (v is not None))
    return found


def _scaled(value: float) -> int:
    numerator, denominator = value.as_integer_ratio()
    return numerator * (_SCALE // denominator)


def _sums(values: Sequence[Any]) -> Iterator[Number | None]:
    """The sums of the first 0, 1, 2, ... values, each as `total` gives it."""
    result: Number | None = 0
    whole: list[int] | None = []  # the integers, until a float comes; they add up as integers
    exact = 0  # then the sum of all finite ones, times _SCALE
    infinite = 0.0  # and that of the others
    yield result
    for v in values:
        if v is None or result is None:
            yield result
            continue
        try:
            if whole is not None and type(v) is int:
                whole.append(v)
                result += v
            elif type(v) in NUMBERS:
                if whole is not None:
                    exact = sum(_scaled(float(w)) for w in whole)
                    whole = None
                if math.isfinite(v):
                    exact += _scaled(float(v))
                else:
                    infinite += v
                finite = exact / _SCALE
                result = infinite or finite
                if result != result:
                    result = None
            else:
                result = None
        except OverflowError:
            result = None
        yield result


def _averages(values: Sequence[Any]) -> list[float | None]:
    return [ratio(s, n) for s, n in zip(_sums(values), _counts(values), strict=True)]


def _extremes(better: Callable[[Any, Any], Truth]) -> Callable[[Sequence[Any]], list[Any]]:
    def extremes(values: Sequence[Any]) -> list[Any]:
        found: list[Any] = [None]
        best: Any = None
        comparable = True
        for v in values:
            if v is not None and comparable:
                if best is None:
                    comparable = type(v) in ORDERED and v == v
                    best = v
                else:
                    improves = better(v, best)
                    comparable = improves is not None
                    best = v if improves else best
            found.append(best if comparable else None)
        return found

    return extremes


#: Each gives, in one pass, the list of the aggregates of the first 0, 1, 2, ... values of a group.
RUNNING: dict[str, Callable[[Sequence[Any]], list[Any]]] = {
    "count": _counts,
    "sum": lambda values: list(_sums(values)),
    "avg": _averages,
    "min": _extremes(COMPARISONS["<"]),
    "max": _extremes(COMPARISONS[">"]),
    "column": lambda values: [values[:n] for n in range(len(values) + 1)],
    "collect": lambda values: [collected(values[:n]) for n in range(len(values) + 1)],
}
