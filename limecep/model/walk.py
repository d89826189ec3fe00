"""Going through expressions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Call,
    Expression,
    Logical,
    Membership,
    Unary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    #: The attributes that conditions name, as paths, by variable.
    Named = Mapping[str, Sequence[tuple[str, ...]]]


def children(node: Expression) -> tuple[Expression, ...]:
    """The operands of a node, from left to right."""
    match node:
        case Unary(_, operand):
            return (operand,)
        case Call(function, arguments):
            inside = getattr(function, "condition", None)
            return arguments if inside is None else (*arguments, inside)
        case Binary(_, left, right):
            return (left, right)
        case Logical(_, operands):
            return operands
        case Membership(operand, choices):
            return (operand, *choices)
        case Between(operand, low, high):
            return (operand, low, high)
    return ()


def over_children(node: Expression, again: Callable[[Expression], Expression]) -> Expression:
    """The node with every expression right below it changed."""
    match node:
        case Unary():
            return replace(node, operand=again(node.operand))
        case Call(function, arguments):
            any_of: Any = function
            if hasattr(any_of, "condition"):
                function = replace(any_of, condition=again(any_of.condition))
            return replace(node, function=function, arguments=tuple(map(again, arguments)))
        case Binary():
            return replace(node, left=again(node.left), right=again(node.right))
        case Logical():
            return replace(node, operands=tuple(map(again, node.operands)))
        case Membership():
            return replace(node, operand=again(node.operand), choices=tuple(map(again, node.choices)))
        case Between():
            return replace(node, operand=again(node.operand), low=again(node.low), high=again(node.high))
    return node


def walk(node: Expression) -> Iterator[Expression]:
    """The node and everything below it, each before its operands."""
    yield node
    for child in children(node):
        yield from walk(child)


def conjuncts(where: Expression | None) -> tuple[Expression, ...]:
    """The conditions that WHERE joins by AND (nested ANDs are flat in a model)."""
    if where is None:
        return ()
    if isinstance(where, Logical) and where.operator == "and":
        return where.operands
    return (where,)


def named(where: Expression | None, but: Collection[int] = ()) -> Named:
    """The attributes that a WHERE names, by variable, each once and in the order written.

    Args:
        where: The WHERE.
        but: The `id` of nodes that do not count.
    """
    found: dict[str, dict[tuple[str, ...], None]] = {}
    for node in walk(where) if where is not None else ():
        if isinstance(node, Attribute | Aggregate) and node.path and id(node) not in but:
            found.setdefault(node.variable, {})[node.path] = None
    return {variable: tuple(paths) for variable, paths in found.items()}
