"""Functions of numbers. A result that is no finite number is missing."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T", bound=float)

#: With more digits a power of ten takes ever longer.
_MOST_DIGITS = 100


def rounded(x: float, digits: int = 0) -> float | None:
    """A number with so many digits behind the point, as Python rounds: a half goes to the even digit. Missing
    where `digits` is not between -100 and 100."""
    if abs(digits) > _MOST_DIGITS:
        return None
    return _finite(round, x, digits) if digits else _finite(round, x)


def floor(x: float) -> int | None:
    """The greatest whole number that is not above a number."""
    return _finite(math.floor, x)


def ceil(x: float) -> int | None:
    """The least whole number that is not below a number."""
    return _finite(math.ceil, x)


def sqrt(x: float) -> float | None:
    """The square root; missing of a number below 0."""
    return _finite(math.sqrt, x)


def ln(x: float) -> float | None:
    """The natural logarithm; missing of 0 and below."""
    return _finite(math.log, x)


def exp(x: float) -> float | None:
    """e to the power of a number."""
    return _finite(math.exp, x)


def power(x: float, y: float) -> float | None:
    """x to the power of y, with the precision of a float."""
    return _finite(math.pow, x, y)


def mod(x: float, y: float) -> float | None:
    """The remainder of a division, as `x % y` has it; missing where `y` is 0."""
    return _finite(operator.mod, x, y)


def sign(x: float) -> int:
    """-1 of a number below 0, 0 of 0, 1 of one above."""
    return (x > 0) - (x < 0)


def _finite(function: Callable[..., T], *arguments: float) -> T | None:
    """The value of a function of Python; None where it has none, or one that is not finite."""
    try:
        found = function(*arguments)
    except (ArithmeticError, ValueError):
        return None
    return found if type(found) is int or math.isfinite(found) else None
