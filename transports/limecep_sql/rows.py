"""Rows as messages."""

from __future__ import annotations

import base64
import datetime
import decimal
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.encoding import to_json

if TYPE_CHECKING:
    from collections.abc import Sequence


def as_json(names: Sequence[str], values: Sequence[Any]) -> bytes:
    """A row as a JSON object. Times are in ISO 8601, exact numbers as they are spelled, bytes in base64."""
    return to_json({name: _plain(value) for name, value in zip(names, values, strict=True)})


def as_message(value: Any) -> bytes:
    """The message that a column holds."""
    if value is None:
        return b""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    return value.encode(errors="surrogatepass") if isinstance(value, str) else to_json(_plain(value))


def _plain(value: Any) -> Any:
    """A value of JSON."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, decimal.Decimal):
        return msgspec.Raw(str(value).encode()) if value.is_finite() else None
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(inner) for inner in value]
    return str(value)
