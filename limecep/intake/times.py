"""Reading times: text and numbers to microseconds since 1970-01-01 UTC, exactly.

Decimals are converted exactly or rounded half to even, never through a binary fraction of our own making.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any

from limecep.contracts.codec import Spelled
from limecep.intake.zones import LocalTimes
from limecep.model.time import EARLIEST, LATEST
from limecep.problems import suggestion

#: Microseconds in a unit of each format that counts from 1970 on, as a power of ten.
EPOCHS: dict[str, int] = {"epoch_s": 6, "epoch_ms": 3, "epoch_us": 0, "epoch_ns": -3}

#: The formats that are numbers: `filetime` is Windows', units of 100 ns since 1601.
NUMERIC: tuple[str, ...] = (*EPOCHS, "filetime")

#: The named formats; any other is a strptime text.
FORMATS: tuple[str, ...] = ("iso8601", *NUMERIC)

#: Turns a value of a record into microseconds.
TimeReader = Callable[[Any], int]
#: Turns many values into microseconds, each as a `TimeReader` does, which it raises the exceptions of.
TimesReader = Callable[[list[Any]], list[int]]

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
#: From 1601 to 1970.
_WINDOWS_US = 11_644_473_600_000_000
#: What people call a format, by what it is called here.
_MEANT = {
    "epoch_s": ("s", "sec", "secs", "second", "seconds", "unix", "epoch", "posix", "unixtime", "timestamp"),
    "epoch_ms": ("ms", "milli", "millis", "millisecond", "milliseconds", "unix_ms", "epoch_millis"),
    "epoch_us": ("us", "micro", "micros", "microsecond", "microseconds", "unix_us", "epoch_micros"),
    "epoch_ns": ("ns", "nano", "nanos", "nanosecond", "nanoseconds", "unix_ns", "epoch_nanos"),
    "filetime": ("windows", "win32", "ntfs", "ldap", "nt"),
    "iso8601": ("iso", "iso_8601", "rfc3339", "rfc_3339"),
}
_CALLED = {called: format for format, names in _MEANT.items() for called in names}
_MICROSECOND = timedelta(microseconds=1)
_ZONE_SIGNS = frozenset("Z+-")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)
_NUMBER_LENGTH = 64
_BEYOND_MICROSECONDS = re.compile(r"[.,]\d{6}(\d+)", re.ASCII)
#: Longer texts are no times; expressions with blanks in them would take their time to find that out.
_LONGEST = 100
#: Forms of ISO 8601 that Python does not read: a blank before the zone, UTC by name; days of a year; midnight
#: at the end of a day; leap seconds.
_ZONED = re.compile(r"(.*?)\s*(Z|UTC|GMT|\s[+-]\d\d:?\d\d)", re.ASCII | re.IGNORECASE)
_ORDINAL = re.compile(r"(\d{4})-?(\d{3})(?![\d-])", re.ASCII)
_MIDNIGHT = re.compile(r"(.{8,10}[T ])24((?::?00){0,2}(?:[.,]0+)?(?:[+-].*|Z)?)", re.ASCII | re.IGNORECASE)
_LEAP = re.compile(r"(.{8,10}[T ]\d\d:?[0-5]\d:?)60((?:[.,+-].*|Z)?)", re.ASCII | re.IGNORECASE)
#: Holds every number of that length without rounding.
_EXACT = Context(prec=2 * _NUMBER_LENGTH, rounding=ROUND_HALF_EVEN, traps=[])
_FAR = 10**30
OUT_OF_RANGE = "is out of range: not in the years 1 to 9999"


class Unreadable(ValueError):
    """A value that cannot be read, in words for the user that go on after the field's name."""


class Inexact(Exception):
    """A float does not tell the instant: how the number was spelled decides."""


def time_problem(format: str, zone: str | None, *, dated: bool = False, brought: Sequence[str] = ()) -> str:
    """What is wrong with a format or a zone, in words for the user; "" if nothing is. `dated` says that the
    year of stamps is known from elsewhere; `brought` names formats of plugins."""
    if format not in FORMATS:
        if "%" not in format:
            meant = _CALLED.get(format.lower().replace("-", "_"))
            hint = f"did you mean '{meant}'?" if meant else suggestion(format, (*FORMATS, *brought))
            return f"unknown time format '{format}': {hint} or a strptime text"
        if "%Z" in format:
            return "%Z does not say an offset: use %z, or give 'zone'"
        from limecep.intake.stamps import Form

        try:
            form = Form(format)
        except ValueError as error:
            return f"'{format}' is no strptime text: {error}"
        if not dated and not form.has_year:
            return f"the time format '{format}' has no year"
        if dated and not form.has_day:
            return f"the time format '{format}' has no day of the year"
    if zone is not None:
        try:
            LocalTimes(zone)
        except (ValueError, OSError, LookupError):
            return f"unknown time zone '{zone}': an IANA name such as Europe/Athens, or UTC"
    return ""


