"""What is wrong with the arguments of functions, as far as their kinds are known before any event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.language.problems import QueryProblem
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Binary,
    Call,
    Constant,
    Expression,
    Parameter,
    Unary,
)
from limecep.signature import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: The kinds of values that each kind of argument takes. `float` is a number, whole or not; `fraction` is one
#: that never is whole, as Python has it: 2.0 is none.
_TAKES = {"str": {"str"}, "int": {"int", "float"}, "float": {"int", "float", "fraction"}, "bool": {"bool"}}
_NUMBERS = {"int", "float", "fraction"}
_CALLED = {**KINDS, "fraction": "a number that is not whole"}


def misfits(call: Call, params: Mapping[str, Any]) -> Iterator[QueryProblem]:
    """Arguments of a call that are never of the kind that its function takes, so that its value is always
    missing.

    Args:
        call: The call.
        params: The parameters whose value is known.
    """
    name = call.function.name
    for place, node in enumerate(call.arguments):
        argument = call.function.signature.argument(place)
        kind = _kind(node, params)
        if argument.kind == "object" or kind in ("", *_TAKES[argument.kind]):
            continue
        if kind == "null" and argument.missing:
            continue
        said = "null" if kind == "null" else _CALLED[kind]
        yield QueryProblem(
            code="argument-kind",
            message=f"{name} takes {KINDS[argument.kind]} as '{argument.name}', and {node} is {said}",
            hint=f"it is {name}{call.function.signature}",
            start=node.span[0],
            end=node.span[1],
        )


def _kind(node: Expression, params: Mapping[str, Any]) -> str:
    """The kind of value that an expression has, `null` if it always is missing; "" if events decide it."""
    match node:
        case Constant(value):
            return _of(value)
        case Parameter(name):
            return _of(params[name]) if name in params else ""
        case Attribute() | Aggregate(function="min" | "max"):
            return ""
        case Aggregate(function="avg"):
            return "fraction"
        case Aggregate(function):
            return "int" if function == "count" else "float"
        case Call(function):
            return "" if function.signature.result == "object" else function.signature.result
        case Unary("-" | "abs", operand):
            kind = _kind(operand, params)
            return kind if kind in _NUMBERS else "float"
        case Binary(operator, left, right) if operator in ("+", "-", "*", "/", "%"):
            kinds = {_kind(left, params), _kind(right, params)}
            if operator == "/" or "fraction" in kinds:
                return "fraction"
            return "int" if kinds == {"int"} else "float"
    return "bool"


def _of(value: Any) -> str:
    if value is None:
        return "null"
    return "fraction" if type(value) is float else type(value).__name__
