"""Formulas and values as text of our language."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from limecep.model.expression import AND, ATOM, COMPARISON, OR, SUM, Constant
from limecep.model.words import duration_text, quoted
from limecep.translation.cases import branches
from limecep.translation.formula import NEGATED

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.translation.tree import Node

    #: The text of a value of a row.
    Row = Callable[[Node], str]

_NOT = AND + 1
_PRODUCT = SUM + 1
_SIGN = _PRODUCT + 1
_BINARY = {"+": SUM, "-": SUM, "*": _PRODUCT, "/": _PRODUCT}


def written(node: Node, row: Row, least: int = OR) -> str:
    """The text of a formula or value, in parentheses if it binds less tightly than `least`.

    Args:
        node: It.
        row: Writes the values of rows.
        least: How tightly it must bind.
    """
    text, binds = _shown(node, row)
    return text if binds >= least else f"({text})"


def _shown(node: Node, row: Row) -> tuple[str, int]:
    op, args = node.op, node.args
    match op:
        case "literal":
            return _literal(args[0])
        case "and":
            return " AND ".join(written(a, row, _NOT) for a in args), AND
        case "or":
            return " OR ".join(written(a, row, AND) for a in args), OR
        case "not" | "isnot":
            return f"NOT {written(args[0], row, _NOT)}", _NOT
        case "fails":
            return f"NOT coalesce({written(args[0], row)}, false)", _NOT
        case "is" | "needs" | "given" | "total":
            return _shown(args[0], row)
        case "isnull" | "notnull":
            return f"{written(args[0], row, SUM)} IS {'NOT ' if op == 'notnull' else ''}NULL", COMPARISON
        case "case":
            pairs, other = branches(node)
            whens = [f"WHEN {written(c, row)} THEN {written(v, row)}" for c, v in pairs]
            return f"CASE {' '.join(whens)} ELSE {written(other, row)} END", ATOM
        case "seconds":
            return duration_text(args[0]), ATOM
        case "like":
            return f"{written(args[0], row, SUM)} LIKE {written(args[1], row, SUM)}", COMPARISON
        case "neg":
            return f"-{written(args[0], row, ATOM)}", _SIGN
        case "function":
            return f"{args[0]}({', '.join(written(a, row) for a in args[1:])})", ATOM
        case _ if op in NEGATED:
            operator = "!=" if op == "<>" else op
            return f"{written(args[0], row, SUM)} {operator} {written(args[1], row, SUM)}", COMPARISON
        case _ if op in _BINARY:
            binds = _BINARY[op]
            return f"{written(args[0], row, binds)} {op} {written(args[1], row, binds + 1)}", binds
    return row(node), ATOM


def _literal(value: Any) -> tuple[str, int]:
    if isinstance(value, Decimal):
        text = f"{value}"
        return text, _SIGN if value.is_signed() else ATOM
    return str(Constant(value)), _SIGN if isinstance(value, int) and value < 0 else ATOM


def of_group(function: str, group: str, column: str | None) -> str:
    """An aggregate over a group, which may have an index."""
    return f"{function}({group})" if column is None else f"{function}({group}.{quoted(column)})"
