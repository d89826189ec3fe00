"""Look-ups in tables (section 12): each goes through all the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.expression import Attribute, Binary, Call, Constant
from limecep.testing.oracle.conditions import named
from limecep.testing.oracle.values import MISSING, evaluate, event_of, readings

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.model.table import Column
    from limecep.testing.oracle.values import Scope


def looked_up(lookup: Call, column: Column, scope: Scope) -> Any:
    """The value of a look-up; without a column, whether there is a row."""
    values = [evaluate(key, scope) for key in lookup.arguments]
    event = at_event(lookup, scope) if column.table.timed else None
    if MISSING in values or any(v != v for v in values) or (column.table.timed and event is None):
        return MISSING
    found = [
        row
        for row in column.table.rows.listed or ()
        if all(_equal(a, b, scope) for a, b in zip(row.key, values, strict=True))
        and (event is None or row.begins is None or row.begins <= event.t_gen)
    ]
    if not column.path:
        return bool(found)
    if not found:
        return MISSING
    last = max(found, key=lambda row: row.begins or 0) if column.table.timed else found[-1]
    return next((v for v in readings(last.values, column.path) if v is not None), MISSING)


def at_event(lookup: Call, scope: Scope) -> Event | None:
    """The event at whose time the row has to hold: the one whose attributes alone make the key, else the end
    event."""
    of = one_event(lookup)
    if of is not None:
        return event_of(of.variable, of.index, scope)
    group = scope.groups.get(scope.end, ())
    return group[-1] if group else None


def one_event(lookup: Call) -> Attribute | None:
    """What in the key names the event that is all the key is of; None where it is of none, or several."""
    found = [r for key in lookup.arguments for r in named(key)]
    first = next(iter(found), None)
    if not isinstance(first, Attribute):
        return None
    alike = all(
        isinstance(r, Attribute) and (r.variable, r.index) == (first.variable, first.index) for r in found
    )
    return first if alike else None


def _equal(one: Any, other: Any, scope: Scope) -> bool:
    """Whether two values are equal as `=` has it."""
    return evaluate(Binary("==", Constant(one), Constant(other)), scope) is True
