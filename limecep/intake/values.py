"""Values of programs: what conditions make of numbers, times and tables of other libraries.

Conditions know text, numbers, truth values, lists and dictionaries with text for keys. A value that is one of
these in another type is converted exactly; any other is refused. Nothing here imports the libraries.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any
from uuid import UUID

from limecep.encoding import DEPTH
from limecep.intake.fields import Unusable
from limecep.model.time import EARLIEST, LATEST

if TYPE_CHECKING:
    from limecep.intake.zones import LocalTimes

#: The types that conditions know, lists and dictionaries aside.
KNOWN: frozenset[type] = frozenset({str, int, float, bool, type(None)})

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
#: Decimals with more digits before the point are no numbers here.
_DIGITS = 1000


def plain(value: Any, local: LocalTimes | None = None, depth: int = 0) -> Any:
    """The value as conditions know it; the same object where they know it already.

    NaN, NaT and NA are None: a missing value. A datetime becomes text in UTC with six decimals, so that the
    order of text is the order of time; a date becomes text.

    Args:
        value: The value.
        local: Reads datetimes without a zone; None: there are none.
        depth: In how many lists and dictionaries it stands.

    Raises:
        Unusable: It cannot be converted exactly; in words that go on after the field's name.
    """
    kind = type(value)
    if kind in KNOWN:
        return None if kind is float and value != value else value
    if depth > DEPTH:
        raise Unusable("is nested too deeply")
    if kind is list or kind is tuple:
        return _listed(value, local, depth)
    if isinstance(value, dict):
        return _mapped(value, local, depth)
    if isinstance(value, Enum) and not isinstance(value, (int, str)):
        return plain(value.value, local, depth + 1)
    if isinstance(value, Decimal):
        return _of_decimal(value)
    if _is_missing(value):
        return None
    for known, convert in ((bool, bool), (int, int), (float, float), (str, str.__str__)):
        if isinstance(value, known):
            return convert(value)
    if isinstance(value, (date, time, timedelta)) or _is_numpy(value, "datetime64"):
        return _of_time(value, local)
    if isinstance(value, UUID):
        return str(value)
    if hasattr(value, "dtype") and hasattr(value, "item"):
        return _of_array(value, local, depth)
    if isinstance(value, (bytes, bytearray)):
        raise Unusable("is bytes: decode them to text")
    if isinstance(value, (set, frozenset)):
        raise Unusable("is a set, which has no order: give a list")
    raise Unusable(f"is a {_named(value)}, which no condition knows: give a number, text, a list or a dict")


def instant(value: Any, local: LocalTimes | None = None) -> int:
    """A datetime, of Python, numpy or pandas, in microseconds since 1970 UTC. Nanoseconds are rounded, half
    to even.

    Args:
        value: The datetime.
        local: Reads datetimes without a zone; None: there are none.

    Raises:
        Unusable: It is none, or has no zone.
    """
    if _is_missing(value):
        raise Unusable("is missing")
    if isinstance(value, datetime):
        beyond = getattr(value, "nanosecond", 0)
        when = value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value
        if when.tzinfo is not None:
            t = (when - _BEGIN) // _MICROSECOND
        elif local is not None:
            t = local.instant(when)
        else:
            raise Unusable(f"has no time zone, {value}: give the datetime a tzinfo, or say zone='UTC'")
    elif _is_numpy(value, "datetime64"):
        t, beyond = _of_datetime64(value)
        if local is None:
            raise Unusable(f"has no time zone, {value}: say zone='UTC' if it is UTC")
        if EARLIEST <= t <= LATEST:
            t = local.instant(_BEGIN.replace(tzinfo=None) + timedelta(microseconds=t))
    else:
        raise Unusable(f"is no datetime: {_shown(value)}")
    t += beyond > 500 or (beyond == 500 and t % 2)
    if EARLIEST <= t <= LATEST:
        return t
    raise Unusable("is out of range: a time is not in the years 1 to 9999")


def identity(value: Any) -> str:
    """The id of an event as text: text itself, an integer, or a UUID.

    Raises:
        Unusable: It is none of these.
    """
    given = plain(value)
    if type(given) is int:
        return str(given)
    if type(given) is str and not isinstance(value, (date, time)):
        return given
    raise Unusable(f"is no id: {_shown(value)}: give text or an integer")


def whole(value: Any) -> int:
    """An integer, also one of numpy.

    Raises:
        Unusable: It is none.
    """
    given = plain(value)
    if type(given) is int:
        return given
    raise Unusable(f"is no integer: {_shown(value)}")


def _listed(values: Any, local: LocalTimes | None, depth: int) -> list[Any]:
    found = [plain(v, local, depth + 1) for v in values]
    same = type(values) is list and all(a is b for a, b in zip(found, values, strict=True))
    return values if same else found


def _mapped(values: dict[Any, Any], local: LocalTimes | None, depth: int) -> dict[str, Any]:
    found = {}
    for name, value in values.items():
        if not isinstance(name, str):
            raise Unusable(f"has the key {name!r}, which is no text: rename it")
        found[str.__str__(name)] = plain(value, local, depth + 1)
    same = type(values) is dict and all(found[name] is value for name, value in values.items())
    return values if same else found


def _of_decimal(value: Decimal) -> int | float | None:
    """An integer, or the float that is spelled alike: 0.1 is what JSON's 0.1 is."""
    if value.is_nan():
        return None
    if value.is_finite() and value.adjusted() < _DIGITS:
        if value == value.to_integral_value():
            return int(value)
        number = float(value)
        if Decimal(repr(number)) == value:
            return number
    raise Unusable(f"is the decimal {value}, which no float holds exactly: round it, or give it as text")


def _of_time(value: Any, local: LocalTimes | None) -> str:
    if isinstance(value, (timedelta, time)):
        hint = "give seconds, value.total_seconds()" if isinstance(value, timedelta) else "give it as text"
        raise Unusable(f"is a {_named(value)}, which no condition knows: {hint}")
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    t = instant(value, local)
    when = _BEGIN + timedelta(microseconds=t)
    return f"{when.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def _of_datetime64(value: Any) -> tuple[int, int]:
    """Microseconds, and the nanoseconds beyond."""
    if "[ns]" in value.dtype.str:
        return divmod(int(value.astype("int64")), 1000)
    if any(unit in value.dtype.str for unit in ("[ps]", "[fs]", "[as]")):
        raise Unusable(f"is finer than nanoseconds: {value}")
    return int(value.astype("datetime64[us]").astype("int64")), 0


def _of_array(value: Any, local: LocalTimes | None, depth: int) -> Any:
    """Of numpy: a scalar, or an array as a list."""
    if getattr(value, "ndim", 0):
        return [plain(v, local, depth + 1) for v in value]
    number = value.item()
    if type(number) in KNOWN:
        return plain(number)
    raise Unusable(f"is a {_named(value)}, which no condition knows: give an integer or a float")


def _is_numpy(value: Any, name: str) -> bool:
    kind = type(value)
    return kind.__module__ == "numpy" and kind.__name__ == name


def _is_missing(value: Any) -> bool:
    """Whether it is NaN, NaT or NA, of whatever library."""
    if type(value).__name__ in ("NAType", "NaTType"):
        return True
    if getattr(value, "ndim", 0):
        return False
    return isinstance(value, float) or _is_numpy(value, "datetime64") if value != value else False


def _named(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
