"""Values of expressions: three-valued, and never an exception on odd data.

One object stands for a missing value and for an unknown truth, as NULL does in SQL.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from limecep.model.event import Event
from limecep.model.exists import Exists, filled
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Call,
    Constant,
    Current,
    Expression,
    Index,
    Logical,
    Membership,
    Parameter,
    Position,
    Unary,
)
from limecep.model.function import Function
from limecep.model.instants import Instant
from limecep.model.table import Column
from limecep.model.time import EARLIEST, LATEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Missing(Enum):
    """The type of `MISSING`."""

    MISSING = "missing"


MISSING = Missing.MISSING

_ARITHMETIC = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}
_COMPARISON = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One instance of a condition: what its variables and its index stand for.

    Attributes:
        groups: The events of every variable; of one that is not there, none.
        each: For every variable named without an index, the event it stands for.
        i: The index, from 1, where the condition has one.
        params: The values of parameters.
        end: The variable of the end step.
    """

    groups: Mapping[str, Sequence[Event]]
    each: Mapping[str, Event]
    i: int
    params: Mapping[str, Any]
    end: str = ""


def evaluate(expression: Expression, scope: Scope) -> Any:
    """The value of an expression in one scope."""
    match expression:
        case Constant(value=value):
            return MISSING if value is None else value
        case Parameter(name=name):
            value = scope.params[name]
            return MISSING if value is None else value
        case Attribute(variable=variable, path=path, index=index):
            event = event_of(variable, index, scope)
            return MISSING if event is None else attribute(event, path)
        case Aggregate():
            return _aggregate(expression, scope)
        case Unary(operator=op, operand=operand):
            return _unary(op, evaluate(operand, scope))
        case Call(function=Column() as column):
            # Most conditions look nothing up.
            from limecep.testing.oracle.tables import looked_up

            return looked_up(expression, column, scope)
        case Call(function=Exists() as exists):
            values = [evaluate(x, scope) for x in expression.arguments]
            return any(_holds(exists, values, n, scope) for n in range(len(values[0])))
        case Call():
            return _call(expression, [evaluate(x, scope) for x in expression.arguments])
        case Binary(operator=op, left=left, right=right) if op in _ARITHMETIC:
            return _arithmetic(op, evaluate(left, scope), evaluate(right, scope))
        case Binary(operator=op, left=left, right=right):
            return _comparison(op, left, right, scope)
        case Logical(operator=op, operands=operands):
            return _logical(op, [evaluate(x, scope) for x in operands])
        case Membership(operand=operand, choices=choices):
            single = [c for choice in choices for c in _listed(choice, scope)]
            return _logical("or", [False, *(_comparison("==", operand, c, scope) for c in single)])
        case Between(operand=operand, low=low, high=high):
            bounds = [_comparison(">=", operand, low, scope), _comparison("<=", operand, high, scope)]
            return _logical("and", bounds)


def _listed(choice: Expression, scope: Scope) -> list[Expression]:
    """The values that a choice of IN stands for: those of a parameter that is a list."""
    value = scope.params.get(choice.name) if isinstance(choice, Parameter) else None
    return [Constant(v) for v in value] if isinstance(value, list) else [choice]


def attribute(event: Event, path: Sequence[str]) -> Any:
    """The attribute of an event. JSON null is missing; `id`, `type` and `source` are the event's own where
    its payload has no such name. A name may have dots in it; objects inside each other go first."""
    if len(path) == 1 and path[0] in ("id", "type", "source") and path[0] not in event.payload:
        return getattr(event, path[0])
    if tuple(path) == ("time",):
        return Instant(event.t_gen)
    return next((v for v in readings(event.payload, path) if v is not None), MISSING)


def readings(value: Any, path: Sequence[str]) -> Iterator[Any]:
    """What a path may lead to."""
    if not path:
        yield value
    elif isinstance(value, dict):
        for n in range(1, len(path) + 1):
            name = ".".join(path[:n])
            if name in value:
                yield from readings(value[name], path[n:])


