"""Numbers, strings and durations as they are written in a query."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from limecep.model.words import MICROSECONDS
from limecep.problems import suggestion

_LONGEST_NUMBER = 400
_LONGEST_WINDOW = 2**62
#: What LIKE is to take for itself stays as it is.
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "%": "\\%", "_": "\\_",
}  # fmt: skip


class BadLiteral(Exception):
    """A literal that cannot be what it says. Never leaves the parser."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


def number(text: str) -> int | float:
    """An integer where there is neither point nor exponent, else a float."""
    if len(text) > _LONGEST_NUMBER:
        raise BadLiteral(
            "bad-number", f"a number of {len(text)} characters", f"at most {_LONGEST_NUMBER} are read"
        )
    if text.isdecimal():
        return int(text)
    value = float(text)
    if math.isinf(value):
        raise BadLiteral(
            "bad-number", f"{text} is too large", "the largest number with a point or exponent is 1.7e308"
        )
    return value


def string(token: str) -> str:
    """What stands between the quotes, with doubled quotes and backslashes resolved."""
    quote, inner = token[0], token[1:-1]

    def resolve(match: re.Match[str]) -> str:
        found = match.group()
        if found[0] == quote:
            return quote
        if found[1] not in _ESCAPES:
            raise BadLiteral(
                "bad-escape",
                f"{found} means nothing in a text",
                r"write \\ for a backslash; there are \n, \t, \r, \' and" r" \"",
            )
        return _ESCAPES[found[1]]

    return re.sub(rf"{quote}{quote}|\\.", resolve, inner, flags=re.DOTALL)


def unit(name: str) -> int:
    """Microseconds of a unit of time."""
    size = MICROSECONDS.get(name.lower())
    if size is not None:
        return size
    near = suggestion(name.lower(), MICROSECONDS)
    hint = f"{near} " if near.startswith("did") else ""
    if name.lower() in ("m", "mn"):
        # A thousandth of a second is not what a minute was meant to be.
        hint = "minutes are min; "
    units = "us, ms, seconds, minutes, hours and days"
    raise BadLiteral("unknown-unit", f"unknown unit '{name}'", f"{hint}units are {units}")


def duration(amount: str, size: int) -> int:
    """So many units of a size, in microseconds, exactly."""
    if len(amount) > _LONGEST_NUMBER or not amount.replace(".", "").isdecimal():
        raise BadLiteral(
            "bad-duration", f"{amount} is no duration", "write it plainly, as in 0.5 s or 10 minutes"
        )
    # As a fraction of integers: decimals have a precision that long numbers exceed.
    numerator, denominator = Decimal(amount).as_integer_ratio()
    whole, rest = divmod(numerator * size, denominator)
    if rest:
        hint = "time is counted in whole microseconds"
        raise BadLiteral("bad-duration", "this is finer than a microsecond", hint)
    if whole > _LONGEST_WINDOW:
        raise BadLiteral("bad-duration", "this is too long", "windows of up to 50 million days are possible")
    return whole
