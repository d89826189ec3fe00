"""Conditions on the column of ORDER BY: it is the time of the event, whatever the data writes there."""

from __future__ import annotations

from limecep.translation.formula import NEGATED
from limecep.translation.intervals import duration
from limecep.translation.tree import ROW_OPS, Node, Refused

#: What the time of an event is called: an attribute of this name is that, and no field of its payload.
TIME = "time"


def timed(node: Node, column: str) -> Node:
    """An expression whose comparisons of times compare the times of events.

    Args:
        node: The expression, its columns resolved.
        column: The column that rows are ordered by.

    Raises:
        Refused: A time is compared with a text, or something else is computed with an interval.
    """
    if node.op in NEGATED or node.op in ("between", "in"):
        return _compared(node, column)
    if node.op == "interval":
        raise _arithmetic(node)
    return Node(node.op, tuple(timed(a, column) if isinstance(a, Node) else a for a in node.args), node.span)


def _compared(node: Node, column: str) -> Node:
    times = any(_of(n, column) for n in node.walk())
    if any(n.op == "interval" for n in node.walk()) or (times and all(_of(a, column) for a in node.below)):
        return Node(node.op, tuple(_instant(a, column) for a in node.args), node.span)
    texts = [n for n in node.walk() if n.op == "literal" and isinstance(n.args[0], str)]
    if times and texts:
        raise Refused(
            "time-literal",
            f"'{column}' is a time, and is compared with a text",
            "leave rows of other times out of the source",
            texts[0].span,
        )
    if column == TIME and times:
        raise _arithmetic(node)
    return node


def _of(node: Node, column: str) -> bool:
    return node.op in ROW_OPS and node.args[-1] == column


def _instant(node: Node, column: str) -> Node:
    """A side of a comparison: a time, an interval, or sums and differences of them."""
    if _of(node, column) and node.op != "agg":
        return Node(node.op, (*node.args[:-1], TIME), node.span)
    if node.op == "interval":
        length = duration(node)
        if length is None:
            raise _arithmetic(node)
        return Node("seconds", (length,), node.span)
    if node.op in ("+", "-"):
        return Node(node.op, tuple(_instant(a, column) for a in node.args), node.span)
    raise _arithmetic(node)


def _arithmetic(node: Node) -> Refused:
    return Refused(
        "time-arithmetic",
        "only the column of ORDER BY is a time here, and only intervals are added to it",
        "such as B.ts < A.ts + INTERVAL '10' MINUTE; for a whole match there is WITHIN",
        node.span,
    )
