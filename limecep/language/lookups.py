"""Look-ups in tables, in queries: `limits[a.machine].max`, `a.machine IN limits`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.expression import Expression, Lookup
from limecep.problems import Problem, suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from limecep.model.expression import Span
    from limecep.model.table import Table


def lookup(
    name: str,
    keys: Sequence[Expression],
    column: tuple[str, ...],
    span: Span,
    tables: Mapping[str, Table],
    variables: Collection[str],
) -> Lookup | Problem:
    """A look-up, or what is wrong with it.

    Args:
        name: What the query looks into.
        keys: The values of the key.
        column: The column, as a path; empty where a query asks whether there is a row.
        span: Where it stands.
        tables: The tables there are.
        variables: The variables of the query, which hide tables of their names.
    """
    if name in variables:
        from limecep.language.conditions import PLACES

        hint = PLACES
        if name in tables:
            hint = f"a variable hides the table of its name: call the variable of {name} otherwise"
        return Problem(code="bad-index", message=f"'{name}' is a variable, and has no rows", hint=hint)
    table = tables.get(name)
    if table is None:
        hint = suggestion(name, tables) or "name it under 'tables', with where its rows come from"
        return Problem(code="unknown-table", message=f"there is no table '{name}'", hint=hint)
    if table.key and len(keys) != len(table.key):
        has = f"the key of table '{name}' is {', '.join(table.key)}: {_values(len(table.key))}"
        few = f"{name}[{', '.join(f'a.{column}' for column in table.key)}].column"
        if not column:
            return Problem(
                code="table-key", message=f"{has}, and IN looks for one", hint=f"write {few} != null"
            )
        return Problem(code="table-key", message=f"{has}, not {len(keys)}", hint=f"write {few}")
    return Lookup(table, tuple(keys), column, span=span)


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"
