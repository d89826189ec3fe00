"""The filter of a step: which events it may take, decided on the event alone."""

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
    Logical,
    Membership,
    Parameter,
    Unary,
)
from limecep.plan.expressions import spelled_out
from limecep.plan.plan import StepFilter
from limecep.plan.source import Binding, compiled

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

_COMMUTATIVE = ("==", "!=", "+", "*")
_TURNED = {">": "<", ">=": "<="}


def step_filter(
    types: Iterable[str], variable: str, conditions: Iterable[Expression], counters: Counter[str]
) -> StepFilter:
    """The filter of a step of `variable`, from settled conditions that name no other variable there is.

    `counters` are as `limecep.plan.source.compiled` takes them.
    """
    types = tuple(sorted(set(types)))
    by_meaning = {signature(c, variable): c for c in conditions}
    binding = Binding(given={(variable, None): "event"}, groups={variable: "(event,)"})
    accepts = compiled("event, /", by_meaning.values(), binding, counters) if by_meaning else None
    return StepFilter(
        types=types,
        accepts=accepts,
        signature=" ".join([repr(types), *sorted(by_meaning)]),
    )


def signature(node: Expression, variable: str) -> str:
    """A text that is the same for conditions of the same meaning, as far as that shows: `3 < a.v` and
    `b.v > 3` agree."""

    def again(n: Expression) -> str:
        return signature(n, variable)

    match node:
        case Constant():
            # Not in decimal: Python refuses to write very long numbers.
            return hex(node.value) if type(node.value) is int else repr(node.value)
        case Attribute() | Aggregate() if node.variable != variable:
            return f"nothing.{node.function}" if isinstance(node, Aggregate) else "nothing"
        case Attribute():
            return f".{node.path!r}{node.index or ''}"
        case Aggregate():
            return f"{node.function}.{node.path!r}"
        case Call():
            return f"{node.function.name!r}({', '.join(map(again, node.arguments))})"
        case Unary():
            return f"({node.operator} {again(node.operand)})"
        case Binary():
            parts = [again(node.left), again(node.right)]
            if node.operator in _TURNED:
                parts.reverse()
            elif node.operator in _COMMUTATIVE:
                parts.sort()
            return f"({_TURNED.get(node.operator, node.operator)} {' '.join(parts)})"
        case Logical():
            return f"({node.operator} {' '.join(sorted(set(map(again, node.operands))))})"
        case Membership() | Between():
            return again(spelled_out(node))
        case Parameter():
            raise AssertionError(f"parameter {node.name!r} is not bound")
