"""Times read by a format that a plugin brings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from limecep.contracts.shown import shown
from limecep.errors import ContractBreach
from limecep.intake.times import Unreadable
from limecep.model.time import EARLIEST, LATEST

if TYPE_CHECKING:
    from limecep.contracts.time import TimeFormat
    from limecep.intake.times import TimeReader

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def brought_reader(name: str, format: TimeFormat) -> TimeReader:
    """A function that reads values of a format; it raises `Unreadable`.

    Args:
        name: What the format is called, for messages.
        format: Reads them. What it should not raise goes on as it is; what it should not give is a
            `ContractBreach`.
    """
    own = format.read

    def read(value: Any) -> int:
        try:
            given = own(value)
        except ValueError as error:
            raise Unreadable(f"is no time of the format '{name}': it {error}") from None
        if isinstance(given, datetime):
            if given.tzinfo is None:
                raise ContractBreach(format, f"gives {shown(given)} for {shown(value)}, which has no zone")
            given = (given - _BEGIN) // _MICROSECOND
        if type(given) is not int:
            what = f"gives {shown(given)} for {shown(value)}, neither whole microseconds nor a datetime"
            raise ContractBreach(format, what)
        if EARLIEST <= given <= LATEST:
            return given
        # Whose mistake it is, the record's or the format's, shows what was read.
        what = f"{shown(given, 40)} microseconds as the format '{name}' reads {shown(value, 40)}"
        raise Unreadable(f"is {what}: not in the years 1 to 9999")

    return read
