"""Conditions with NEXT: they are decided when the row after has come, as a condition on the way to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.translation.navigation import FUNCTIONS, offset, refuse_operator
from limecep.translation.tree import Node, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.expression import Span
    from limecep.translation.navigation import Scope


def parted(condition: Node) -> tuple[Node, Sequence[Node]]:
    """What a condition says without NEXT, and the parts that have it."""
    parts = condition.args if condition.op == "and" else (condition,)
    later = [p for p in parts if any(n.op == "call" and n.args[0] == "NEXT" for n in p.walk())]
    now = tuple(p for p in parts if p not in later)
    return (Node("and", now, condition.span) if now else Node("literal", (True,), condition.span)), later


def on_the_next_row(scope: Scope, slot: int, node: Node) -> Node:
    """A part of the condition of a slot, as one on the row after: that is the current one then.

    Raises:
        Refused: There may be no row after in the match, or it names other rows besides.
    """
    if slot in scope.shape.ends:
        raise _refused("NEXT looks here at the row after the match, which is not part of it", node.span)
    return _resolved(scope, slot, node)


def _resolved(scope: Scope, slot: int, node: Node) -> Node:
    if node.op == "column":
        return Node("prev", (_own(scope, slot, node),), node.span)
    if node.op == "call":
        name, _, what, *arguments = node.args
        if name == "NEXT" and arguments and not what:
            if offset(node, 1) != 1:
                raise _refused("NEXT reaches one row here", node.span)
            return Node("cur", (_own(scope, slot, arguments[0]),), node.span)
        if name not in FUNCTIONS or not arguments or what:
            raise _refused(f"{name} cannot stand beside NEXT", node.span)
        return Node("function", (FUNCTIONS[name], *(_resolved(scope, slot, a) for a in arguments)), node.span)
    refuse_operator(node)
    args = (_resolved(scope, slot, a) if isinstance(a, Node) else a for a in node.args)
    return Node(node.op, tuple(args), node.span)


def _own(scope: Scope, slot: int, node: Node) -> str:
    variables, column = scope.single(node)
    if variables is not None and scope.shape.slots[slot].variable not in variables:
        raise _refused("only columns of the current row can stand beside NEXT", node.span)
    return column


def _refused(message: str, span: Span) -> Refused:
    hint = "say it in the condition of the variable that takes the row after, with PREV"
    return Refused("next-row", message, hint, span)
