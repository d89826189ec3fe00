"""What is wrong with the arguments and the values of functions, as far as their kinds are known before any
event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.language.problems import QueryProblem
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Call,
    Constant,
    Expression,
    Logical,
    Membership,
    Parameter,
    Unary,
)
from limecep.model.function import Function
from limecep.model.walk import children, walk
from limecep.signature import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.model.pattern import Pattern

#: The kinds of values that each kind of argument takes. `float` is a number, whole or not; `fraction` is one
#: that never is whole, as Python has it: 2.0 is none.
_TAKES = {
    "str": {"str"}, "int": {"int", "float"}, "float": {"int", "float", "fraction"}, "bool": {"bool"},
    "Instant": {"Instant"}, "list": {"list", "list[float]"}, "list[float]": {"list", "list[float]"},
}  # fmt: skip
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_NUMBERS = {"int", "float", "fraction"}
#: Kinds that not all expressions are looked at for.
_LATER = ("Instant", "list", "list[float]")
#: Kinds in words.
CALLED = {**KINDS, "fraction": "a number that is not whole"}


def misfits(condition: Expression, params: Mapping[str, Any], pattern: Pattern) -> Iterator[QueryProblem]:
    """What is wrong with calls, and with what is done with their values, as far as kinds are known.

    Args:
        condition: An expression.
        params: The parameters whose value is known.
        pattern: The pattern.
    """
    if any(isinstance(node, Call) and not isinstance(node.function, Function) for node in walk(condition)):
        # Most pipelines have no tables.
        from limecep.language.tablecheck import misfits as of_tables

        yield from of_tables(condition, params, pattern)
    for node in walk(condition):
        if isinstance(node, Call):
            yield from _arguments(node, params)
        if any(
            isinstance(n, Call) or kind_in(n, params) in _LATER
            for child in children(node)
            for n in walk(child)
        ):
            yield from _values(node, params)


def _values(node: Expression, params: Mapping[str, Any]) -> Iterator[QueryProblem]:
    match node:
        case Binary(operator, left, right) if operator not in _COMPARISONS:
            if kind_in(node, params) == "null" and "null" not in (
                kind_in(left, params),
                kind_in(right, params),
            ):
                message = (
                    f"{node} is always missing: nothing can be calculated so with a time, or with values"
                )
                yield _warning(node, message, "the difference of two times is a number of seconds")
        case Binary(operator, left, right) if operator in _COMPARISONS:
            yield from _unlike(node, left, (right,), params, ordering=operator not in ("==", "!="))
        case Between(operand, low, high):
            yield from _unlike(node, operand, (low, high), params, ordering=True)
        case Membership(operand, choices):
            # Which of a list they are is for events to say.
            single = [c for c in choices if kind_in(c, params) != "list"]
            yield from _unlike(node, operand, single or [Constant(None)], params, ordering=False)
        case Logical() | Unary("not"):
            yield from (problem for n in children(node) for problem in no_condition(n))


def no_condition(node: Expression) -> Iterator[QueryProblem]:
    """What is wrong with a call that stands in the place of a condition."""
    kind = node.function.signature.result if isinstance(node, Call) else ""
    if isinstance(node, Attribute) and node.path == ("time",):
        kind = "Instant"
    if kind not in ("", "bool", "object"):
        message = f"{node} is {KINDS[kind]}, and neither true nor false"
        yield _warning(node, message, f"compare it with something, as in {node} = ...")


def _arguments(call: Call, params: Mapping[str, Any]) -> Iterator[QueryProblem]:
    """Arguments that are never of the kind that the function takes, so that its value is always missing."""
    name = call.function.name
    vet = getattr(getattr(call.function, "compute", None), "vet", None)
    known = [_known(node, params) for node in call.arguments]
    if vet is not None and any(v is not None for v in known) and (said := vet(*known)):
        yield QueryProblem(code="argument-value", message=said, start=call.span[0], end=call.span[1])
    for place, node in enumerate(call.arguments):
        argument = call.function.signature.argument(place)
        kind = kind_in(node, params)
        if argument.kind == "object" or kind in ("", *_TAKES[argument.kind]):
            continue
        if kind == "null" and argument.missing:
            continue
        said = "null" if kind == "null" else CALLED[kind]
        yield QueryProblem(
            code="argument-kind",
            message=f"{name} takes {KINDS[argument.kind]} as '{argument.name}', and {node} is {said}",
            hint=f"it is {name}{call.function.signature}",
            start=node.span[0],
            end=node.span[1],
        )


def _known(node: Expression, params: Mapping[str, Any]) -> Any:
    """The value of an argument, as far as it is known before any event."""
    if isinstance(node, Constant):
        return node.value
    return params.get(node.name) if isinstance(node, Parameter) else None


def _unlike(
    node: Expression,
    one: Expression,
    others: Sequence[Expression],
    params: Mapping[str, Any],
    *,
    ordering: bool,
) -> Iterator[QueryProblem]:
    """A comparison with values of which none is ever of a kind that compares."""
    kind, kinds = kind_in(one, params), [kind_in(n, params) for n in others]
    if kind in ("", "null") or not all(kinds) or "null" in kinds:
        return
    if not any(kind == k or {kind, k} <= _NUMBERS for k in kinds):
        message = f"{one} is {CALLED[kind]}, and {others[0]} is {CALLED[kinds[0]]}: they do not compare"
        yield _warning(node, message, "values of different kinds have no order, and are never equal")
    elif ordering and kind == "bool":
        yield _warning(node, f"{one} is a boolean, and booleans have no order", "write = true, or = false")


def _warning(node: Expression, message: str, hint: str) -> QueryProblem:
    start, end = node.span
    return QueryProblem(
        code="value-kind", message=message, hint=hint, severity="warning", start=start, end=end
    )


def kind_in(node: Expression, params: Mapping[str, Any]) -> str:
    """The kind of value that an expression has, `null` if it always is missing; "" if events decide it."""
    match node:
        case Constant(value):
            return _of(value)
        case Parameter(name):
            return _of(params[name]) if name in params else ""
        case Attribute(path=("time",)) | Aggregate(function="min" | "max", path=("time",)):
            return "Instant"
        case Attribute() | Aggregate(function="min" | "max"):
            return ""
        case Aggregate(function="collect"):
            return "list"
        case Aggregate(function="avg"):
            return "fraction"
        case Aggregate(function):
            return "int" if function == "count" else "float"
        case Call(function):
            return "" if function.signature.result == "object" else function.signature.result
        case Unary("-" | "abs", operand):
            kind = kind_in(operand, params)
            return kind if kind in _NUMBERS else "float"
        case Binary(operator, left, right) if operator in ("+", "-", "*", "/", "%"):
            first, second = kind_in(left, params), kind_in(right, params)
            kinds = {first, second}
            if kinds == {"Instant"}:
                return "float" if operator == "-" else "null"
            if "Instant" in kinds:
                sensible = operator == "+" or (operator == "-" and first == "Instant")
                return "Instant" if sensible and kinds & {"", *_NUMBERS} else "null"
            if kinds & {"list", "list[float]"}:
                return "null"
            if operator == "/" or "fraction" in kinds:
                return "fraction"
            return "int" if kinds == {"int"} else "float"
    return "bool"


def _of(value: Any) -> str:
    if value is None:
        return "null"
    return "fraction" if type(value) is float else type(value).__name__