def is_number(value: object) -> bool:
    """Whether it is a number; a boolean is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def event_of(variable: str, index: Index, scope: Scope) -> Event | None:
    """The event that a reference is about; None if there is none."""
    group = scope.groups.get(variable, ())
    match index:
        case None:
            return scope.each[variable]
        case Current(offset=offset):
            return group[scope.i + offset - 1]
        case Position(number=-1):
            return group[-1] if group else None
        case Position(number=number):
            return group[number - 1] if 1 <= number <= len(group) else None


def _aggregate(expression: Aggregate, scope: Scope) -> Any:
    group = scope.groups.get(expression.variable, ())
    if expression.running:
        group = group[: scope.i - 1]
    if not expression.path:
        return len(group)
    if expression.function == "column":
        return [attribute(e, expression.path) for e in group]
    values = [v for v in (attribute(e, expression.path) for e in group) if v is not MISSING]
    match expression.function:
        case "count":
            return len(values)
        case "sum":
            return _sum(values)
        case "avg":
            total = _sum(values)
            return _arithmetic("/", total, len(values)) if values else MISSING
        case "min":
            return _least(values, min)
        case "max":
            return _least(values, max)
        case "collect":
            parts = [v if isinstance(v, list) else [v] for v in values]
            return [v for part in parts for v in part if v is not None]


def _holds(exists: Exists, values: Sequence[Any], place: int, scope: Scope) -> bool:
    """Whether a condition is true of the event at a place of a group."""
    row = [v[place] if n < exists.columns else v for n, v in enumerate(values)]
    payload = {str(n): v for n, v in enumerate(row) if v is not MISSING}
    one = Event(type="", id="", t_gen=0, payload=payload)
    condition = filled(exists.condition, lambda slot: Attribute("", (str(slot.place),)))
    return evaluate(condition, replace(scope, each={**scope.each, "": one})) is True


def _sum(values: Sequence[Any]) -> Any:
    if not all(is_number(v) for v in values):
        return MISSING
    if all(isinstance(v, int) for v in values):
        return sum(values)
    try:
        return _number(math.fsum(values))
    except (OverflowError, ValueError):
        return MISSING


def _least(values: Sequence[Any], pick: Any) -> Any:
    if any(v != v for v in values):
        return MISSING
    alike = all(is_number(v) for v in values) or any(
        all(isinstance(v, kind) for v in values) for kind in (str, Instant)
    )
    return pick(values) if values and alike else MISSING


def _unary(op: str, value: Any) -> Any:
    if op == "not":
        return not value if isinstance(value, bool) else MISSING
    if not is_number(value):
        return MISSING
    return _number(abs(value) if op == "abs" else -value)


def _call(call: Call, values: Sequence[Any]) -> Any:
    """The value of a function (section 12). It raises nothing, or should not."""
    assert isinstance(call.function, Function)
    signature = call.function.signature
    arguments = (*signature.arguments, *[signature.more] * len(values))
    for argument, value in zip(arguments, values, strict=False):
        assert argument is not None
        if value is MISSING and not argument.missing:
            return MISSING
        if value is not MISSING and argument.kind not in ("object", *_kinds(value)):
            return MISSING
    try:
        found = call.function.compute(*(None if v is MISSING else v for v in values))
    except MemoryError:
        raise
    except Exception:
        return MISSING
    if signature.result == "object":
        return MISSING if found is None else found
    given = type(found).__name__
    told = ("int", "float") if signature.result == "float" else (signature.result.partition("[")[0],)
    # NaN is no number.
    return found if given in told and found == found else MISSING


def _kinds(value: Any) -> tuple[str, ...]:
    """The kinds of arguments that a value is one of. NaN is no number."""
    if isinstance(value, list):
        numbers = all(is_number(v) and v == v for v in value)
        return ("list", "list[float]") if numbers else ("list",)
    if not is_number(value):
        return (type(value).__name__,)
    if isinstance(value, int):
        return ("int", "float")
    return ("float",) if value == value else ()


def _arithmetic(op: str, left: Any, right: Any) -> Any:
    times = [v.microseconds for v in (left, right) if isinstance(v, Instant)]
    if len(times) == 2:
        return float(Fraction(times[0] - times[1], 1_000_000)) if op == "-" else MISSING
    if times and op in ("+", "-") and (op == "+" or isinstance(left, Instant)):
        seconds = right if isinstance(left, Instant) else left
        if not is_number(seconds) or not abs(seconds) < 10**13:
            return MISSING
        more = round(seconds * 1_000_000)
        at = times[0] + (more if op == "+" else -more)
        return Instant(at) if EARLIEST <= at <= LATEST else MISSING
    if not (is_number(left) and is_number(right)):
        return MISSING
    try:
        return _number(_ARITHMETIC[op](left, right))
    except (ArithmeticError, ValueError):
        return MISSING


def _number(value: Any) -> Any:
    return MISSING if value != value else value


def _comparison(op: str, left: Expression, right: Expression, scope: Scope) -> Any:
    a, b = evaluate(left, scope), evaluate(right, scope)
    if op in ("==", "!="):
        for side, other in ((left, b), (right, a)):
            if _is_null(side, scope):
                return (other is MISSING) == (op == "==")
    if is_number(a) and is_number(b):
        comparable = a == a and b == b
    elif isinstance(a, bool) and isinstance(b, bool):
        comparable = op in ("==", "!=")
    elif op in ("==", "!=") and _kind(a) != _kind(b) and a is not MISSING and b is not MISSING:
        return op == "!="
    else:
        comparable = type(a) is type(b) in (str, Instant)
    return _COMPARISON[op](a, b) if comparable else MISSING


def _kind(value: Any) -> Any:
    """Numbers, texts, booleans, lists and objects are each a kind."""
    return float if is_number(value) else type(value)


def _is_null(expression: Expression, scope: Scope) -> bool:
    """Whether it is written as null: the literal, or a parameter that is null."""
    match expression:
        case Constant(value=value):
            return value is None
        case Parameter(name=name):
            return scope.params[name] is None
        case _:
            return False


def _logical(op: str, values: Iterable[Any]) -> Any:
    """Kleene's logic: what decides, decides; else one unknown makes it unknown."""
    decisive = op == "or"
    truths = [v if isinstance(v, bool) else MISSING for v in values]
    if decisive in truths:
        return decisive
    return MISSING if MISSING in truths else not decisive
