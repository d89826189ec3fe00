"""Instants: as values of expressions, and as text."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache

import msgspec

_EPOCH = datetime(1970, 1, 1)


# The events of one match come again in the next.
@lru_cache(maxsize=8192)
def rfc3339(t: int) -> str:
    """Microseconds since 1970-01-01 UTC as RFC 3339 in UTC, with as many decimals as needed.

    An instant outside the years 1 to 9999, which RFC 3339 cannot say, is given as its first or last one.
    """
    try:
        when = _EPOCH + timedelta(microseconds=t)
    except OverflowError:
        when = datetime.max if t > 0 else datetime.min
    text = when.isoformat()
    return f"{text.rstrip('0')}Z" if when.microsecond else f"{text}Z"


class Instant(msgspec.Struct, frozen=True, order=True, gc=False):
    """A time as a value: the `t_gen` of an event, `a.time`. It is no number; of two the difference is one, in
    seconds.

    Attributes:
        microseconds: Since 1970-01-01 UTC.
    """

    microseconds: int

    def __str__(self) -> str:
        return rfc3339(self.microseconds)
