"""What is wrong with the arguments and the values of functions, as far as their kinds are known before any
event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.errors import ContractBreach
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
    "Instant": {"Instant"}, "list": {"list", "list[float]", "list[Instant]"},
    "list[float]": {"list", "list[float]"},
}  # fmt: skip
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_NUMBERS = {"int", "float", "fraction"}
_OF_NUMBERS = "it takes numbers: number(x) is the one that a text spells, concat joins texts"
#: Kinds in words.
CALLED = {
    **KINDS, "fraction": "a number that is not whole", "list[Instant]": "times", "null": "always missing",
}  # fmt: skip


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
            yield from _arguments(node, params, pattern.text)
        yield from _values(node, params, pattern.text)


def _values(node: Expression, params: Mapping[str, Any], text: str) -> Iterator[QueryProblem]:
    below = [kind_in(child, params) for child in children(node)]
    match node:
        case Binary(operator, left, right) if operator in _COMPARISONS:
            yield from _unlike(node, left, (right,), params, text, ordering=operator not in ("==", "!="))
        case Between(operand, low, high):
            yield from _unlike(node, operand, (low, high), params, text, ordering=True)
        case Membership(operand, choices):
            # Which of a list they are is for events to say.
            single = [c for c in choices if kind_in(c, params) != "list"]
            yield from _unlike(node, operand, single or [Constant(None)], params, text, ordering=False)
        case Logical() | Unary("not"):
            yield from (problem for n in children(node) for problem in no_condition(n, params, text))
        case Call() if kind_in(node, params) == "null" and "null" not in below:
            hint = "it takes values of one kind"
            yield _warning(node, f"{said(node, text)} is always missing: its values do not compare", hint)
        case Aggregate() | Unary() | Binary() if kind_in(node, params) == "null" and "null" not in below:
            what = next((CALLED[k] for k in below if k not in ("", *_NUMBERS)), "times")
            what = "a time" if "Instant" in below else what
            message = f"{said(node, text)} is always missing: nothing can be calculated so with {what}"
            hint = "the difference of two times is a number of seconds" if "time" in what else _OF_NUMBERS
            yield _warning(node, message, hint)


def said(node: Expression, text: str) -> str:
    """A node as it is written in a query."""
    written = " ".join(text[slice(*node.span)].split())
    return str(node) if written[:1] in ("", "(") else written


def no_condition(node: Expression, params: Mapping[str, Any], text: str) -> Iterator[QueryProblem]:
    """What is wrong with what stands in the place of a condition."""
    kind = kind_in(node, params)
    if kind not in ("", "bool"):
        name = said(node, text)
        message = f"{name} is {CALLED[kind]}, and neither true nor false"
        yield _warning(node, message, f"compare it, as in {name} = ...")


def _arguments(call: Call, params: Mapping[str, Any], text: str) -> Iterator[QueryProblem]:
    """Arguments that are never of the kind that the function takes, so that its value is always missing."""
    name = call.function.name
    vet = getattr(getattr(call.function, "compute", None), "vet", None)
    known = [_known(node, params) for node in call.arguments]
    if vet is not None and any(v is not None for v in known):
        yield from _vetted(call, vet, known)
    for place, node in enumerate(call.arguments):
        argument = call.function.signature.argument(place)
        kind = kind_in(node, params)
        if argument.kind == "object" or kind in ("", *_TAKES[argument.kind]):
            continue
        if kind == "null" and argument.missing:
            continue
        given = "null" if kind == "null" else CALLED[kind]
        yield QueryProblem(
            code="argument-kind",
            message=f"{name} takes {KINDS[argument.kind]} as '{argument.name}', and {said(node, text)} is "
            f"{given}",
            hint=f"it is {name}{call.function.signature}",
            start=node.span[0],
            end=node.span[1],
        )


def _vetted(call: Call, vet: Any, known: Sequence[Any]) -> Iterator[QueryProblem]:
    """What a function says of what is known of its arguments."""
    start, end = call.span
    try:
        said = vet(*known)
        if said and not isinstance(said, str):
            raise ContractBreach(vet, f"gives {said!r:.200} in 'vet', where text is due")
    except BaseException as error:
        fault = call.function.name, error
        message = f"{call.function.name} cannot say what is wrong with its arguments"
        yield QueryProblem(code="faulty-plugin", message=message, start=start, end=end, fault=fault)
        return
    if said:
        yield QueryProblem(code="argument-value", message=said, start=start, end=end)


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
    text: str,
    *,
    ordering: bool,
) -> Iterator[QueryProblem]:
    """A comparison with values of which none is ever of a kind that compares."""
    kind, kinds = kind_in(one, params), [kind_in(n, params) for n in others]
    if kind in ("", "null") or not all(kinds) or "null" in kinds:
        return
    if not any(kind == k or {kind, k} <= _NUMBERS for k in kinds):
        first, second = said(one, text), said(others[0], text)
        message = f"{first} is {CALLED[kind]}, and {second} is {CALLED[kinds[0]]}: they do not compare"
        yield _warning(node, message, _instead(kind, kinds[0], first, second))
    elif ordering and kind == "bool":
        yield _warning(
            node, f"{said(one, text)} is a boolean, and booleans have no order", "write = true, or = false"
        )


def _instead(kind: str, other: str, first: str, second: str) -> str:
    """How values of two kinds may be made to compare."""
    if {kind, other} == {"Instant", "str"}:
        return f"write instant({second if other == 'str' else first}) for the time that a text says"
    if "str" in (kind, other) and {kind, other} & _NUMBERS:
        return "write numbers, and durations such as 5 minutes, without quotes; number(x) is one that is text"
    return "values of different kinds have no order, and are never equal"


def _warning(node: Expression, message: str, hint: str) -> QueryProblem:
    start, end = node.span
    return QueryProblem(
        code="value-kind", message=message, hint=hint, severity="warning", start=start, end=end
    )


def kind_in(node: Expression, params: Mapping[str, Any]) -> str:
    """The kind of value that an expression has, `null` if it always is missing; "" if events decide it."""
    match node:
        case Constant(value):
            # What stands for an argument of `any` is of the kind that events decide.
            return _of(value) if type(node) is Constant else ""
        case Parameter(name):
            return _of(params[name]) if name in params else ""
        case Attribute(path=("time",)) | Aggregate(function="min" | "max", path=("time",)):
            return "Instant"
        case Attribute() | Aggregate(function="min" | "max"):
            return ""
        case Aggregate(function="sum" | "avg", path=("time",)):
            return "null"
        case Aggregate(function="collect" | "column", path=path):
            return "list[Instant]" if path == ("time",) else "list"
        case Aggregate(function="avg"):
            return "fraction"
        case Aggregate(function):
            return "int" if function == "count" else "float"
        case Call(function, arguments):
            said = function.signature.result
            if said == "object":
                decide = getattr(getattr(function, "compute", None), "kind", None)
                return decide(*(kind_in(n, params) for n in arguments)) if decide else ""
            return said
        case Unary("-" | "abs", operand):
            kind = kind_in(operand, params)
            return kind if kind in _NUMBERS else "null" if kind else "float"
        case Binary(operator, left, right) if operator in ("+", "-", "*", "/", "%"):
            first, second = kind_in(left, params), kind_in(right, params)
            kinds = {first, second}
            if kinds == {"Instant"}:
                return "float" if operator == "-" else "null"
            if "Instant" in kinds:
                sensible = operator == "+" or (operator == "-" and first == "Instant")
                return "Instant" if sensible and kinds & {"", *_NUMBERS} else "null"
            if not kinds <= {"", *_NUMBERS}:
                return "null"
            if operator == "/" or "fraction" in kinds:
                return "fraction"
            return "int" if kinds == {"int"} else "float"
    return "bool"


def _of(value: Any) -> str:
    if value is None:
        return "null"
    return "fraction" if type(value) is float else type(value).__name__
