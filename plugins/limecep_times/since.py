"""Times that are a number of days, seconds or other units since some day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from limecep_times.config import UNITS

if TYPE_CHECKING:
    from limecep.contracts.context import Context as Given
    from limecep_times.config import SinceOptions

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
#: Longer texts are no times, and far more digits than a float has.
_LONGEST = 64
_EXACT = Context(prec=2 * _LONGEST, rounding=ROUND_HALF_EVEN)
#: Beyond all years that there are, in any unit.
_FAR = 10**30


class Since:
    """Reads numbers, also those written as text, exactly; what is beyond microseconds is rounded half to
    even. Leap seconds are not counted."""

    def __init__(self, options: SinceOptions, context: Given) -> None:
        self._begin = (options.instant - _BEGIN) // timedelta(microseconds=1)
        self._times, self._parts = UNITS[options.unit]

    def read(self, value: Any) -> int:
        """The instant in microseconds since 1970 UTC."""
        if type(value) is int:
            number = Decimal(value) if abs(value) < _FAR else Decimal(_FAR)
        else:
            number = _decimal(value)
        counted = _EXACT.divide(_EXACT.multiply(number, self._times), self._parts)
        return self._begin + int(counted.to_integral_value(context=_EXACT))


def _decimal(value: Any) -> Decimal:
    """A number, exactly as it is spelled; one far out of all years is as far as any."""
    text = repr(value) if type(value) is float else value
    if not isinstance(text, str) or len(text) > _LONGEST or "_" in text:
        raise ValueError(f"is not a number: {str(value)[:_LONGEST]}")
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        raise ValueError(f"is not a number: {text}") from None
    if not number.is_finite():
        raise ValueError(f"is not a number: {text}")
    if number.adjusted() > len(str(_FAR)):
        return Decimal(_FAR).copy_sign(number)
    return number if number.adjusted() > -len(str(_FAR)) else Decimal(0)
