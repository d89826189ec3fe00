"""Local times of a zone as instants, on the nights too when the clocks are changed.

A time that the clocks give twice means the first of the two unless `fold` says otherwise. One that they skip
is read with the offset before the change, so it comes out as far after it as it was meant to be.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.config.model import Fold

_BEGIN = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)
_HOUR = timedelta(hours=1)
#: How many days are remembered with their offset, and what stands for that of a day that is not.
_DAYS = 10_000
_UNKNOWN = -1


class LocalTimes:
    """Reads local times of one zone.

    Args:
        zone: An IANA name, or `UTC`.
        fold: What a time means that the clocks give twice. With `order`, readings of one owner go forward:
            one that does not is of the second pass, and so are those after it.

    Attributes:
        counts: `ambiguous_times`, how many times the clocks gave twice, and `skipped_times`.

    Raises:
        ValueError, OSError, LookupError: There is no such zone.
    """

    def __init__(self, zone: str, fold: Fold = "first") -> None:
        self.counts: Counter[str] = Counter()
        self._zone: tzinfo = UTC if zone == "UTC" else ZoneInfo(zone)
        self._fold = fold
        self._days: dict[int, int | None] = {}
        self._channel = self._owner = ""
        #: By channel the day of its last change, and of each owner its latest two readings that day.
        self._changes: dict[str, tuple[int, dict[str, tuple[int | None, int]]]] = {}

    def turn(self, channel: str, owner: str) -> None:
        """Says whose time is read next; only `fold: order` asks."""
        self._channel, self._owner = channel, owner

    def instant(self, when: datetime) -> int:
        """Return the instant of a date and time without zone, in microseconds since 1970 UTC."""
        day = when.toordinal()
        offset = self._days.get(day, _UNKNOWN)
        if offset == _UNKNOWN:
            offset = self._look(day)
        local = (when - _BEGIN) // _MICROSECOND
        if offset is not None:
            if self._changes:
                self._forget(day)
            return local - offset
        first, second = local - self._offset(when, 0), local - self._offset(when, 1)
        if first > second:
            self.counts["skipped_times"] += 1
            second = first
        elif first < second:
            self.counts["ambiguous_times"] += 1
        if self._fold == "order":
            return self._in_order(day, first, second)
        return second if self._fold == "second" else first

    def _look(self, day: int) -> int | None:
        """The offset of a day, in microseconds; None if the clocks are changed on it."""
        begin = datetime.fromordinal(day)
        found = {self._offset(begin + n * _HOUR, fold) for n in range(24) for fold in (0, 1)}
        offset = found.pop() if len(found) == 1 else None
        if len(self._days) >= _DAYS:
            self._days.clear()
        self._days[day] = offset
        return offset

    def _offset(self, when: datetime, fold: int) -> int:
        offset = when.replace(tzinfo=self._zone, fold=fold).utcoffset()
        assert offset is not None
        return offset // _MICROSECOND

    # -- fold: order -----------------------------------------------------------------------------------------

    def _in_order(self, day: int, first: int, second: int) -> int:
        """Which of the two goes forward from the latest reading of the owner."""
        known_day, readings = self._changes.get(self._channel, (day, {}))
        if known_day != day:
            readings = {}
        self._changes[self._channel] = day, readings
        before, last = readings.get(self._owner, (None, None))
        chosen = first
        if last is not None and second > first:
            # The time of the latest reading once more is a copy, unless this owner reports as seldom as the
            # clocks give it.
            again = first == last and (before is None or last - before >= second - first)
            if first < last or again:
                chosen = second
        # What comes late leaves the pass as it is.
        if last is None or chosen > last:
            readings[self._owner] = last, chosen
        elif chosen < last and (before is None or chosen > before):
            readings[self._owner] = chosen, last
        return chosen

    def _forget(self, day: int) -> None:
        """A channel is past the night of its last change."""
        known = self._changes.get(self._channel)
        if known is not None and day > known[0] + 1:
            del self._changes[self._channel]

    def remembered(self) -> dict[str, Any]:
        """What it has to know, as values of JSON, to go on in a later life of the pipeline."""
        return {"counts": self.counts, "changes": self._changes}

    def recall(self, known: Mapping[str, Any]) -> None:
        """Goes on from what was `remembered`."""
        self.counts.update(known["counts"])
        for channel, (day, readings) in known["changes"].items():
            self._changes[channel] = day, {owner: tuple(times) for owner, times in readings.items()}
