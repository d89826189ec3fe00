"""Look-ups in tables as Python source: each is a look into one dictionary."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.model.expression import Constant, Expression, Instant, Lookup, Position
from limecep.model.keys import canonical
from limecep.model.walk import of_one_event, walk
from limecep.plan.expressions import rewritten
from limecep.plan.values import dig

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from limecep.model.table import Table

    #: Of each key the times from which rows hold, ascending, and what each of them has.
    History = tuple[list[int], list[Any]]


def looked_up(node: Lookup, given: Sequence[str], names: dict[str, Any], name: Callable[[Any], str]) -> str:
    """Source of a look-up, None where it is missing: `column.get(key)`.

    Args:
        node: The look-up.
        given: Source of each value of its key, and of the time where it has one.
        names: The global names of that source; those that it needs are added.
        name: Gives a value a global name.
    """
    names |= {"among": among, "held": held, "part": part}
    parts = [_keyed(n, x, name) for n, x in zip(node.keys, given, strict=False)]
    key = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    found = f"{name(indexed(node.table, node.column))}.get({key})"
    if node.at is not None:
        found = f"held({found}, {given[-1]})"
    return found if node.column else f"among({found}, {given[0]})"


def _keyed(node: Expression, value: str, name: Callable[[Any], str]) -> str:
    """Source of a value as a part of a key. Texts and numbers are that as they are: to Python, too, 1 and 1.0
    are one key."""
    if isinstance(node, Constant):
        return name(part(node.value))
    return f"({value} if type({value}) in ORDERED else part({value}))"


def among(found: bool | None, value: Any) -> bool | None:
    """Whether there is a row for a value: unknown of a missing one, and of NaN."""
    return None if value is None or value != value else found is True


def part(value: Any) -> Hashable:
    """What stands for a value in a key; None, which is in none, for what equals nothing."""
    if type(value) is bool:
        return (value,)  # to Python, True is 1
    return canonical(value)


def held(history: History | None, at: int | None) -> Any:
    """What holds at a time."""
    if history is None or at is None:
        return None
    times, values = history
    place = bisect_right(times, at)
    return values[place - 1] if place else None


def indexed(table: Table, column: tuple[str, ...]) -> dict[Hashable, Any]:
    """The values of a column by the key of their rows, as `looking` asks for them; `held` reads those of a
    table whose rows hold from a time on. Made once for all conditions."""
    known = table.rows.indices.get(column)
    if known is None:
        known = table.rows.indices[column] = _indexed(table, column)
    return known


def _indexed(table: Table, column: tuple[str, ...]) -> dict[Hashable, Any]:
    found: dict[Hashable, Any] = {}
    for row in table.rows.listed or ():
        parts = tuple(map(part, row.key))
        key = parts[0] if len(parts) == 1 else parts
        value = dig(row.values, column) if column else True
        if not table.timed:
            found[key] = value
            continue
        times, values = found.setdefault(key, ([], []))
        times.append(row.begins)
        values.append(value)
    return found


# -- rows that hold from a time on -------------------------------------------------------------------------


def asks_for_end(node: Expression) -> bool:
    """Whether a row has to hold at the time of the end event."""
    return any(isinstance(n, Lookup) and n.table.timed and of_one_event(n) is None for n in walk(node))


def dated(node: Expression, end: str) -> Expression:
    """An expression whose look-ups say at which time the row has to hold: at that of the event whose key is
    looked up, or of the end event.

    Args:
        node: The expression.
        end: The variable of the end step.
    """
    return rewritten(node, lambda leaf: leaf, lambda lookup: _dated(lookup, end))


def _dated(lookup: Lookup, end: str) -> Lookup:
    if not lookup.table.timed:
        return lookup
    of = of_one_event(lookup)
    at = Instant(end, (), Position(-1)) if of is None else Instant(of.variable, (), of.index)
    return replace(lookup, at=at)
