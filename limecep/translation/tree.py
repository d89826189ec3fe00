"""What a `MATCH_RECOGNIZE` says, as its text says it. Immutable; nodes are equal whatever their place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from limecep.language.problems import QueryProblem
from limecep.model.expression import NOWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Name:
    """A name. SQL compares names without quotes in any case."""

    text: str
    quoted: bool = False
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def key(self) -> str:
        """What tells it from other names."""
        return self.text if self.quoted else self.text.upper()


@dataclass(frozen=True, slots=True)
class Node:
    """A node of an expression.

    Attributes:
        op: What it is: `literal`, `column`, `call`, an operator, or what a column came to (`ROW_OPS`).
        args: What it is of: nodes, names, values.
        span: Where it stands.
    """

    op: str
    args: tuple[Any, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def below(self) -> tuple[Node, ...]:
        """The nodes right below it."""
        return tuple(a for a in self.args if isinstance(a, Node))

    def walk(self) -> Iterator[Node]:
        """It and all nodes below."""
        yield self
        for node in self.below:
            yield from node.walk()


#: What a column is once its row is known: of the current row (`cur`), the one before it (`prev`), the last or
#: n-th row of a step, or an aggregate over those rows of a step that come before the current one.
ROW_OPS = frozenset({"cur", "prev", "last", "nth", "agg"})

NULL = Node("literal", (None,))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of PATTERN.

    Attributes:
        op: `variable`, `sequence` or `choice`.
        parts: Those it is made of.
        name: Of a variable.
        low: How many times at least.
        high: How many times at most, or None for any number.
        reluctant: Whether it takes as few as it can.
        span: Where it stands.
    """

    op: str
    parts: tuple[Part, ...] = ()
    name: Name | None = None
    low: int = 1
    high: int | None = 1
    reluctant: bool = False
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Skip:
    """AFTER MATCH SKIP: `next`, `past-last`, `to-first`, `to-last`."""

    to: str
    variable: Name | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """One item of ORDER BY."""

    expression: Node
    descending: bool = False
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement, as it is written.

    Attributes:
        columns: What SELECT names, each with its new name or None; `*` is None.
        table: The names after FROM.
        partition: The expressions of PARTITION BY.
        order: The items of ORDER BY.
        measures: The expressions of MEASURES with their names.
        rows: Where ALL ROWS PER MATCH stands, if it does.
        skip: AFTER MATCH SKIP, or None.
        pattern: What PATTERN has in its parentheses.
        within: The expression after WITHIN, or None.
        subsets: The variables of each name of SUBSET.
        define: The condition of each variable, by its key.
        named: The names of DEFINE, by their keys.
    """

    columns: tuple[tuple[Node, Name | None] | None, ...]
    table: tuple[Name, ...]
    partition: tuple[Node, ...]
    order: tuple[Sort, ...]
    measures: tuple[tuple[Node, Name], ...]
    rows: Span | None
    skip: Skip | None
    pattern: Part
    within: Node | None
    subsets: Mapping[str, tuple[Name, ...]]
    define: Mapping[str, Node]
    named: Mapping[str, Name]


class Refused(Exception):
    """Something cannot be carried over. Caught where the next thing can be looked at."""

    def __init__(self, code: str, message: str, hint: str, span: Span) -> None:
        super().__init__(message)
        self.problem = QueryProblem(code=code, message=message, hint=hint, start=span[0], end=span[1])
