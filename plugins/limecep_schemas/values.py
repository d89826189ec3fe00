"""Values of Avro as values of JSON.

Times are text of RFC 3339, decimals numbers, bytes base64; numbers that are not finite are missing.
"""

from __future__ import annotations

import base64
import math
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

from limecep.contracts.codec import Spelled

if TYPE_CHECKING:
    from collections.abc import Callable

    #: Makes a value of JSON.
    Told = Callable[[Any], Any]


def finite(value: float) -> float | None:
    """A number, None in place of what JSON does not know."""
    return value if math.isfinite(value) else None


def encoded(value: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(value).decode()


def stamp(value: datetime) -> str:
    """An instant, or a local time without its offset."""
    return value.isoformat().replace("+00:00", "Z")


def number(value: Decimal) -> int | float | None:
    """A decimal as a number; an integer if it has no decimals."""
    return finite(float(value)) if _broken(value) else int(value)


def _spelled(value: Decimal) -> int | Spelled | None:
    if not _broken(value):
        return int(value)
    return None if number(value) is None else Spelled(format(value, "f"))


def _spelled_float(value: float) -> Spelled | None:
    return Spelled(value) if math.isfinite(value) else None


def _broken(value: Decimal) -> bool:
    exponent = value.as_tuple().exponent
    return not isinstance(exponent, int) or exponent < 0


def _converter(of_float: Told, of_decimal: Told) -> Told:
    def told(value: Any) -> Any:
        make = makers.get(type(value))
        return value if make is None else make(value)

    makers: dict[type, Told] = {
        dict: lambda value: {name: told(inner) for name, inner in value.items()},
        list: lambda value: [told(inner) for inner in value],
        float: of_float,
        bytes: encoded,
        datetime: stamp,
        date: date.isoformat,
        time: time.isoformat,
        Decimal: of_decimal,
        UUID: str,
    }
    return told


#: A value that fastavro reads as one of JSON, and the same with `Spelled` for each number that is no integer.
plain: Told = _converter(finite, number)
spelled: Told = _converter(_spelled_float, _spelled)
