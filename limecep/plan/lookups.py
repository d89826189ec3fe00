"""Look-ups in tables as Python source: each is a look into one dictionary."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.errors import ConfigurationError
from limecep.model.expression import Call, Constant, Expression, Position
from limecep.model.keys import canonical
from limecep.model.table import TimeOf, columns_in, of_one_event
from limecep.model.walk import over_children
from limecep.plan.values import dig
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from limecep.model.pattern import Quantifier
    from limecep.model.table import Column, Table

    #: Of each key the times from which rows hold, ascending, and what each of them has.
    History = tuple[list[int], list[Any]]


def looking_up(
    column: Column, keys: Sequence[Expression], given: Sequence[str], name: Callable[[Any], str]
) -> str:
    """Source of a look-up, None where it is missing: `column.get(key)`.

    Args:
        column: What is looked up.
        keys: The values of the key, and the time at which the row has to hold, where it has one.
        given: Source of each of these.
        name: Gives a value a global name.
    """
    timed = bool(keys) and isinstance(keys[-1], TimeOf)
    parts = [_keyed(n, x, name) for n, x in zip(keys[: len(keys) - timed], given, strict=False)]
    key = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    found = f"{name(indexed(column.table, column.path))}.get({key})"
    if timed:
        found = f"{name(held)}({found}, {given[-1]})"
    return found if column.path else f"{name(among)}({found}, {given[0]})"


def _keyed(node: Expression, value: str, name: Callable[[Any], str]) -> str:
    """Source of a value as a part of a key. Texts and numbers are that as they are: to Python, too, 1 and 1.0
    are one key."""
    if isinstance(node, Constant):
        return name(part(node.value))
    return f"({value} if type({value}) in ORDERED else {name(part)}({value}))"


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
    return any(column.timed and of_one_event(lookup) is None for lookup, column in columns_in(node))


def dated(node: Expression, end: str, text: str, quantifier: Quantifier) -> Expression:
    """An expression whose look-ups say at which time the row has to hold: at that of the event whose key is
    looked up, or of the end event.

    Args:
        node: The expression.
        end: The variable of the last step.
        text: The condition, as written.
        quantifier: How many events the last step takes.

    Raises:
        ConfigurationError: The last step may take none, so that the end event may be of several.
    """
    if quantifier.minimum == 0 and asks_for_end(node):
        problem = Problem(
            code="no-end-event",
            message=f"'{text}' looks up what holds at the time of the end event, and '{end}', the last step, "
            "may take none",
            hint="look it up by attributes of one event, or have the last step take an event",
        )
        raise ConfigurationError([problem])
    return _dated(node, end)


def _dated(node: Expression, end: str) -> Expression:
    of = of_one_event(node) if isinstance(node, Call) and node.function.timed else None
    node = over_children(node, lambda n: _dated(n, end))
    if isinstance(node, Call) and node.function.timed:
        at = TimeOf(end, (), Position(-1)) if of is None else TimeOf(of.variable, (), of.index)
        return replace(node, arguments=(*node.arguments, at))
    return node
