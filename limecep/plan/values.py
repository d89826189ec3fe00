"""What values mean in conditions: comparison, arithmetic and logic of three values (SEMANTICS 3).

None stands for a missing value and for an unknown truth value alike. Numbers are `int` and `float`, never
`bool`. Nothing here raises, whatever it is given.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from limecep.model.instants import Instant
from limecep.model.time import EARLIEST, LATEST

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.event import Event

#: A truth value: true, false or unknown.
Truth = bool | None

NUMBERS: frozenset[type] = frozenset({int, float})
ORDERED: frozenset[type] = NUMBERS | {str, Instant}
COMPARABLE: frozenset[type] = ORDERED | {bool}

#: The attributes that an event has itself. A name in its payload goes before them.
OWN_ATTRIBUTES = ("id", "source", "type")
#: The attribute that is the time of an event, whatever its payload has.
TIME = ("time",)


def dig(value: Any, path: tuple[str, ...]) -> Any:
    """Return what stands at `path` of nested objects, or else in a field whose name is the path, or some of
    it, with the dots: the field `a.b`, or `b.c` of the object `a`. None if there is nothing."""
    found = value
    for name in path:
        if not isinstance(found, dict):
            break
        found = found.get(name)
    else:
        if found is not None:
            return found
    return _dotted(value, path) if isinstance(value, dict) else None


def _dotted(fields: dict[str, Any], path: tuple[str, ...]) -> Any:
    """As `dig`, where names may have dots; objects go first."""
    for n in range(1, len(path)):
        inner = fields.get(".".join(path[:n]))
        if isinstance(inner, dict) and (found := _dotted(inner, path[n:])) is not None:
            return found
    return fields.get(".".join(path))


def attribute(event: Event, path: tuple[str, ...]) -> Any:
    """The attribute of an event at `path`, None if it is missing."""
    if len(path) == 1 and path[0] in OWN_ATTRIBUTES:
        return event.payload.get(path[0], getattr(event, path[0]))
    if path == TIME:
        return Instant(event.t_gen)
    return dig(event.payload, path)


def reading(event: str, path: tuple[str, ...]) -> str:
    """Source of the attribute at `path` of an event, None if it is missing; of its time where there is no
    path (`limecep.model.table.TimeOf`). It needs the names `dig` and `Instant`."""
    if not path:
        return f"{event}.t_gen"
    if path == TIME:
        return f"Instant({event}.t_gen)"
    if len(path) != 1:
        return f"dig({event}.payload, {path!r})"
    own = f", {event}.{path[0]}" if path[0] in OWN_ATTRIBUTES else ""
    return f"{event}.payload.get({path[0]!r}{own})"


def unlike(x: Any, y: Any) -> bool:
    """Whether two values are of different kinds, and so decidably not equal. Numbers are one kind; a missing
    value has none."""
    kinds = type(x), type(y)
    return kinds[0] is not kinds[1] and not (x is None or y is None or NUMBERS.issuperset(kinds))


def differ(x: Any, y: Any) -> bool:
    """Whether two comparable values differ. Unlike `!=` it is false of NaN, as every comparison is."""
    return bool(x < y or x > y)


def _comparison(
    kinds: frozenset[type],
    holds: Callable[[Any, Any], bool],
    fails: Callable[[Any, Any], bool],
    *,
    of_unlike: Truth = None,
) -> Callable[[Any, Any], Truth]:
    def compare(x: Any, y: Any) -> Truth:
        if type(x) is type(y) in kinds or (type(x) in NUMBERS and type(y) in NUMBERS):
            if holds(x, y):
                return True
            if fails(x, y):
                return False
            return None
        return of_unlike if unlike(x, y) else None

    return compare


#: Comparison of two values, neither of them a written null.
COMPARISONS: dict[str, Callable[[Any, Any], Truth]] = {
    "==": _comparison(COMPARABLE, operator.eq, differ, of_unlike=False),
    "!=": _comparison(COMPARABLE, differ, operator.eq, of_unlike=True),
    "<": _comparison(ORDERED, operator.lt, operator.ge),
    "<=": _comparison(ORDERED, operator.le, operator.gt),
    ">": _comparison(ORDERED, operator.gt, operator.le),
    ">=": _comparison(ORDERED, operator.ge, operator.lt),
}

#: The comparison that is true where this one is false.
INVERSE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _arithmetic(
    function: Callable[[Any, Any], Any], of_times: Callable[[Any, Any], Any] = lambda x, y: None
) -> Callable[[Any, Any], Any]:
    def calculate(x: Any, y: Any) -> Any:
        if type(x) not in NUMBERS or type(y) not in NUMBERS:
            return of_times(x, y)
        try:
            result = function(x, y)
        except ArithmeticError:
            return None
        return result if result == result else None

    return calculate


#: More seconds than there are between two instants.
_LONGEST = 10**12


def _later(x: Any, y: Any) -> Instant | None:
    """An instant, and seconds after it; missing where no calendar has it."""
    if type(x) in NUMBERS:
        x, y = y, x
    if type(x) is not Instant or type(y) not in NUMBERS or not -_LONGEST <= y <= _LONGEST:
        return None
    at = x.microseconds + round(y * 1_000_000)
    return Instant(at) if EARLIEST <= at <= LATEST else None


def _apart(x: Any, y: Any) -> float | Instant | None:
    """The seconds between two instants; an instant, and seconds before it."""
    if type(x) is not Instant:
        return None
    return (x.microseconds - y.microseconds) / 1_000_000 if type(y) is Instant else _later(x, negative(y))


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": _arithmetic(operator.add, _later),
    "-": _arithmetic(operator.sub, _apart),
    "*": _arithmetic(operator.mul),
    "/": _arithmetic(operator.truediv),
    "%": _arithmetic(operator.mod),
}


def negative(x: Any) -> int | float | None:
    """`-x`."""
    return -x if type(x) in NUMBERS and x == x else None


def absolute(x: Any) -> int | float | None:
    """`abs(x)`."""
    return abs(x) if type(x) in NUMBERS and x == x else None


def conjunction(*values: Any) -> Truth:
    """AND: false if one is false, else true if all are true, else unknown."""
    if any(v is False for v in values):
        return False
    return True if all(v is True for v in values) else None


def disjunction(*values: Any) -> Truth:
    """OR: true if one is true, else false if all are false, else unknown."""
    if any(v is True for v in values):
        return True
    return False if all(v is False for v in values) else None


def negation(value: Any) -> Truth:
    """NOT: unknown of what is not a truth value."""
    return not value if type(value) is bool else None
