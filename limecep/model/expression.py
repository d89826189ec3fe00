"""Expressions of WHERE, as the parser builds them. Immutable; equal if they mean the same text.

`str()` of every node prints a form that parses back to an equal node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

#: Where in the query text a node stands: offsets of its first character and of the one after its last.
Span = tuple[int, int]
NOWHERE: Span = (0, 0)


class Node:
    """What all expressions share: how they print."""

    __slots__ = ()

    def __str__(self) -> str:
        # The printer needs this module, so it is imported when something is printed.
        from limecep.language.printer import expression_text

        return expression_text(self)  # type: ignore[arg-type]


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


Expression = Constant | Parameter | Attribute | Aggregate | Unary | Binary | Logical | Membership | Between
