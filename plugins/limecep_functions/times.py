"""Functions of instants: what calendars and clocks say of them in a time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo

from limecep.model.instants import Instant

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
Zoned = TypeVar("Zoned", bound="Callable[..., Any]")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        return None


def _vet(known: str, zone: object = None) -> str:
    """What is wrong with a zone that is known before any event."""
    if isinstance(zone, str) and _zone(zone) is None:
        return f"there is no time zone '{zone}': write an IANA name such as Europe/Athens, or UTC"
    return ""


def _zoned(function: Zoned) -> Zoned:
    """Has zones looked at before any event."""
    function.vet = _vet  # type: ignore[attr-defined]
    return function


@_zoned
def hour(time: Instant, zone: str = "UTC") -> int | None:
    """The hour of an instant, 0 to 23; missing where there is no such `zone`."""
    return _said(time, zone, lambda at: at.hour)


@_zoned
def minute(time: Instant, zone: str = "UTC") -> int | None:
    """The minute of an instant, 0 to 59; missing where there is no such `zone`."""
    return _said(time, zone, lambda at: at.minute)


@_zoned
def weekday(time: Instant, zone: str = "UTC") -> int | None:
    """The day of the week of an instant, 1 (Monday) to 7; missing where there is no such `zone`."""
    return _said(time, zone, lambda at: at.isoweekday())


@_zoned
def day(time: Instant, zone: str = "UTC") -> int | None:
    """The day of the month of an instant; missing where there is no such `zone`."""
    return _said(time, zone, lambda at: at.day)


@_zoned
def month(time: Instant, zone: str = "UTC") -> int | None:
    """The month of an instant, 1 to 12; missing where there is no such `zone`."""
    return _said(time, zone, lambda at: at.month)


@_zoned
def year(time: Instant, zone: str = "UTC") -> int | None:
    """The year of an instant; missing where there is no such `zone`."""
    return _said(time, zone, lambda at: at.year)


@_zoned
def date(time: Instant, zone: str = "UTC") -> str | None:
    """The date of an instant, as '2026-01-05'; missing where there is no such `zone`."""
    return _said(time, zone, lambda at: at.date().isoformat())


def instant(text: str, zone: str = "UTC") -> Instant | None:
    """The instant that a text in ISO 8601 says; one without offset is in `zone`. Missing of other texts."""
    place = _zone(zone)
    try:
        when = datetime.fromisoformat(text.strip())
        if when.tzinfo is None:
            when = when.replace(tzinfo=place)
        return None if place is None else Instant((when - _EPOCH) // timedelta(microseconds=1))
    except (ValueError, OverflowError):
        return None


def _said(time: Instant, zone: str, part: Callable[[datetime], T]) -> T | None:
    place = _zone(zone)
    if place is None:
        return None
    try:
        return part((_EPOCH + timedelta(microseconds=time.microseconds)).astimezone(place))
    except (ValueError, OverflowError):
        return None


def _vet_instant(text: object, zone: object = None) -> str:
    """What is wrong with a text, or a zone, that is known before any event."""
    if isinstance(text, str) and instant(text) is None:
        return f"'{text}' is no time in ISO 8601, such as 2026-01-05T10:00:00Z"
    return _vet("", zone)


instant.vet = _vet_instant  # type: ignore[attr-defined]
