"""Another time of day: Python does what it is told, and the wall clock shows what it is told, too.

    python -m limecep.testing.wall_clock START STEP -m MODULE ARGUMENTS...

START is in seconds since 1970 UTC. The clock goes on by STEP seconds whenever it is read, and stands still
meanwhile. What measures how long something takes is left alone.
"""

from __future__ import annotations

import datetime
import importlib
import runpy
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: What a wall clock may show first, and by how much it goes on whenever it is read, in seconds: a Tuesday
#: night when it stands still, and a Saturday afternoon.
NIGHT, DAY = (1_930_356_620.0, 0.0), (1_981_561_551.25, 1.61)
#: Imported before the clock is set: none of these reads it, and some take no other class for `datetime`.
_BEFORE = tuple(f"limecep.testing.{name}" for name in ("engine", "lateness", "recompute", "results", "slack"))


def set_clock(start: float, step: float) -> None:
    """Sets the wall clock of this process, as code sees it that is imported from now on, or that reads it by
    the modules `time` and `datetime`.

    Args:
        start: What it shows first, in seconds since 1970 UTC.
        step: By how much it goes on whenever it is read, in seconds.
    """
    shown = [start]

    def now() -> float:
        shown[0] += step
        return shown[0] - step

    def told(tell: Callable[..., Any]) -> Callable[..., Any]:
        return lambda at=None: tell(now() if at is None else at)

    strftime, asctime, localtime, gmtime, ctime = (
        time.strftime, time.asctime, time.localtime, time.gmtime, time.ctime,
    )  # fmt: skip
    changed: dict[str, Any] = {
        "time": now,
        "time_ns": lambda: round(now() * 1_000_000_000),
        "localtime": told(localtime),
        "gmtime": told(gmtime),
        "ctime": told(ctime),
        "asctime": lambda at=None: asctime(localtime(now()) if at is None else at),
        "strftime": lambda form, at=None: strftime(form, localtime(now()) if at is None else at),
    }
    for name, function in changed.items():
        setattr(time, name, function)
    real: Any = datetime.datetime
    day: Any = datetime.date

    class Like(type):
        """Takes what is of the class itself for one of its own."""

        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, cls.__mro__[1])

        def __subclasscheck__(cls, other: type) -> bool:
            return issubclass(other, cls.__mro__[1])

    class Shown(real, metaclass=Like):  # type: ignore[misc]
        """Gives datetimes as ever, and another now."""

        def __new__(cls, *given: Any, **more: Any) -> Any:
            return real(*given, **more)

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return real.fromtimestamp(now(), tz)

        @classmethod
        def today(cls) -> Any:
            return real.fromtimestamp(now())

        @classmethod
        def utcnow(cls) -> Any:
            return real.fromtimestamp(now(), datetime.UTC).replace(tzinfo=None)

    class ShownDay(day, metaclass=Like):  # type: ignore[misc]
        """Gives dates as ever, and another today."""

        def __new__(cls, *given: Any, **more: Any) -> Any:
            return day(*given, **more)

        @classmethod
        def today(cls) -> Any:
            return day.fromtimestamp(now())

    datetime.datetime, datetime.date = Shown, ShownDay  # type: ignore[misc]


def main(start: str, step: str, how: str, what: str, *arguments: str) -> None:
    """Sets the clock, and does what Python would do with the rest of the arguments.

    Args:
        start, step: As of `set_clock`.
        how, what: `-m` and a module, or `-c` and code.
        arguments: Those of the module.
    """
    for name in _BEFORE:
        importlib.import_module(name)
    set_clock(float(start), float(step))
    sys.argv = [what, *arguments]
    if how == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})


def called(start: float, step: float, arguments: Sequence[str]) -> tuple[str, ...]:
    """The arguments of Python that do what others do, with another wall clock."""
    return "-m", "limecep.testing.wall_clock", str(start), str(step), *arguments


if __name__ == "__main__":
    main(*sys.argv[1:])
