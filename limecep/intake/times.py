"""Reading times: text and numbers to microseconds since 1970-01-01 UTC, exactly.

Decimals are converted exactly or rounded half to even, never through a binary fraction of our own making.

Local times that a change of the clocks gives twice mean the first of the two; those that it skips are read
with the offset before the change, so they come out as far after it as they were meant to be.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any
from zoneinfo import ZoneInfo

from limecep.contracts.codec import Spelled
from limecep.problems import suggestion

#: Microseconds in a unit of each numeric format, as a power of ten.
EPOCHS: dict[str, int] = {"epoch_s": 6, "epoch_ms": 3, "epoch_us": 0, "epoch_ns": -3}

#: The named formats; any other is a strptime text.
FORMATS: tuple[str, ...] = ("iso8601", *EPOCHS)

#: The first and the last instant: the years 1 to 9999 in UTC.
EARLIEST = -62_135_596_800_000_000
LATEST = 253_402_300_799_999_999

#: Turns a value of a record into microseconds.
TimeReader = Callable[[Any], int]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)
_NUMBER_LENGTH = 64
_BEYOND_MICROSECONDS = re.compile(r"[.,]\d{6}(\d+)", re.ASCII)
#: Holds every number of that length without rounding.
_EXACT = Context(prec=2 * _NUMBER_LENGTH, rounding=ROUND_HALF_EVEN, traps=[])
_FAR = 10**30
_OUT_OF_RANGE = "is out of range: not in the years 1 to 9999"


class Unreadable(ValueError):
    """A value that cannot be read, in words for the user that go on after the field's name."""


class Inexact(Exception):
    """A float does not tell the instant: how the number was spelled decides."""


def time_problem(format: str, zone: str | None) -> str:
    """What is wrong with a format or a zone, in words for the user; "" if nothing is."""
    if format not in FORMATS:
        if "%" not in format:
            return f"unknown time format '{format}': {suggestion(format, FORMATS)} or a strptime text"
        if "%Z" in format:
            return "%Z does not say an offset: use %z, or give 'zone'"
        if not re.search("%[YyGcx]", format):
            return f"the time format '{format}' has no year"
        try:
            datetime.strptime("", format)
        except (ValueError, re.error) as error:
            if "does not match" not in str(error):
                return f"'{format}' is no strptime text: {error}"
    if zone is not None:
        try:
            _zone(zone)
        except (ValueError, OSError, LookupError):
            return f"unknown time zone '{zone}': an IANA name such as Europe/Athens, or UTC"
    return ""


def time_reader(format: str, zone: str | None) -> TimeReader:
    """A function that reads values of a format; it raises `Unreadable`, or `Inexact` for some floats.

    `format` and `zone` are such that `time_problem` finds nothing.
    """
    if format in EPOCHS:
        return _epoch_reader(EPOCHS[format], format.removeprefix("epoch_"))
    local = _zone(zone) if zone is not None else None
    return _iso_reader(local) if format == "iso8601" else _strptime_reader(format, local)


def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def _epoch_reader(power: int, unit: str) -> TimeReader:
    factor = 10 ** max(power, 0)
    half = 0.5 / 10.0**power

    def read(value: Any) -> int:
        if type(value) is int:
            t = value * factor if power >= 0 else _scaled(Decimal(value), power)
        elif type(value) is float and math.isfinite(value):
            number = Decimal(repr(value))
            t = _scaled(number, power)
            # A float that is a whole number of microseconds, and less than half of one away from whatever
            # else may have been spelled, is sure.
            if abs(value) * 2**-52 >= half or number.scaleb(power) != t:
                raise Inexact
        elif type(value) is str and len(value) < 20 and value.isdecimal() and value.isascii():
            t = int(value) * factor if power >= 0 else _scaled(Decimal(value), power)
        elif isinstance(value, str) and len(value) <= _NUMBER_LENGTH and _NUMBER.fullmatch(value.strip()):
            t = _scaled(_EXACT.create_decimal(value.strip()), power)
        else:
            raise Unreadable(f"is not a number of {unit}: {_shown(value)}")
        if EARLIEST <= t <= LATEST:
            return t
        raise Unreadable(_OUT_OF_RANGE)

    return read


def _scaled(number: Decimal, power: int) -> int:
    """The number times ten to the power, rounded half to even; what is far out of range only roughly."""
    size = number.adjusted() + power
    if not number or size < -2:
        return 0
    if size > 30:
        return -_FAR if number.is_signed() else _FAR
    return int(number.scaleb(power, _EXACT).to_integral_value(context=_EXACT))


def _iso_reader(local: tzinfo | None) -> TimeReader:
    parse = datetime.fromisoformat

    def read(value: Any) -> int:
        if type(value) is not str:
            if isinstance(value, (int, float, Spelled)) and not isinstance(value, bool):
                raise Unreadable(f"is the number {value}: say its unit, such as format: epoch_ms")
            raise Unreadable(f"is not a time in ISO 8601: {_shown(value)}")
        try:
            when = parse(value)
        except ValueError:
            try:
                when = parse(_tidy(value))
            except ValueError:
                raise Unreadable(f"is not a time in ISO 8601: {_shown(value)}") from None
        # datetime cuts off what is beyond microseconds; no shorter text has such.
        return _microseconds(when, local, _rounds_up(value, when) if len(value) > 22 else 0)

    return read


def _tidy(text: str) -> str:
    text = text.strip()
    return text[:-1] + "Z" if text.endswith("z") else text


def _rounds_up(text: str, when: datetime) -> int:
    """1 if the decimals beyond microseconds round up, half to even; else 0."""
    beyond = _BEYOND_MICROSECONDS.search(text)
    if beyond is None:
        return 0
    half = "5".ljust(len(beyond[1]), "0")
    return int(beyond[1] > half or (beyond[1] == half and when.microsecond % 2 == 1))


def _strptime_reader(format: str, local: tzinfo | None) -> TimeReader:
    def read(value: Any) -> int:
        # A stamp such as 20260105 may come as a number.
        text = str(value) if type(value) is int else value
        if type(text) is not str:
            raise Unreadable(f"is not a time like '{format}': {_shown(value)}")
        try:
            when = datetime.strptime(text.strip(), format)
        except ValueError:
            raise Unreadable(f"is not a time like '{format}': {_shown(value)}") from None
        return _microseconds(when, local)

    return read


def _microseconds(when: datetime, local: tzinfo | None, up: int = 0) -> int:
    if when.tzinfo is None:
        if local is None:
            raise Unreadable("has no time zone: give the source's time a 'zone', such as UTC")
        when = when.replace(tzinfo=local)
    t = (when - _EPOCH) // _MICROSECOND + up
    if EARLIEST <= t <= LATEST:
        return t
    raise Unreadable(_OUT_OF_RANGE)


def _shown(value: Any) -> str:
    text = repr(str(value)) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
