"""Look-ups in tables that found no row, whatever came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.diagnosis.attributes import kind, shown
from limecep.diagnosis.reason import reason
from limecep.model.expression import Attribute
from limecep.model.table import columns_in, of_one_event
from limecep.model.words import path_text
from limecep.plan.lookups import held, indexed, part
from limecep.plan.values import attribute
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from limecep.diagnosis.attributes import Attributes
    from limecep.language.problems import QueryProblem
    from limecep.model.event import Event
    from limecep.model.expression import Call
    from limecep.model.table import Column

#: How many values are shown.
_FEW = 3


def unfound(attributes: Attributes) -> Iterator[QueryProblem]:
    """Look-ups by attributes of one event for which there was no row in any event that has those.

    Args:
        attributes: Look at the conditions of the pattern.
    """
    done = set()
    for lookup, column in (found for e in attributes.expressions for found in columns_in(e)):
        of = of_one_event(lookup)
        told = (column.table.name, lookup.arguments)
        if column.table.rows.listed is None or of is None or told in done:
            continue
        if not all(isinstance(key, Attribute) for key in lookup.arguments):
            continue
        done.add(told)
        types = attributes.types_of(of.variable)
        events = [e for e in attributes.evidence.of(types).events if None not in _key(lookup, e)]
        if events and not any(_found(lookup, column, event) for event in events):
            keys = [_key(lookup, event) for event in events]
            few = ", ".join(list(dict.fromkeys(" and ".join(map(shown, key)) for key in keys))[:_FEW])
            named = " and ".join(f"{of.variable}.{path_text(k.path)}" for k in _attributes(lookup))
            amount = attributes.evidence.amount(types)
            yield reason(
                "absent-row",
                f"table '{column.table.name}' had no row for {named} in {amount}: such as {few}",
                _known(column, keys[0]),
                lookup.span,
            )


def _attributes(lookup: Call) -> list[Attribute]:
    return [key for key in lookup.arguments if isinstance(key, Attribute)]


def _key(lookup: Call, event: Event) -> tuple[object, ...]:
    return tuple(attribute(event, key.path) for key in _attributes(lookup))


def _found(lookup: Call, column: Column, event: Event) -> bool:
    parts: tuple[Hashable, ...] = tuple(map(part, _key(lookup, event)))
    there = indexed(column.table, ()).get(parts[0] if len(parts) == 1 else parts)
    return (held(there, event.t_gen) if column.timed else there) is True


def _known(column: Column, key: tuple[object, ...]) -> str:
    """What the table has instead."""
    known = [row.key[0] for row in column.table.rows.listed or ()]
    if column.timed and any(part(key[0]) == part(other) for other in known):
        return "a row holds from its time on: events before that find none"
    if known and kind(key[0]) not in map(kind, known):
        return (
            f"'{column.table.key[0]}' of the table is {kind(known[0])}, and {shown(key[0])} is {kind(key[0])}"
        )
    return suggestion(str(key[0]), map(str, known))
