"""A part of a lane as conditions read it: its aggregates cost the same however many events it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from limecep.plan.values import attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.model.event import Event
    from limecep.plan.bounds import Bound
    from limecep.plan.series import Series


class Book:
    """A list of events that grows at its end, with the series of the attributes that were asked for, from a
    place on.
    """

    __slots__ = ("_series", "begin", "events")

    def __init__(self, events: list[Event], begin: int = 0) -> None:
        self.begin = begin
        self.events = events
        self._series: dict[tuple[str, ...], Series] = {}

    def series(self, path: tuple[str, ...], stop: int) -> Series:
        """The series of an attribute, which knows all events before a place."""
        series = self._series.get(path)
        if series is None:
            from limecep.plan.series import Series  # Most conditions ask for none.

            series = self._series[path] = Series(self.events, path, self.begin)
        series.catch_up(stop)
        return series

    def within(
        self, bounds: Sequence[tuple[tuple[str, ...], Bound]], starts: Sequence[int], stop: int
    ) -> Sequence[int]:
        """Of some starts, ascending, those from which ranges up to a place may be beyond all bounds, each of
        an attribute. So of many ranges that end together few have to be looked at."""
        for path, bound in bounds:
            if not starts:
                break
            begin = self.begin
            known = self.series(path, stop).limit(bound, starts[0] - begin, stop - begin)
            if known is not None:
                values, limit = known
                starts = [start for start in starts if values[start - begin] <= limit]
        return starts


class Stretch(Sequence["Event"]):
    """The events of a book from `start` to `stop` (not included), as a sequence for conditions.

    Its aggregates, by their names in queries, give what those of the events would.
    """

    __slots__ = ("book", "start", "stop")

    def __init__(self, book: Book, start: int, stop: int) -> None:
        self.book = book
        self.start = start
        self.stop = stop

    def __len__(self) -> int:
        return self.stop - self.start

    @overload
    def __getitem__(self, place: int) -> Event: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Event]: ...

    def __getitem__(self, place: int | slice) -> Event | Sequence[Event]:
        if isinstance(place, slice):
            return self.book.events[self.start : self.stop][place]
        at = place + (self.stop if place < 0 else self.start)
        if not self.start <= at < self.stop:
            raise IndexError(place)
        return self.book.events[at]

    def __iter__(self) -> Iterator[Event]:
        return iter(self.book.events[self.start : self.stop])

    def over_count(self, path: tuple[str, ...]) -> int:
        """How many have the attribute."""
        book = self.book
        return book.series(path, self.stop).count(self.start - book.begin, self.stop - book.begin)

    def over_sum(self, path: tuple[str, ...]) -> int | float | None:
        """The sum of the attribute."""
        book = self.book
        return book.series(path, self.stop).sum(self.start - book.begin, self.stop - book.begin)

    def over_avg(self, path: tuple[str, ...]) -> float | None:
        """The average of the attribute."""
        book = self.book
        return book.series(path, self.stop).avg(self.start - book.begin, self.stop - book.begin)

    def over_collect(self, path: tuple[str, ...]) -> list[Any]:
        """The values of the attribute."""
        book = self.book
        return book.series(path, self.stop).collect(self.start - book.begin, self.stop - book.begin)

    def over_column(self, path: tuple[str, ...]) -> list[Any]:
        """The attribute of each, None where it is missing."""
        return [attribute(e, path) for e in self]

    def over_min(self, path: tuple[str, ...]) -> Any:
        """The least of the attribute."""
        book = self.book
        return book.series(path, self.stop).min(self.start - book.begin, self.stop - book.begin)

    def over_max(self, path: tuple[str, ...]) -> Any:
        """The greatest of the attribute."""
        book = self.book
        return book.series(path, self.stop).max(self.start - book.begin, self.stop - book.begin)
