"""Reading times: text and numbers to microseconds since 1970-01-01 UTC, exactly."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

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
    # A stream has times of one format.
    if format in NUMERIC:
        from limecep.intake.epochs import epoch_reader, filetime_reader

        if format == "filetime":
            return filetime_reader()
        return epoch_reader(EPOCHS[format], format.removeprefix("epoch_"))
    local = None if zone is None else LocalTimes(zone)
    if format == "iso8601":
        from limecep.intake.iso8601 import iso_reader

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
    `limecep.intake.iso8601` reads besides is none of that form."""
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
            raise Unreadable(f"is not a time like '{format}': {shown(value)}")
        try:
            when = parse(text.strip())
        except ValueError:
            raise Unreadable(f"is not a time like '{format}': {shown(value)}") from None
        except OverflowError:
            raise Unreadable(OUT_OF_RANGE) from None
        return microseconds(when, local)

    return read


def microseconds(when: datetime, local: LocalTimes | None, up: int = 0) -> int:
    """The instant of a date and time, `up` microseconds later; `local` reads those without zone.

    Raises:
        Unreadable: There is no zone, or it is out of range.
    """
    if when.tzinfo is not None:
        t = (when - _BEGIN) // _MICROSECOND + up
    elif local is not None:
        t = local.instant(when) + up
    else:
        raise Unreadable("has no time zone: give the source's time a 'zone', such as UTC")
    if EARLIEST <= t <= LATEST:
        return t
    raise Unreadable(OUT_OF_RANGE)


def shown(value: Any) -> str:
    """A value in a message, shortened."""
    text = repr(str(value)) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
