"""What the nodes of conditions compare, and calculate with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Call,
    Constant,
    Expression,
    Membership,
    Unary,
)
from limecep.model.walk import walk
from limecep.plan.values import COMPARISONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

#: The kinds of values that have an order.
ORDERED = frozenset({"a number", "text", "a time"})
#: The kinds of values that functions take and give, by the words of their signatures; of `object` it is any.
OF_FUNCTIONS: dict[str, frozenset[str]] = {
    "str": frozenset({"text"}),
    "int": frozenset({"a number"}),
    "float": frozenset({"a number"}),
    "bool": frozenset({"a boolean"}),
    "Instant": frozenset({"a time"}),
    "list": frozenset({"a list"}),
    "list[float]": frozenset({"a list"}),
}


def _is_null(node: Expression) -> bool:
    return type(node) is Constant and node.value is None


def may_be_missing(node: Expression) -> tuple[Expression, ...]:
    """What `= null` is asked of, or what a function takes though it is missing: then that is no mistake."""
    inside = getattr(node.function, "condition", None) if isinstance(node, Call) else None
    if isinstance(node, Call) and inside is not None:
        # Few conditions are about one event of a group.
        from limecep.model.exists import Slot

        asked = [n for inner in walk(inside) for n in may_be_missing(inner)]
        return tuple(node.arguments[n.place] for n in asked if isinstance(n, Slot))
    if isinstance(node, Call):
        taken = node.function.signature.argument
        return tuple(n for place, n in enumerate(node.arguments) if taken(place).missing)
    if isinstance(node, Binary) and node.operator == "==" and (_is_null(node.left) or _is_null(node.right)):
        return (node.left, node.right)
    return ()


def compared(node: Expression) -> Iterator[tuple[str, Expression, tuple[Expression, ...]]]:
    """The comparisons that a node makes: each of one side with any of some others."""
    match node:
        case Binary() if node.operator in COMPARISONS:
            yield node.operator, node.left, (node.right,)
        case Between():
            yield ">=", node.operand, (node.low,)
            yield "<=", node.operand, (node.high,)
        case Membership():
            yield "==", node.operand, node.choices


def operands(node: Expression) -> Iterator[tuple[Expression, Set[str]]]:
    """What a node calculates with, and the kinds that are of use to it."""
    match node:
        case Aggregate(path=path, function=function) if path and function not in (
            "count",
            "collect",
            "column",
        ):
            own = Attribute(node.variable, path, span=node.span)
            yield own, ORDERED if function in ("min", "max") else {"a number"}
        case Unary(operator="-" | "abs"):
            yield node.operand, {"a number"}
        case Binary() if node.operator not in COMPARISONS:
            of_times = {"a time"} if node.operator in ("+", "-") else set()
            yield from ((operand, {"a number"} | of_times) for operand in (node.left, node.right))
        case Call():
            for place, operand in enumerate(node.arguments):
                argument = node.function.signature.argument(place)
                if argument.kind in OF_FUNCTIONS:
                    yield operand, OF_FUNCTIONS[argument.kind]
