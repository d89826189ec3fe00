"""The year of stamps that have none."""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR, datetime, timedelta
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.intake.stamps import Form

_BEGIN = datetime(1970, 1, 1)
#: How far a stamp may be behind the latest one before it; what is further back is of the next year.
_BEHIND = timedelta(days=91)
#: How far a stamp may be ahead of its arrival; what is further ahead is of the year before.
_AHEAD = timedelta(days=31)
_YEAR = timedelta(days=365)


class Years:
    """Gives stamps of a form without year theirs.

    Args:
        form: The form.
        first: The year of the first stamp of each channel; those after it are of the year that brings them
            near the latest one so far. `arrival`: of the year that brings them near the time of arrival.
    """

    def __init__(self, form: Form, first: int | Literal["arrival"]) -> None:
        self._form = form
        self._first = first
        self._latest: dict[str, int] = {}
        self._channel = ""
        self._arrival: int | None = None

    def turn(self, channel: str, arrival: int | None) -> None:
        """Says where the next stamp stands, and when it arrived, in microseconds since 1970 UTC."""
        self._channel, self._arrival = channel, arrival

    def read(self, text: str) -> datetime:
        """Return the date and time of a stamp, as `Form.read`.

        Raises:
            ValueError: It has another form, or there is no such day in the year.
            OverflowError: It is not in the years 1 to 9999.
        """
        if self._first == "arrival":
            if self._arrival is None:
                raise ValueError("the year is that of the arrival, and there is none")
            return self._after(text, self._arrival, _YEAR - _AHEAD)
        latest = self._latest.get(self._channel)
        if latest is None:
            return self._form.read(text, self._first)
        return self._after(text, latest, _BEHIND)

    def note(self, t: int) -> None:
        """The stamp read last was this instant."""
        if self._first != "arrival":
            self._latest[self._channel] = max(t, self._latest.get(self._channel, t))

    def _after(self, text: str, t: int, behind: timedelta) -> datetime:
        """The first time that is no further than so much behind an instant."""
        earliest = _BEGIN + timedelta(microseconds=t) - behind
        for year in (earliest.year, earliest.year + 1):
            try:
                when = self._form.read(text, min(max(year, MINYEAR), MAXYEAR))
            except ValueError:
                # 29 February is not there every year.
                if year > earliest.year:
                    raise
                continue
            if when.replace(tzinfo=None) >= earliest:
                return when
        raise ValueError("no year near the times before it has such a day")

    def remembered(self) -> dict[str, int]:
        """What it has to know, as values of JSON, to go on in a later life of the pipeline."""
        return self._latest

    def recall(self, known: Mapping[str, int]) -> None:
        """Goes on from what was `remembered`."""
        self._latest.update(known)
