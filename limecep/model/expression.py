"""Expressions of WHERE, as the parser builds them. Immutable; equal if they mean the same text.

`str()` of every node prints a form that parses back to an equal node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from limecep.model.words import path_text, quoted

if TYPE_CHECKING:
    from limecep.model.function import Function
    from limecep.model.table import Table

#: Where in the query text a node stands: offsets of its first character and of the one after its last.
Span = tuple[int, int]
NOWHERE: Span = (0, 0)


class Node:
    """What all expressions share: how they print."""

    __slots__ = ()

    def __str__(self) -> str:
        return joined(self, OR)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """A literal: number, text, boolean, or None for null."""

    value: int | float | str | bool | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`$name`, replaced by a value when a plan is made."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Current:
    """The index `[i]`, `[i+1]`, `[i-1]`: `offset` is 0, 1, -1."""

    offset: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """A fixed place in a group: `b[3]` is `Position(3)`, `first(b)` is `Position(1)`, `last(b)` is
    `Position(-1)`."""

    number: int


Index = Current | Position | None


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`b.v`, `b[i].v`, `first(b).v`, `a.payload.temp`: the attribute `path` of an event of `variable`.

    `index` is None where none was written: the event of a single step, each event of a group.
    """

    variable: str
    path: tuple[str, ...]
    index: Index = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Instant(Attribute):
    """The `t_gen` of an event of `variable`. No query names it: plans do, for tables whose rows hold from a
    time on."""


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """`count(b)`, `avg(b.v)`, or over what came before, `avg(b[..i-1].v)` (`running`). `path` is empty for
    `count(b)`."""

    function: Literal["count", "sum", "avg", "min", "max"]
    variable: str
    path: tuple[str, ...]
    running: bool = False
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`-x`, `NOT x`, `abs(x)`."""

    operator: Literal["-", "not", "abs"]
    operand: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`f(x, y, ...)`, of a function that a plugin brings: as many arguments as it takes."""

    function: Function
    arguments: tuple[Expression, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Lookup(Node):
    """`t[x, y].column`: a value of a table's row; or `x IN t`, whether there is a row, where `column` is
    empty. `at` is the time at which the row has to hold: a plan puts it in, where the table asks for it."""

    table: Table
    keys: tuple[Expression, ...]
    column: tuple[str, ...]
    at: Instant | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Arithmetic and comparison. `==` and `=` are `==`; `<>` and `!=` are `!=`."""

    operator: Literal["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">="]
    left: Expression
    right: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Logical(Node):
    """`x AND y AND ...`, `x OR y OR ...`: at least two operands, nested ones of the same kind flattened."""

    operator: Literal["and", "or"]
    operands: tuple[Expression, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Membership(Node):
    """`x IN (1, 2, 3)`."""

    operand: Expression
    choices: tuple[Expression, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Between(Node):
    """`x BETWEEN low AND high`, both ends included."""

    operand: Expression
    low: Expression
    high: Expression
    span: Span = field(default=NOWHERE, compare=False)


Expression = (
    Constant
    | Parameter
    | Attribute
    | Aggregate
    | Unary
    | Call
    | Lookup
    | Binary
    | Logical
    | Membership
    | Between
)

# How tightly things bind; what binds less than its place asks for goes in parentheses.
OR, AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _SIGN, _ATOM = range(8)
_BINARY = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "%": _PRODUCT}
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "''", "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def joined(node: Expression, least: int) -> str:
    """The text of a node, in parentheses if it binds less tightly than `least`."""
    text, binds = _show(node)
    return text if binds >= least else f"({text})"


def _show(node: Expression) -> tuple[str, int]:
    """The text of a node, and how tightly it binds."""
    match node:
        case Constant(value):
            return _constant(value)
        case Parameter(name):
            return f"${quoted(name)}", _ATOM
        case Instant(variable, _, index):
            return f"time of {_event(variable, index)}", _ATOM
        case Attribute(variable, path, index):
            return f"{_event(variable, index)}.{path_text(path)}", _ATOM
        case Aggregate(function, variable, path, running):
            of = ".".join((quoted(variable) + ("[..i-1]" if running else ""), *map(quoted, path)))
            return f"{function}({of})", _ATOM
        case Call(function, arguments):
            return f"{quoted(function.name)}({', '.join(map(str, arguments))})", _ATOM
        case Lookup(table, keys, ()):
            return f"{joined(keys[0], _SUM)} IN {quoted(table.name)}", _COMPARISON
        case Lookup(table, keys, column):
            return f"{quoted(table.name)}[{', '.join(map(str, keys))}].{path_text(column)}", _ATOM
        case Unary("not", operand):
            return f"NOT {joined(operand, _NOT)}", _NOT
        case Unary("abs", operand):
            return f"abs({joined(operand, OR)})", _ATOM
        case Unary(_, operand):
            # A sign right before a number is part of the number, and two signs would begin a comment.
            number = isinstance(operand, Constant) and type(operand.value) in (int, float)
            return f"-({operand})" if number else f"-{joined(operand, _ATOM)}", _SIGN
        case Binary(operator, left, right):
            binds = _BINARY.get(operator, _COMPARISON)
            first = binds if binds > _COMPARISON else _SUM
            return f"{joined(left, first)} {operator} {joined(right, binds + 1)}", binds
        case Logical("and", operands):
            return " AND ".join(joined(o, _NOT) for o in operands), AND
        case Logical(_, operands):
            return " OR ".join(joined(o, AND) for o in operands), OR
        case Membership(operand, choices):
            return (
                f"{joined(operand, _SUM)} IN ({', '.join(map(str, choices))})",
                _COMPARISON,
            )
        case Between(operand, low, high):
            ends = f"{joined(low, _SUM)} AND {joined(high, _SUM)}"
            return f"{joined(operand, _SUM)} BETWEEN {ends}", _COMPARISON


def _constant(value: int | float | str | bool | None) -> tuple[str, int]:
    if value is None:
        return "null", _ATOM
    if isinstance(value, bool):
        return str(value).lower(), _ATOM
    if isinstance(value, str):
        return f"'{value.translate(_ESCAPES)}'", _ATOM
    text = repr(value)
    return text, _SIGN if text.startswith("-") else _ATOM


def _event(variable: str, index: Index) -> str:
    match index:
        case Position(-1):
            return f"last({quoted(variable)})"
        case Position(number):
            return f"{quoted(variable)}[{number}]"
        case Current(offset):
            return f"{quoted(variable)}[i{f'{offset:+d}' if offset else ''}]"
    return quoted(variable)
