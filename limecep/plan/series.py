"""Series: sums, counts and extremes of an attribute over any part of a list of events, at the same cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.plan.aggregates import AGGREGATES, collected, ratio
from limecep.plan.bounds import SHIFT, UNIT
from limecep.plan.values import attribute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.plan.bounds import Bound

#: Integers up to here are floats, too.
_EXACT = 1 << 53
_INFINITE = float("inf")


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
                exact += value << SHIFT
            elif kind is float and value - value == 0:
                numerator, denominator = value.as_integer_ratio()
                odd = denominator > UNIT
                exact += 0 if odd else numerator * (UNIT // denominator)
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
            return exact >> SHIFT
        try:
            # Rounded once, as `math.fsum` rounds.
            return exact / UNIT
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