def time_reader(format: str, zone: str | None) -> TimeReader:
    """A function that reads values of a format; it raises `Unreadable`, or `Inexact` for some floats.

    `format` and `zone` are such that `time_problem` finds nothing. Stamps have their year.
    """
    if format in EPOCHS:
        return _epoch_reader(EPOCHS[format], format.removeprefix("epoch_"))
    if format == "filetime":
        return _since_1601(_epoch_reader(-1, "100 ns"))
    local = None if zone is None else LocalTimes(zone)
    if format == "iso8601":
        return iso_reader(local)
    from limecep.intake.stamps import Form

    return form_reader(format, Form(format).read, local)


def times_reader(format: str, read: TimeReader) -> TimesReader:
    """A function that reads many values of a format. `read` reads one, and remembers nothing of it."""
    power = EPOCHS.get(format, -1)
    factor = 10 ** max(power, 0)

    def read_all(values: list[Any]) -> list[int]:
        times: list[int] = []
        if power >= 0 and (numbers := whole_numbers(values)) is not None:
            times = [number * factor for number in numbers]
        elif format == "iso8601" and _are_plain_stamps(values):
            with contextlib.suppress(ValueError):
                times = [(when - _BEGIN) // _MICROSECOND for when in map(datetime.fromisoformat, values)]
        if times and min(times) >= EARLIEST and max(times) <= LATEST:
            return times
        return [read(value) for value in values]

    return read_all


def _are_plain_stamps(values: list[Any]) -> bool:
    """Whether values have the form of `2026-01-05T10:00:00Z`, with 3, 6 or no decimals, and any offset: what
    `iso_reader` reads besides is none of that form."""
    if set(map(type, values)) != {str}:
        return False
    for width in set(map(len, values)):
        text = "".join([value for value in values if len(value) == width])
        if not 20 <= width <= 32 or set(text[16::width]) != {":"}:
            return False
        # What is behind the sign is too short for decimals of its own.
        signs = [place for place in (19, 23, 26) if place < width <= place + 6]
        if not any(set(text[place::width]) <= _ZONE_SIGNS for place in signs):
            return False
    return True


def whole_numbers(values: list[Any]) -> list[int] | None:
    """Values that are all integers, or all text of fewer than 20 digits; None where they are not."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return values
    if kinds != {str}:
        return None
    lengths, text = set(map(len, values)), "".join(values)
    plain = 0 not in lengths and max(lengths) < 20 and text.isascii() and text.encode().isdigit()
    return list(map(int, values)) if plain else None


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
        raise Unreadable(OUT_OF_RANGE)

    return read


def _since_1601(read: TimeReader) -> TimeReader:
    """Windows counts from 1601 on, and not before."""

    def read_filetime(value: Any) -> int:
        t = read(value)
        if t < 0:
            raise Unreadable(OUT_OF_RANGE)
        return t - _WINDOWS_US

    return read_filetime


def _scaled(number: Decimal, power: int) -> int:
    """The number times ten to the power, rounded half to even; what is far out of range only roughly."""
    size = number.adjusted() + power
    if not number or size < -2:
        return 0
    if size > 30:
        return -_FAR if number.is_signed() else _FAR
    return int(number.scaleb(power, _EXACT).to_integral_value(context=_EXACT))


def iso_reader(local: LocalTimes | None) -> TimeReader:
    """A function that reads ISO 8601; `local` reads times without zone."""
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
                when = _rarely(value.strip())
            except ValueError:
                raise Unreadable(f"is not a time in ISO 8601: {_shown(value)}") from None
            except OverflowError:
                raise Unreadable(OUT_OF_RANGE) from None
        if when.tzinfo is None and len(value) > 8 and value.isdecimal():
            # Python takes 17 digits and more for a date, a time and a fraction.
            raise Unreadable(f"is the number {_shown(value)}: say its unit, such as format: epoch_ms")
        # datetime cuts off what is beyond microseconds; no shorter text has such.
        return _microseconds(when, local, _rounds_up(value, when) if len(value) > 22 else 0)

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


def form_reader(format: str, parse: Callable[[str], datetime], local: LocalTimes | None) -> TimeReader:
    """A function that reads stamps of a strptime text.

    Args:
        format: The text, for messages.
        parse: Gives the date and time, as `Form.read`.
        local: Reads times without zone.
    """

    def read(value: Any) -> int:
        # A stamp such as 20260105 may come as a number.
        text = str(value) if type(value) is int else value
        if type(text) is not str:
            raise Unreadable(f"is not a time like '{format}': {_shown(value)}")
        try:
            when = parse(text.strip())
        except ValueError:
            raise Unreadable(f"is not a time like '{format}': {_shown(value)}") from None
        except OverflowError:
            raise Unreadable(OUT_OF_RANGE) from None
        return _microseconds(when, local)

    return read


def _microseconds(when: datetime, local: LocalTimes | None, up: int = 0) -> int:
    if when.tzinfo is not None:
        t = (when - _BEGIN) // _MICROSECOND + up
    elif local is not None:
        t = local.instant(when) + up
    else:
        raise Unreadable("has no time zone: give the source's time a 'zone', such as UTC")
    if EARLIEST <= t <= LATEST:
        return t
    raise Unreadable(OUT_OF_RANGE)


def _shown(value: Any) -> str:
    text = repr(str(value)) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
