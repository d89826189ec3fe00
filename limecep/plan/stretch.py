"""A part of a lane as conditions read it: its aggregates cost the same however many events it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from limecep.plan.aggregates import AGGREGATES, collected, ratio
from limecep.plan.values import attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.model.event import Event

#: Sums are kept as whole multiples of 2 ** -_SHIFT, so they are exact whatever is taken from them.
_SHIFT = 128
_UNIT = 1 << _SHIFT
#: Integers up to here are floats, too.
_EXACT = 1 << 53
_INFINITE = float("inf")


@dataclass(frozen=True, slots=True)
class Bound:
    """What a sum or an average is to be above, or below.

    Attributes:
        value: The bound, in multiples of 2 ** -128.
        average: Whether it is about the average.
        above: Whether it is to be above it, or equal.
    """

    value: int
    average: bool
    above: bool


class Series:
    """Prefix sums and extremes of one attribute over a list of events, from a place on, that grows at its
    end.

    What is no number, or a number of unusual size, is only counted: aggregates over it are made from the
    values.
    """

    __slots__ = (
        "_begin",
        "_events",
        "_exact",
        "_floats",
        "_lifted",
        "_odd",
        "_path",
        "_present",
        "_tables",
        "_values",
    )

    def __init__(self, events: Sequence[Event], path: tuple[str, ...], begin: int) -> None:
        self._begin = begin
        self._events = events
        self._path = path
        self._values: list[Any] = []
        self._present = [0]
        self._floats = [0]
        self._odd = [0]
        self._exact = [0]
        self._tables: dict[str, _Extremes] = {}
        self._lifted: dict[Bound, list[int]] = {}

    def catch_up(self, stop: int) -> None:
        """Takes in the events before a place that it does not know yet."""
        known = self._begin + len(self._values)
        if stop <= known:
            return
        for place in range(known, stop):
            value = attribute(self._events[place], self._path)
            kind = type(value)
            odd = 0
            exact = self._exact[-1]
            if kind is int and -_EXACT <= value <= _EXACT:
                exact += value << _SHIFT
            elif kind is float and value - value == 0:
                numerator, denominator = value.as_integer_ratio()
                odd = denominator > _UNIT
                exact += 0 if odd else numerator * (_UNIT // denominator)
            else:
                odd = value is not None
            self._values.append(value)
            self._present.append(self._present[-1] + (value is not None))
            self._floats.append(self._floats[-1] + (kind is float))
            self._odd.append(self._odd[-1] + odd)
            self._exact.append(exact)

    def count(self, start: int, stop: int) -> int:
        """How many values are present."""
        return self._present[stop] - self._present[start]

    def sum(self, start: int, stop: int) -> int | float | None:
        """As `limecep.plan.aggregates.total`."""
        if self._odd[stop] != self._odd[start]:
            found: int | float | None = AGGREGATES["sum"](self._values[start:stop])
            return found
        exact = self._exact[stop] - self._exact[start]
        if self._floats[stop] == self._floats[start]:
            return exact >> _SHIFT
        try:
            # Rounded once, as `math.fsum` rounds.
            return exact / _UNIT
        except OverflowError:
            return None

    def avg(self, start: int, stop: int) -> float | None:
        """As `limecep.plan.aggregates.average`."""
        return ratio(self.sum(start, stop), self._present[stop] - self._present[start])

    def limit(self, bound: Bound, start: int, stop: int) -> tuple[list[int], int] | None:
        """A list and a limit: only from the places from `start` on where the list is not above the limit the
        aggregate up to `stop` can be beyond a bound. None where values are not to be added up.
        """
        if self._odd[stop] != self._odd[start]:
            return None
        lifted = self._lifted.get(bound)
        if lifted is None:
            lifted = self._lifted[bound] = []
        sign = 1 if bound.above else -1
        each = bound.value if bound.average else 0
        for place in range(len(lifted), len(self._exact)):
            lifted.append(sign * (self._exact[place] - each * self._present[place]))
        # An average is rounded twice: that is less than one in 2 ** 50 of it.
        room = (abs(bound.value) * (stop - start) >> 50) + stop - start + 1
        return lifted, lifted[stop] - sign * (bound.value - each) + room

    def collect(self, start: int, stop: int) -> list[Any]:
        """As `limecep.plan.aggregates.collected`."""
        return collected(self._values[start:stop])

    def min(self, start: int, stop: int) -> Any:
        """The least value; None of nothing, and of values that do not compare."""
        return self._extreme("min", start, stop)

    def max(self, start: int, stop: int) -> Any:
        """The greatest value; None of nothing, and of values that do not compare."""
        return self._extreme("max", start, stop)

    def _extreme(self, which: str, start: int, stop: int) -> Any:
        if start >= stop:
            return None
        if self._odd[stop] != self._odd[start]:
            return AGGREGATES[which](self._values[start:stop])
        table = self._tables.get(which)
        if table is None:
            table = self._tables[which] = _Extremes(self._values, least=which == "min")
        return table.of(start, stop)


def scaled(value: float) -> int:
    """A finite number as the value of a bound."""
    numerator, denominator = value.as_integer_ratio()
    return numerator * _UNIT // denominator


class _Extremes:
    """The extremes of every 1, 2, 4, ... neighbours of a list that grows at its end: those of any part are
    the better of two."""

    __slots__ = ("_levels", "_pick", "_values", "_worst")

    def __init__(self, values: Sequence[Any], *, least: bool) -> None:
        self._values = values
        self._pick = min if least else max
        self._worst = _INFINITE if least else -_INFINITE
        self._levels: list[list[Any]] = [[]]

    def of(self, start: int, stop: int) -> Any:
        self._catch_up(stop)
        k = (stop - start).bit_length() - 1
        level = self._levels[k]
        found = self._pick(level[start], level[stop - (1 << k)])
        return None if found == self._worst else found

    def _catch_up(self, stop: int) -> None:
        levels, pick = self._levels, self._pick
        ground = levels[0]
        for place in range(len(ground), stop):
            value = self._values[place]
            # What is odd is never asked for.
            ground.append(value if type(value) in (int, float) and value == value else self._worst)
            k = 1
            while (1 << k) <= place + 1:
                if k == len(levels):
                    levels.append([])
                below = levels[k - 1]
                begin = place + 1 - (1 << k)
                levels[k].append(pick(below[begin], below[begin + (1 << (k - 1))]))
                k += 1


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

    def over_min(self, path: tuple[str, ...]) -> Any:
        """The least of the attribute."""
        book = self.book
        return book.series(path, self.stop).min(self.start - book.begin, self.stop - book.begin)

    def over_max(self, path: tuple[str, ...]) -> Any:
        """The greatest of the attribute."""
        book = self.book
        return book.series(path, self.stop).max(self.start - book.begin, self.stop - book.begin)
