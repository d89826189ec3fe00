"""Conditions: which instances a conjunct has, which of them can be decided, and whether all of them hold."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Call,
    Current,
    Expression,
    Logical,
    Membership,
    Position,
    Unary,
)
from limecep.model.walk import walk
from limecep.testing.oracle.values import Scope, evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.pattern import Step

    Groups = Mapping[str, Sequence[Event]]


def conjuncts(where: Expression | None) -> list[Expression]:
    """The conditions of WHERE: its top-level conjuncts."""
    if where is None:
        return []
    if isinstance(where, Logical) and where.operator == "and":
        return [c for operand in where.operands for c in conjuncts(operand)]
    return [where]


def asks_for_the_end(expression: Expression) -> bool:
    """Whether a row of a table has to hold at the time of the end event."""
    from limecep.testing.oracle.tables import one_event

    calls = [n for n in walk(expression) if isinstance(n, Call)]
    return any(call.function.timed and one_event(call) is None for call in calls)


class Condition:
    """One conjunct, quantified as a whole over the events that it names without a fixed place.

    Args:
        expression: The conjunct.
        params: The values of parameters.
        end: The variable of the end step.

    Attributes:
        expression: The conjunct.
        variables: The variables it names; that of the end step, too, where a table is asked for its time.
    """

    def __init__(self, expression: Expression, params: Mapping[str, Any], end: str = "") -> None:
        self.expression = expression
        self._params = params
        self._end = end
        references = list(named(expression))
        if asks_for_the_end(expression):
            references.append(Attribute(end, (), Position(-1)))
        self.variables = frozenset(r.variable for r in references)
        self._each = sorted({r.variable for r in references if isinstance(r, Attribute) and r.index is None})
        self._indexed = [
            (r.variable, r.index.offset)
            for r in references
            if isinstance(r, Attribute) and isinstance(r.index, Current)
        ]
        self._running = [r.variable for r in references if isinstance(r, Aggregate) and r.running]
        self._final = frozenset(r.variable for r in references if isinstance(r, Aggregate) and not r.running)
        self._places = [
            (r.variable, r.index.number)
            for r in references
            if isinstance(r, Attribute) and isinstance(r.index, Position)
        ]

    def holds(self, groups: Groups) -> bool:
        """Whether it is true for every instance. Unknown is false; without an instance it is true."""
        return all(evaluate(self.expression, scope) is True for scope in self.instances(groups))

    def decidable(self, groups: Groups, growing: Step) -> bool:
        """Whether its instances over the events chosen so far can be decided: nothing it names is to come.

        `groups` has the variables that are settled and that of `growing`, the step whose event was chosen
        last; variables of later steps are not in it. The last event of a step is settled when the step is
        left, or at once where it takes exactly one.
        """
        if not self.variables <= groups.keys():
            return False
        size = len(groups[growing.variable])
        return growing.variable not in self._final and all(
            growing.quantifier.single if number == -1 else 1 <= number <= size
            for variable, number in self._places
            if variable == growing.variable
        )

    def instances(self, groups: Groups) -> Iterator[Scope]:
        """What it is about: each choice of events, and each position, for which it has to be true."""
        events = [groups.get(v, ()) for v in self._each]
        for i in self._positions(groups):
            for chosen in product(*events):
                each = dict(zip(self._each, chosen, strict=True))
                yield Scope(groups=groups, each=each, i=i, params=self._params, end=self._end)

    def _positions(self, groups: Groups) -> list[int]:
        """The positions of every group with `[i]` where all that is named exists: from the second on with
        `[i-1]` or `[..i-1]`, to the last but one with `[i+1]`. A single one where there is no `[i]`."""
        before = [(v, -1) for v in self._running]
        named = [(v, o) for v, offset in self._indexed + before for o in (0, offset)]
        if not named:
            return [1]
        longest = max(len(groups.get(v, ())) for v, _ in named)
        return [
            i for i in range(1, longest + 1) if all(1 <= i + o <= len(groups.get(v, ())) for v, o in named)
        ]


def named(expression: Expression) -> Iterator[Attribute | Aggregate]:
    """What names a variable, from left to right."""
    match expression:
        case Attribute() | Aggregate():
            yield expression
        case Unary(operand=operand):
            yield from named(operand)
        case Call(arguments=arguments):
            for argument in arguments:
                yield from named(argument)
        case Binary(left=left, right=right):
            yield from named(left)
            yield from named(right)
        case Logical(operands=operands):
            for operand in operands:
                yield from named(operand)
        case Membership(operand=operand, choices=choices):
            for part in (operand, *choices):
                yield from named(part)
        case Between(operand=operand, low=low, high=high):
            for part in (operand, low, high):
                yield from named(part)
