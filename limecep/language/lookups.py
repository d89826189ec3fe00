"""Look-ups in tables, in queries: `limits[a.machine].max`, `a.machine IN limits`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.expression import Call, Expression
from limecep.model.table import Column
from limecep.model.words import find, quoted
from limecep.problems import Problem, suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from limecep.model.expression import Span
    from limecep.model.table import Table


class Lookups:
    """Makes look-ups.

    Args:
        text: The query.
        tables: The tables there are.
        variables: The variables of the query, which hide tables of their names.
    """

    def __init__(self, text: str, tables: Mapping[str, Table], variables: Collection[str]) -> None:
        self._text = text
        self._tables = tables
        self._variables = variables

    def row(
        self, name: str, keys: Sequence[Expression] | None, path: tuple[str, ...], span: Span
    ) -> tuple[Call | Problem, Span]:
        """A value of a row, or what is wrong with it, and where.

        Args:
            name: What the query looks into.
            keys: The values of the key; None where there are none.
            path: The column.
            span: Where it stands.
        """
        table = quoted(name)
        if keys is None:
            hint = f"write {table}[a.machine].column, a.machine being what to look up"
            return Problem(code="table-key", message=f"which row of '{name}'?", hint=hint), span
        if name in self._tables and name not in self._variables and not path:
            written = self._text[slice(*span)]
            hint = f"write {written}.column; whether there is a row is asked by a.machine IN {table}"
            return Problem(code="missing-attribute", message=f"which column of '{name}'?", hint=hint), span
        return self.lookup(name, keys, path, span)

    def lookup(
        self, name: str, keys: Sequence[Expression], path: tuple[str, ...], span: Span
    ) -> tuple[Call | Problem, Span]:
        """As `row`; without a path whether there is a row."""
        if name in self._variables:
            hint = "only tables are looked into by values; an event of a group is b[i], b[1] or last(b)"
            if name in self._tables:
                hint = f"a variable hides the table of its name: call the variable of {name} otherwise"
            return Problem(
                code="bad-index", message=f"'{name}' is a variable, and has no rows", hint=hint
            ), span
        table = self._tables.get(name)
        if table is None:
            hint = suggestion(name, self._tables) or "name it under 'tables', with where its rows come from"
            at = find(name, self._text, span)
            return Problem(code="unknown-table", message=f"there is no table '{name}'", hint=hint), at
        if table.key and len(keys) != len(table.key):
            values = "1 value" if len(table.key) == 1 else f"{len(table.key)} values"
            said = f"the key of table '{name}' is {', '.join(table.key)}: {values}"
            few = f"{name}[{', '.join(f'a.{column}' for column in table.key)}].column"
            said += f", not {len(keys)}" if path else ", and IN looks for one"
            hint = f"write {few}" if path else f"write {few} != null"
            return Problem(code="table-key", message=said, hint=hint), span
        return Call(Column(table, path), tuple(keys), span), span
