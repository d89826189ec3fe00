"""Text to model."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from limecep.language.problems import QueryError, QueryProblem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.language.terms import Functions
    from limecep.model.pattern import Pattern
    from limecep.model.table import Table

#: What goes through a model may recurse: a query nested deeper than this is refused.
_DEEPEST = 100


_NO_TABLES: Mapping[str, Table] = MappingProxyType({})


def parse(
    text: str,
    functions: Functions = lambda name: None,
    tables: Mapping[str, Table] = _NO_TABLES,
    params: Mapping[str, Any] | None = None,
) -> Pattern:
    """The pattern that a query describes.

    Only its form is looked at: `limecep.language.check` says whether it makes sense.

    Args:
        text: The query.
        functions: Gives the function of a name, a problem that says why it cannot be had, or None where there
            is none. `limecep.language.functions.function` gives those that plugins bring.
        tables: The tables that it may look into, by their names.
        params: The values of parameters, one of which may say the window; None if they are not known.

    Raises:
        QueryError: The text is no query.
    """
    # Whoever only imports limecep does not pay for the parser generator.
    from lark.exceptions import UnexpectedInput

    from limecep.language.builder import Builder
    from limecep.language.grammar import query_parser

    try:
        tree = query_parser().parse(text)
    except UnexpectedInput as error:
        # Queries that are right do not pay for what explains the others.
        from limecep.language.diagnosis import diagnose, misspelt_selection

        raise QueryError([misspelt_selection(text) or diagnose(error, text)], text) from None
    builder = Builder(text, functions, tables, params)
    pattern = builder.transform(tree)
    if builder.problems:
        from limecep.language.diagnosis import misspelt_selection

        if selection := misspelt_selection(text):
            raise QueryError([selection], text)
        raise QueryError(sorted(builder.problems, key=lambda p: p.start), text)
    if _deeper(pattern, _DEEPEST):
        problem = QueryProblem(
            code="too-deep",
            message=f"the query is nested more than {_DEEPEST} deep",
            hint="a long sum counts as deep; take it apart with parentheses",
            end=len(text),
        )
        raise QueryError([problem], text)
    return pattern


def _deeper(pattern: Pattern, depth: int) -> bool:
    level: list[Any] = [pattern.structure, *pattern.expressions]
    for _ in range(depth):
        level = [inner for node in level for inner in _inner(node)]
    return bool(level)


def _inner(node: Any) -> list[Any]:
    """The nodes right below a node, of whatever kind."""
    values = [getattr(node, f.name) for f in fields(node) if f.name not in ("function", "table")]
    below = [inner for value in values for inner in (value if isinstance(value, tuple) else (value,))]
    return [inner for inner in below if is_dataclass(inner)]
