"""Expressions of WHERE, as the parser builds them. Immutable; equal if they mean the same text.

`str()` of every node prints a form that parses back to an equal node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from limecep.model.words import path_text, quoted

if TYPE_CHECKING:
    from limecep.model.exists import Exists
    from limecep.model.function import Function
    from limecep.model.table import Column

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
    """The index `[i]`, `[i+1]`, `[i-2]`: `offset` is 0, 1, -2."""

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
class Aggregate(Node):
    """`count(b)`, `avg(b.v)`, or over what came before, `avg(b[..i-1].v)` (`running`). `path` is empty for
    `count(b)`. `collect(b.v)` is the list of the values that are there, `column` (in `any`) of those of all
    events."""

    function: Literal["count", "sum", "avg", "min", "max", "collect", "column"]
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
    """`f(x, y, ...)`, of a function that a plugin brings: as many arguments as it takes. Or `t[x, y].column`,
    where the function is the column of a table. Or `any(...)`, of a condition."""

    function: Function | Column | Exists
    arguments: tuple[Expression, ...]
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
    Constant | Parameter | Attribute | Aggregate | Unary | Call | Binary | Logical | Membership | Between
)

# How tightly things bind; what binds less than its place asks for goes in parentheses.
OR, AND, _NOT, COMPARISON, SUM, _PRODUCT, _SIGN, ATOM = range(8)
_BINARY = {"+": SUM, "-": SUM, "*": _PRODUCT, "/": _PRODUCT, "%": _PRODUCT}
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
            return f"${quoted(name)}", ATOM
        case Attribute(variable, path, index):
            return f"{_event(variable, index)}.{path_text(path)}", ATOM
        case Aggregate(function, variable, path, running):
            of = ".".join((quoted(variable) + ("[..i-1]" if running else ""), *map(quoted, path)))
            return f"{function}({of})", ATOM
        case Call(function, arguments):
            return function.shown(arguments)
        case Unary("not", operand):
            return f"NOT {joined(operand, _NOT)}", _NOT
        case Unary("abs", operand):
            return f"abs({joined(operand, OR)})", ATOM
        case Unary(_, operand):
            # A sign right before a number is part of the number, and two signs would begin a comment.
            number = isinstance(operand, Constant) and type(operand.value) in (int, float)
            return f"-({operand})" if number else f"-{joined(operand, ATOM)}", _SIGN
        case Binary(operator, left, right):
            binds = _BINARY.get(operator, COMPARISON)
            first = binds if binds > COMPARISON else SUM
            return f"{joined(left, first)} {operator} {joined(right, binds + 1)}", binds
        case Logical("and", operands):
            return " AND ".join(joined(o, _NOT) for o in operands), AND
        case Logical(_, operands):
            return " OR ".join(joined(o, AND) for o in operands), OR
        case Membership(operand, choices):
            return (
                f"{joined(operand, SUM)} IN ({', '.join(map(str, choices))})",
                COMPARISON,
            )
        case Between(operand, low, high):
            ends = f"{joined(low, SUM)} AND {joined(high, SUM)}"
            return f"{joined(operand, SUM)} BETWEEN {ends}", COMPARISON


def _constant(value: int | float | str | bool | None) -> tuple[str, int]:
    if value is None:
        return "null", ATOM
    if isinstance(value, bool):
        return str(value).lower(), ATOM
    if isinstance(value, str):
        return f"'{value.translate(_ESCAPES)}'", ATOM
    text = repr(value)
    return text, _SIGN if text.startswith("-") else ATOM


def _event(variable: str, index: Index) -> str:
    match index:
        case Position(-1):
            return f"last({quoted(variable)})"
        case Position(number):
            return f"{quoted(variable)}[{number}]"
        case Current(offset):
            return f"{quoted(variable)}[i{f'{offset:+d}' if offset else ''}]"
    return quoted(variable)
