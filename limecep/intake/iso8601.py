"""Reading times in ISO 8601."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from limecep.contracts.codec import Spelled
from limecep.intake.times import OUT_OF_RANGE, Unreadable, microseconds, shown

if TYPE_CHECKING:
    from limecep.intake.times import TimeReader
    from limecep.intake.zones import LocalTimes

_BEYOND_MICROSECONDS = re.compile(r"[.,]\d{6}(\d+)", re.ASCII)
#: Longer texts are no times; expressions with blanks in them would take their time to find that out.
_LONGEST = 100
#: Forms of ISO 8601 that Python does not read: a blank before the zone, UTC by name; days of a year; midnight
#: at the end of a day; leap seconds.
_ZONED = re.compile(r"(.*?)\s*(Z|UTC|GMT|\s[+-]\d\d:?\d\d)", re.ASCII | re.IGNORECASE)
_ORDINAL = re.compile(r"(\d{4})-?(\d{3})(?![\d-])", re.ASCII)
_MIDNIGHT = re.compile(r"(.{8,10}[T ])24((?::?00){0,2}(?:[.,]0+)?(?:[+-].*|Z)?)", re.ASCII | re.IGNORECASE)
_LEAP = re.compile(r"(.{8,10}[T ]\d\d:?[0-5]\d:?)60((?:[.,+-].*|Z)?)", re.ASCII | re.IGNORECASE)


def iso_reader(local: LocalTimes | None) -> TimeReader:
    """A function that reads ISO 8601; `local` reads times without zone."""
    parse = datetime.fromisoformat

    def read(value: Any) -> int:
        if type(value) is not str:
            if isinstance(value, (int, float, Spelled)) and not isinstance(value, bool):
                raise Unreadable(f"is the number {value}: say its unit, such as format: epoch_ms")
            raise Unreadable(f"is not a time in ISO 8601: {shown(value)}")
        try:
            when = parse(value)
        except ValueError:
            try:
                when = _rarely(value.strip())
            except ValueError:
                raise Unreadable(f"is not a time in ISO 8601: {shown(value)}") from None
            except OverflowError:
                raise Unreadable(OUT_OF_RANGE) from None
        if when.tzinfo is None and len(value) > 8 and value.isdecimal():
            # Python takes 17 digits and more for a date, a time and a fraction.
            raise Unreadable(f"is the number {shown(value)}: say its unit, such as format: epoch_ms")
        # datetime cuts off what is beyond microseconds; no shorter text has such.
        return microseconds(when, local, _rounds_up(value, when) if len(value) > 22 else 0)

    return read


def _rarely(text: str) -> datetime:
    """The date and time of a text in one of the forms that Python does not read.

    Raises:
        ValueError: It has none of them.
        OverflowError: It is after the year 9999.
    """
    if len(text) > _LONGEST:
        raise ValueError("it is too long")
    zone = None
    if zoned := _ZONED.fullmatch(text):
        from limecep.intake.stamps import zone_of

        text, zone = zoned[1], zone_of(zoned[2])
    if ordinal := _ORDINAL.match(text):
        day = date(int(ordinal[1]), 1, 1) + timedelta(days=int(ordinal[2]) - 1)
        if day.year != int(ordinal[1]):
            raise ValueError("the year has no such day")
        text = day.isoformat() + text[ordinal.end() :]
    more = timedelta(0)
    if midnight := _MIDNIGHT.fullmatch(text):
        text, more = f"{midnight[1]}00{midnight[2]}", timedelta(days=1)
    elif leap := _LEAP.fullmatch(text):
        text, more = f"{leap[1]}59{leap[2]}", timedelta(seconds=1)
    when = datetime.fromisoformat(text) + more
    if zone is None:
        return when
    if when.tzinfo is not None:
        raise ValueError("it has two zones")
    return when.replace(tzinfo=zone)


def _rounds_up(text: str, when: datetime) -> int:
    """1 if the decimals beyond microseconds round up, half to even; else 0."""
    beyond = _BEYOND_MICROSECONDS.search(text)
    if beyond is None:
        return 0
    half = "5".ljust(len(beyond[1]), "0")
    return int(beyond[1] > half or (beyond[1] == half and when.microsecond % 2 == 1))
