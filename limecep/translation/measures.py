"""MEASURES as `RETURN expression AS name, ...`: values of a complete match (SEMANTICS 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.words import quoted
from limecep.translation.formula import NEGATED, carried_over, folded, spelled_out
from limecep.translation.navigation import (
    AGGREGATES,
    FUNCTIONS,
    Scope,
    aggregate,
    offset,
    refuse_operator,
    refused_call,
)
from limecep.translation.text import written
from limecep.translation.tree import Node, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.model.expression import Span
    from limecep.translation.conditions import Writer

    #: Whether a column of a slot's rows is never null.
    Present = Callable[[int, str], bool]


def returned(values: Mapping[str, str]) -> str:
    """The clause for some expressions by their names."""
    return "RETURN " + ", ".join(f"{text} AS {quoted(name)}" for name, text in values.items())


class Measures:
    """Writes measures.

    Args:
        scope: The names of the statement.
        writer: Writes the rows of slots.
        present: Whether a column is never null.
        time: The column of the time of a row.
    """

    def __init__(self, scope: Scope, writer: Writer, present: Present, time: str) -> None:
        self._scope = scope
        self._writer = writer
        self._present = present
        self._time = time

    def text(self, node: Node) -> str:
        """The expression of a measure.

        Raises:
            Refused: It cannot be carried over.
        """
        value = folded(self._resolved(node))
        return written(checked_totals(value, self._scope, self._present), self._row)

    def _row(self, node: Node) -> str:
        match node.op, node.args:
            case "last", (slot, column):
                return self._writer.last(slot, column)
            case "nth", (slot, number, column):
                return self._writer.nth(slot, number, column)
            case _, (function, slot, column):
                return self._writer.aggregate(function, slot, column)
        raise AssertionError(node)

    def _resolved(self, node: Node) -> Node:
        if node.op == "column":
            variables, column = self._scope.single(node)
            slots = self._scope.shape.of(variables)
            return self._last(slots, column, 0, node.span) if slots else Node("literal", (None,), node.span)
        if node.op == "call":
            return self._call(node)
        refuse_operator(node)
        if node.op == "interval":
            hint = "give both times, and let whoever reads the results compute"
            raise Refused("measure", "an interval cannot be carried over in a measure", hint, node.span)
        if node.op in ("between", "in"):
            return self._resolved(spelled_out(node))
        if node.op == "like":
            carried_over(node)
        known = node.op in NEGATED or node.op in (
            "and",
            "or",
            "not",
            "case",
            "like",
            "isnull",
            "literal",
            "neg",
            "+",
            "-",
            "*",
        )
        assert known, node.op
        return Node(
            node.op, tuple(self._resolved(a) if isinstance(a, Node) else a for a in node.args), node.span
        )

    def _call(self, node: Node) -> Node:
        name, _, what, *arguments = node.args
        shape = self._scope.shape
        if name == "MATCH_ROWTIME":
            return self._last(shape.of(None), self._time, 0, node.span)
        if name in FUNCTIONS and arguments and not what:
            return Node("function", (FUNCTIONS[name], *map(self._resolved, arguments)), node.span)
        if name in ("PREV", "NEXT"):
            hint = "name the row with FIRST or LAST of a variable"
            raise Refused("measure", f"{name} may look outside of the match", hint, node.span)
        if name not in AGGREGATES and name not in ("FIRST", "LAST"):
            raise refused_call(node)
        if what == "distinct":
            hint = "count them where the results are read"
            raise Refused("distinct", f"{name}(DISTINCT ...) cannot be carried over", hint, node.span)
        if name == "COUNT" and what:
            variables = None if what == "all" else self._scope.reference(arguments[0])[0]
            return aggregate(name, shape.of(variables), None, None, node.span, shape.sizes)
        if not arguments or what or (len(arguments) > 1 and name in AGGREGATES):
            raise Refused("no-column", f"{name} takes a column", f"such as {name}(A.price)", node.span)
        variables, column = self._scope.single(arguments[0])
        slots = shape.of(variables)
        if name in AGGREGATES:
            return aggregate(name, slots, column, None, node.span, shape.sizes)
        if not slots:
            # No match has a row of the variable.
            return Node("literal", (None,), node.span)
        return (self._first if name == "FIRST" else self._last)(slots, column, offset(node, 0), node.span)

    def _last(self, slots: Sequence[int], column: str, back: int, span: Span) -> Node:
        """A row counted from the last one of some slots."""
        shape = self._scope.shape
        if back:
            for s in reversed(slots):
                slot = shape.slots[s]
                if not shape.must(s) or slot.low != slot.high:
                    raise _unnamed("LAST", span)
                if back < slot.low:
                    return Node("nth", (s, slot.low - back, column), span)
                back -= slot.low
            return Node("literal", (None,), span)
        found: list[Node] = []
        for s in reversed(slots):
            found.append(Node("last", (s, column), span))
            if shape.must(s) or s == slots[0]:
                break
            if not self._present(s, column):
                raise _unnamed("LAST", span)
        return found[0] if len(found) == 1 else Node("function", ("coalesce", *found), span)

    def _first(self, slots: Sequence[int], column: str, on: int, span: Span) -> Node:
        """A row counted from the first one of some slots."""
        shape = self._scope.shape
        for s in slots:
            slot = shape.slots[s]
            fixed = shape.must(s) and slot.low == slot.high
            if s == slots[-1] and slot.high is not None and on >= slot.high:
                return Node("literal", (None,), span)
            if s == slots[-1] or (on < slot.low and shape.must(s)):
                return Node("nth", (s, on + 1, column), span)
            if not fixed:
                raise _unnamed("FIRST", span)
            on -= slot.low
        raise AssertionError(slots)


def checked_totals(node: Node, scope: Scope, present: Present) -> Node:
    """A value whose sums are not of nothing: that is null in SQL, and 0 here.

    Raises:
        Refused: One may be.
    """
    for total in node.walk():
        if total.op == "total":
            slots, column = total.args[1:]
            if not any(scope.shape.must(s) and present(s, column) for s in slots):
                raise Refused(
                    "sum-of-nothing",
                    f"SUM is null where all '{column}' are null in SQL, and 0 here",
                    f"add AND {column} IS NOT NULL to the condition of the variable",
                    total.span,
                )
    return node


def _unnamed(name: str, span: Span) -> Refused:
    return Refused(
        "several-steps",
        f"{name} is here a row of one of several steps, depending on how many rows they took",
        "name one variable that takes a row in every match, or add AND column IS NOT NULL to its condition",
        span,
    )
