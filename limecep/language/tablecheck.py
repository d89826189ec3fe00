"""What is wrong with look-ups in tables, as far as the rows are known before any event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.language.callcheck import CALLED, kind_in
from limecep.language.problems import QueryProblem
from limecep.model.alternatives import sequences
from limecep.model.expression import Call, Constant, Expression, Parameter
from limecep.model.keys import canonical
from limecep.model.pattern import Conjunction
from limecep.model.table import Column, columns_in, kind_of, of_one_event
from limecep.model.words import find, path_text
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.model.pattern import Pattern, Step
    from limecep.model.pattern import Sequence as Steps

_NUMBERS = {"int", "float", "fraction"}


def misfits(condition: Expression, params: Mapping[str, Any], pattern: Pattern) -> Iterator[QueryProblem]:
    """What is wrong with the look-ups of a condition.

    Args:
        condition: A condition of WHERE.
        params: The parameters whose value is known.
        pattern: The pattern.
    """
    ended = not any(map(_may_be_empty, map(_last, sequences(pattern.structure))))
    for node, column in columns_in(condition):
        if column.table.rows.listed:
            yield from _column(node, column, pattern.text)
            yield from _key(node, column, params)
        if column.timed and not ended and of_one_event(node) is None:
            yield QueryProblem(
                code="no-end-event",
                message=f"{node} is about the time of the end event, and the last step may take none",
                hint=f"the rows of '{column.table.name}' hold from a time on: look them up by attributes of "
                "one event, or have the last step take an event",
                start=node.span[0],
                end=node.span[1],
            )


def _column(node: Call, column: Column, text: str) -> Iterator[QueryProblem]:
    path, columns = column.path, column.table.rows.columns
    if not path or any(".".join(path[:n]) in columns for n in range(1, len(path) + 1)):
        return
    start, end = find(path[0], text, node.span)
    yield QueryProblem(
        code="unknown-column",
        message=f"table '{column.table.name}' has no column '{path_text(path)}'",
        hint=suggestion(path[0], columns),
        start=start,
        end=end,
    )


def _key(node: Call, column: Column, params: Mapping[str, Any]) -> Iterator[QueryProblem]:
    """Keys of which there is no row, whatever comes."""
    table = column.table
    for place, (name, key) in enumerate(zip(table.key, node.arguments, strict=False)):
        there = [row.key[place] for row in table.rows.listed or ()]
        kind, known = kind_in(key, params), kind_of({*map(type, there)})
        said = hint = ""
        if kind and known != "object" and kind != known and not {kind, known} <= _NUMBERS:
            given = "null" if kind == "null" else CALLED[kind]
            said = f"'{name}' of table '{table.name}' is {CALLED[known]}, {key} is {given}: no row is found"
            hint = "values of different kinds are never equal"
        elif isinstance(key, Constant | Parameter):
            value = key.value if isinstance(key, Constant) else params.get(key.name)
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
