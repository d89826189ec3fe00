"""What is wrong with look-ups in tables, as far as the rows are known before any event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.language.callcheck import called, kind_in, kind_of
from limecep.language.problems import QueryProblem
from limecep.model.expression import Constant, Expression, Lookup, Parameter
from limecep.model.keys import canonical
from limecep.model.pattern import Conjunction
from limecep.model.walk import of_one_event, walk
from limecep.model.words import find, path_text
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.model.pattern import Sequence as Steps
    from limecep.model.pattern import Step

_NUMBERS = {"int", "float", "fraction"}


def misfits(
    condition: Expression, params: Mapping[str, Any], sequences: Sequence[Steps], text: str
) -> Iterator[QueryProblem]:
    """What is wrong with the look-ups of a condition.

    Args:
        condition: A condition of WHERE.
        params: The parameters whose value is known.
        sequences: The pattern's alternatives.
        text: The query.
    """
    for node in walk(condition):
        if not isinstance(node, Lookup):
            continue
        rows = node.table.rows.listed
        if rows:
            yield from _column(node, text)
            yield from _key(node, params)
        if node.table.timed and of_one_event(node) is None and any(map(_may_be_empty, map(_last, sequences))):
            yield QueryProblem(
                code="no-end-event",
                message=f"the rows of table '{node.table.name}' hold from a time on, and {node} is of no one "
                "event: it would be looked up at the time of the end event, which may be of several steps",
                hint="look it up by attributes of one event, or have the last step take an event",
                start=node.span[0],
                end=node.span[1],
            )


def _column(node: Lookup, text: str) -> Iterator[QueryProblem]:
    columns = node.table.rows.columns
    if not node.column or any(".".join(node.column[:n]) in columns for n in range(1, len(node.column) + 1)):
        return
    start, end = find(node.column[0], text, node.span)
    yield QueryProblem(
        code="unknown-column",
        message=f"table '{node.table.name}' has no column '{path_text(node.column)}'",
        hint=suggestion(node.column[0], columns),
        start=start,
        end=end,
    )


def _key(node: Lookup, params: Mapping[str, Any]) -> Iterator[QueryProblem]:
    """Keys of which there is no row, whatever comes."""
    table = node.table
    for place, (column, key) in enumerate(zip(table.key, node.keys, strict=False)):
        kind = kind_in(key, params)
        known = kind_of({type(row.key[place]) for row in table.rows.listed or ()})
        said = ""
        if kind and known and kind != known and not {kind, known} <= _NUMBERS:
            given = "null" if kind == "null" else called(kind)
            said = f"'{column}' of table '{table.name}' is {called(known)}, {key} is {given}: no row is found"
            hint = "values of different kinds are never equal"
        elif isinstance(key, Constant | Parameter):
            value = key.value if isinstance(key, Constant) else params.get(key.name)
            there = [row.key[place] for row in table.rows.listed or ()]
            if value is not None and not any(_same(canonical(value), other) for other in there):
                said = f"table '{table.name}' has no row for {value!r}"
                hint = suggestion(str(value), [k for k in there if isinstance(k, str)])
        if said:
            start, end = key.span
            yield QueryProblem(
                code="absent-row", message=said, hint=hint, severity="warning", start=start, end=end
            )


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and (type(one) is bool) is (type(other) is bool)


def _last(sequence: Steps) -> Sequence[Step]:
    """The steps of which one is the last that is not negated."""
    for part in reversed(sequence.parts):
        steps = [s for s in (part.steps if isinstance(part, Conjunction) else (part,)) if not s.negated]
        if steps:
            return steps
    return ()


def _may_be_empty(steps: Sequence[Step]) -> bool:
    return any(step.quantifier.minimum == 0 for step in steps)
