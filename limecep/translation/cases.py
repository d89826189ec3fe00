"""CASE in conditions: the OR of its branches, each a value and when it is the one.

What is left says the same with AND, OR and NOT, so all that is known of these holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.translation.navigation import FUNCTIONS
from limecep.translation.tree import NULL, Node, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Of more branches than these nobody could read what comes out.
_MOST = 64


def without_cases(condition: Node) -> Node:
    """A condition without CASE.

    Raises:
        Refused: It would have too many branches.
    """
    if sum(1 for node in condition.walk() if node.op == "case") > _MOST:
        raise _too_many(condition)
    found = _spread(condition)
    if sum(1 for node in found.walk() if node.op == "holds") > _MOST:
        raise _too_many(condition)
    return found


def branches(case: Node) -> tuple[list[tuple[Node, Node]], Node]:
    """The conditions of a CASE with their values, and what it is where none of them is true."""
    pairs = list(zip(case.args[:-1:2], case.args[1::2], strict=True))
    return pairs, case.args[-1] if len(case.args) % 2 else NULL


def _spread(node: Node) -> Node:
    if node.op in ("and", "or", "not", "holds"):
        return Node(node.op, tuple(map(_spread, node.args)), node.span)
    case = next(_cases(node), None)
    if case is None:
        return node
    pairs, other = branches(case)
    parts: list[Node] = []
    before: list[Node] = []
    for condition, value in pairs:
        true = Node("holds", (_spread(condition),), condition.span)
        parts.append(_joined([*before, true, _spread(_replaced(node, case, value))], node))
        before.append(Node("not", (true,), condition.span))
    parts.append(_joined([*before, _spread(_replaced(node, case, other))], node))
    if len(parts) > _MOST:
        raise _too_many(node)
    return Node("or", tuple(parts), node.span)


def _joined(parts: Sequence[Node], node: Node) -> Node:
    return Node("and", tuple(parts), node.span)


def _cases(node: Node) -> Iterator[Node]:
    """Those of the row whose condition it is: no aggregate takes them apart."""
    if node.op == "case":
        yield node
    elif node.op != "call" or node.args[0] in FUNCTIONS:
        for inner in node.below:
            yield from _cases(inner)


def _replaced(node: Node, case: Node, value: Node) -> Node:
    if node is case:
        return value
    args = (_replaced(a, case, value) if isinstance(a, Node) else a for a in node.args)
    return Node(node.op, tuple(args), node.span)


def _too_many(node: Node) -> Refused:
    return Refused(
        "too-many-alternatives",
        f"CASE has more than {_MOST} branches here",
        "write a condition for each variable",
        node.span,
    )
