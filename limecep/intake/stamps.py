"""Stamps of a given form: a strptime text, compiled to a regular expression once.

Python's own `strptime` has no milliseconds, leap seconds or midnight at 24:00, takes no more than six
decimals, and refuses 29 February where no year is given. It also takes twice the time.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH_NUMBERS = {name[:3]: number for number, name in enumerate(_MONTHS, 1)}
#: Days of a week that begins with Monday, 0.
_DAY_NUMBERS = {name[:3]: number for number, name in enumerate(_DAYS)}

#: What a directive stands for, in terms of others.
_SHORT = {
    "c": "%a %b %d %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "e": "%d",
    "F": "%Y-%m-%d",
    "h": "%b",
    "R": "%H:%M",
    "T": "%H:%M:%S",
    "X": "%H:%M:%S",
    "x": "%m/%d/%y",
}
_DIRECTIVES = {
    "A": "|".join(_DAYS),
    "a": "|".join(name[:3] for name in _DAYS),
    "B": "|".join(_MONTHS),
    "b": "|".join(name[:3] for name in _MONTHS),
    "d": r"3[01]|[12]\d|0[1-9]|[1-9]| [1-9]",
    "f": r"\d+",
    "G": r"\d{4}",
    "H": r"2[0-4]|[01]\d|\d| \d",
    "I": r"1[0-2]|0[1-9]|[1-9]| [1-9]",
    "j": r"36[0-6]|3[0-5]\d|[12]\d\d|0?[1-9]\d|0{0,2}[1-9]",
    "L": r"0*\d{1,3}",
    "M": r"[0-5]\d|\d",
    "m": r"1[0-2]|0[1-9]|[1-9]| [1-9]",
    "p": "am|pm",
    "S": r"60|[0-5]\d|\d",
    "U": r"5[0-3]|[0-4]\d|\d",
    "u": "[1-7]",
    "V": r"5[0-3]|[1-4]\d|0[1-9]|[1-9]",
    "W": r"5[0-3]|[0-4]\d|\d",
    "w": "[0-6]",
    "Y": r"\d{4}",
    "y": r"\d\d",
    "z": r"\s*(?:Z|UTC|GMT|[+-]\d\d:?[0-5]\d(?::?[0-5]\d)?)",
}
_YEARS = frozenset("YyG")
_WEEKDAYS = frozenset("aAuw")
_PART = re.compile(r"%(.?)|(\s+)", re.DOTALL)
#: How much longer than its form a stamp may be.
_ROOM = 100
_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)


class Form:
    """The form of a stamp.

    Args:
        format: A strptime text. `%L` is milliseconds of any length; `%f` takes any number of decimals.

    Attributes:
        directives: The letters it has.

    Raises:
        ValueError: It is none, in words for the user that go on after the text.
    """

    def __init__(self, format: str) -> None:
        self.directives: set[str] = set()
        self._expression = re.compile(self._pattern(format), re.ASCII | re.IGNORECASE)
        # With blanks in it, an expression takes its time to refuse a long text.
        self._longest = len(format) + _ROOM
        self._check()

    @property
    def has_year(self) -> bool:
        """Whether stamps say their year."""
        return not _YEARS.isdisjoint(self.directives)

    @property
    def has_day(self) -> bool:
        """Whether stamps say which day of a year it is."""
        found = self.directives
        return "j" in found or (not found.isdisjoint("mbB") and "d" in found) or "G" in found

    def read(self, text: str, year: int = 1900) -> datetime:
        """Return the date and time of a stamp, with its offset if the form has one. Decimals beyond
        microseconds are rounded, half to even.

        Args:
            text: The stamp.
            year: The year, where the form has none.

        Raises:
            ValueError: The text has not the form, or there is no such day.
            OverflowError: It is after the year 9999.
        """
        found = self._expression.fullmatch(text) if len(text) <= self._longest else None
        if found is None:
            raise ValueError("it has another form")
        given = found.groupdict()
        hour = int(given.get("H") or 0)
        if "I" in given:
            hour = int(given["I"]) % 12 + 12 * (given["p"].lower() == "pm")
        minute, second = int(given.get("M") or 0), int(given.get("S") or 0)
        micro = _microseconds(given.get("f"), given.get("L"))
        more = timedelta(0)
        if hour == 24:
            if minute or second or micro:
                raise ValueError("after 24:00 there is nothing")
            hour, more = 0, _DAY
        if second == 60:
            second, more = 59, _SECOND
        if micro == 1_000_000:
            micro, more = 0, more + _SECOND
        day = _date(given, year)
        zone = zone_of(given["z"]) if "z" in given else None
        when = datetime(day.year, day.month, day.day, hour, minute, second, micro, zone)
        return when + more if more else when

    def _pattern(self, format: str) -> str:
        """The format as a regular expression, with a group for each directive."""
        made, end = [], 0
        for part in _PART.finditer(format):
            made.append(re.escape(format[end : part.start()]))
            end = part.end()
            letter = part[1]
            if letter is None:
                made.append(r"\s+")
            elif letter == "%":
                made.append("%")
            elif letter in _SHORT:
                made.append(self._pattern(_SHORT[letter]))
            elif letter not in _DIRECTIVES:
                raise ValueError(f"%{letter} is no directive" if letter else "it ends with a %")
            elif letter in self.directives:
                raise ValueError(f"it has %{letter} twice")
            else:
                self.directives.add(letter)
                made.append(f"(?P<{letter}>{_DIRECTIVES[letter]})")
        made.append(re.escape(format[end:]))
        return "".join(made)

    def _check(self) -> None:
        """Finds what cannot be right."""
        found = self.directives
        weekday = not found.isdisjoint(_WEEKDAYS)
        for one, other in (("I", "p"), ("G", "V"), ("V", "G")):
            if one in found and other not in found:
                raise ValueError(f"%{one} needs %{other} beside it")
        if not weekday and (letters := found & frozenset("GUW")):
            raise ValueError(f"%{min(letters)} needs a day of the week, such as %u")
        if {"f", "L"} <= found:
            raise ValueError("it has both %f and %L")


def _microseconds(decimals: str | None, milliseconds: str | None) -> int:
    """Of `%f` or `%L`; up to a million."""
    if milliseconds is not None:
        return int(milliseconds) * 1000
    if decimals is None:
        return 0
    if len(decimals) <= 6:
        return int(decimals.ljust(6, "0"))
    whole, rest = int(decimals[:6]), decimals[6:]
    half = "5".ljust(len(rest), "0")
    return whole + int(rest > half or (rest == half and whole % 2 == 1))


def _date(given: dict[str, str], year: int) -> date:
    if "G" in given:
        return date.fromisocalendar(int(given["G"]), int(given["V"]), _weekday(given) + 1)
    if "Y" in given:
        year = int(given["Y"])
    elif "y" in given:
        # As POSIX has it.
        year = int(given["y"]) + (2000 if given["y"] < "69" else 1900)
    if "j" in given:
        day = date(year, 1, 1) + (int(given["j"]) - 1) * _DAY
        if day.year != year:
            raise ValueError("the year has no such day")
        return day
    if "U" in given or "W" in given:
        return _of_week(year, given)
    return date(year, _month(given), int(given.get("d") or 1))


def _month(given: dict[str, str]) -> int:
    if "m" in given:
        return int(given["m"])
    name = given.get("b") or given.get("B")
    return _MONTH_NUMBERS[name[:3].lower()] if name else 1


def _weekday(given: dict[str, str]) -> int:
    """That of a week that begins with Monday, 0."""
    if "u" in given:
        return int(given["u"]) - 1
    if "w" in given:
        return (int(given["w"]) - 1) % 7
    return _DAY_NUMBERS[(given.get("a") or given["A"])[:3].lower()]


def _of_week(year: int, given: dict[str, str]) -> date:
    """The day of a week of the year; week 1 begins with the first Sunday (`%U`) or Monday (`%W`)."""
    first, day = date(year, 1, 1), _weekday(given)
    if "U" in given:
        week, begins, day = int(given["U"]), (6 - first.weekday()) % 7, (day + 1) % 7
    else:
        week, begins = int(given["W"]), -first.weekday() % 7
    return first + (begins + 7 * (week - 1) + day) * _DAY


@lru_cache(100)
def zone_of(text: str) -> tzinfo:
    """The zone of an offset, such as `+0200`, `-03:30`, `Z` or `UTC`."""
    text = text.lstrip()
    if not text.startswith(("+", "-")):
        return UTC
    digits = text[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4]), seconds=int(digits[4:] or 0))
    return timezone(-offset if text[0] == "-" else offset)
