"""Going through expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from collections.abc import Collection, Iterator, Mapping, Sequence

    #: The attributes that conditions name, as paths, by variable.
    Named = Mapping[str, Sequence[tuple[str, ...]]]


def children(node: Expression) -> tuple[Expression, ...]:
    """The operands of a node, from left to right."""
    match node:
        case Unary(_, operand):
            return (operand,)
        case Call(_, arguments):
            return arguments
        case Binary(_, left, right):
            return (left, right)
        case Logical(_, operands):
            return operands
        case Membership(operand, choices):
            return (operand, *choices)
        case Between(operand, low, high):
            return (operand, low, high)
    return ()


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
