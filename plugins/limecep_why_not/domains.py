"""Values that are worth trying for an attribute: those at which a comparison may turn."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from limecep.model.expression import Constant
from limecep.model.walk import walk
from limecep.plan.values import attribute
from limecep_why_not.changes import MISSING, difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.model.expression import Expression
    from limecep_why_not.changes import Path

#: Values of one attribute are told apart to so many decimals at most.
MOST_DECIMALS = 6
#: So many steps of the grid are tried on either side of a value, one by one; beyond them it is doubled.
STEPS = 32
_DOUBLED = 40
#: A grid of at most so many values is tried as a whole for an attribute of an added event.
_WHOLE_GRID = 40
#: Beyond those that are compared so many values are tried on either side, each twice as far as the last.
_BEYOND = 12
#: What a group counts may be compared, too.
_COUNTS = (0, 1, 2, 3)
#: So many events are looked at for the decimals of an attribute.
_SAMPLE = 1000

_NUMBERS = (int, float)


class Domains:
    """The values worth trying.

    Args:
        expressions: What the conditions say.
        events: Events whose values say how fine the grid of an attribute is.
    """

    def __init__(self, expressions: Iterable[Expression], events: Sequence[Event]) -> None:
        found = [n.value for e in expressions for n in walk(e) if isinstance(n, Constant)]
        self._constants = [v for v in found if v is not None]
        self._least = max((_decimals(v) for v in self._constants), default=0)
        self._events = events[:: max(1, len(events) // _SAMPLE)]
        self._known: dict[Path, int] = {}
        self._medians: dict[Path, float | None] = {}

    def decimals(self, path: Path) -> int:
        """How many decimals the values of an attribute have."""
        if path not in self._known:
            values = (attribute(e, path) for e in self._events)
            self._known[path] = max((_decimals(v) for v in values), default=0)
        return min(MOST_DECIMALS, max(self._least, self._known[path]))

    def others(self, path: Path, old: Any, beside: Iterable[Any]) -> list[Any]:
        """Values in the place of one, the least different first.

        Args:
            path: The attribute.
            old: Its value.
            beside: Values that it may be compared with.
        """
        near = self._around(path, [*self._constants, *beside])
        if type(old) in _NUMBERS:
            unit = 10.0 ** -self.decimals(path)
            away = [*range(1, STEPS + 1), *(2**n for n in range(6, _DOUBLED))]
            near += [self._on_grid(path, old + sign * n * unit) for n in away for sign in (1, -1)]
        near = [v for v in [*_distinct(near), MISSING] if not same(v, old)]
        return sorted(near, key=lambda v: (difference(old, v), _apart(old, v)))

    def free(self, path: Path, beside: Iterable[Any]) -> list[Any]:
        """Values for an attribute of an added event; `MISSING` last."""
        near = self._around(path, [*self._constants, *beside])
        numbers = sorted([*_COUNTS, *(v for v in near if type(v) in _NUMBERS)])
        unit = 10.0 ** -self.decimals(path)
        low, high = numbers[0] - unit, numbers[-1] + unit
        if (high - low) / unit <= _WHOLE_GRID:
            near += [self._on_grid(path, low + n * unit) for n in range(round((high - low) / unit) + 1)]
        for n in range(_BEYOND):
            near += [self._on_grid(path, low - 2**n * unit), self._on_grid(path, high + 2**n * unit)]
        usual = self._usual(path)
        found = sorted(_distinct([*near, *numbers]), key=lambda v: _apart(usual, v))
        return [*found, MISSING]

    def _usual(self, path: Path) -> float | None:
        """The median of the numbers that an attribute has."""
        if path not in self._medians:
            values = sorted(v for e in self._events if type(v := attribute(e, path)) in _NUMBERS)
            self._medians[path] = values[len(values) // 2] if values else None
        return self._medians[path]

    def between(
        self, path: Path, fails: float, holds: float, test: Callable[[Any], bool]
    ) -> Iterator[int | float]:
        """The values on the way from one that fails a test to one that passes it that pass it, too, as far as
        halving finds them: the last one is the least different from the first."""
        scale = 10 ** self.decimals(path)
        low, high = round(fails * scale), round(holds * scale)
        while abs(high - low) > 1:
            middle = (low + high) // 2
            value = self._on_grid(path, middle / scale)
            if test(value):
                high = middle
                yield value
            else:
                low = middle

    def _around(self, path: Path, values: Iterable[Any]) -> list[Any]:
        unit = 10.0 ** -self.decimals(path)
        found: list[Any] = []
        for v in values:
            if type(v) in _NUMBERS:
                if v - v == 0:  # finite
                    found += [self._on_grid(path, v + n * unit) for n in (0, 1, -1)]
            elif type(v) is str:
                found += [v, f"not {v}"]
            elif type(v) is bool:
                found += [v, not v]
        return found

    def _on_grid(self, path: Path, value: float) -> int | float:
        decimals = self.decimals(path)
        return round(value, decimals) if decimals else round(value)


def same(x: Any, y: Any) -> bool:
    """Whether two values are one."""
    return type(x) is type(y) and x == y


def _distinct(values: Iterable[Any]) -> list[Any]:
    return list({(type(v), v): v for v in values}.values())


def _apart(old: Any, new: Any) -> float:
    return abs(new - old) if type(old) in _NUMBERS and type(new) in _NUMBERS else 0.0


def _decimals(value: Any) -> int:
    if type(value) is not float or value - value != 0:
        return 0
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
