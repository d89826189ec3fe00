"""Conditions of a form that engines know a short way for.

An equality, `b.x = a.x`, names the few events that can go with one. A condition on the number of a group's
events, `count(b) >= 3`, says what a quantifier says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from limecep.model.expression import Aggregate, Attribute, Binary, Constant, Current, Position
from limecep.model.instants import Instant
from limecep.model.pattern import Quantifier
from limecep.plan.bounds import Bound, scaled
from limecep.plan.values import NUMBERS, attribute

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.expression import Expression
    from limecep.plan.plan import Alternative


@dataclass(frozen=True, slots=True)
class Equality:
    """One side of `own.path = other.path`, and the other.

    Attributes:
        path: The attribute of the event that is looked for.
        other: The attribute it has to equal: of a single step, or of the first or last event of a group; of
            each of its events where it has no index.
    """

    path: tuple[str, ...]
    other: Attribute

    def own_key(self, event: Event) -> Hashable:
        """What to look an event up by; None if it equals nothing."""
        return key(attribute(event, self.path))


def equalities(conditions: Iterable[Expression], variable: str, steps: Container[str]) -> list[Equality]:
    """The conditions among these that say that an attribute of an event of `variable` equals one of another
    event that is known for the group it is in.

    Args:
        conditions: The conditions.
        variable: The variable.
        steps: The variables of the alternative's positive steps: others stand in another alternative.
    """
    found = []
    for condition in conditions:
        if not isinstance(condition, Binary) or condition.operator != "==":
            continue
        for own, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if (
                isinstance(own, Attribute)
                and own.variable == variable
                and own.index in (None, Position(1))
                and isinstance(other, Attribute)
                and other.variable != variable
                and other.variable in steps
                and (other.index is None or other.index in (Position(1), Position(-1)))
            ):
                found.append(Equality(own.path, other))
                break
    return found


def other_key(
    equality: Equality, steps: Mapping[str, int]
) -> Callable[[Sequence[Sequence[Event]]], Hashable]:
    """A function that gives, of the groups of a match, what the other side has to be looked up by; None if
    nothing equals it.

    Args:
        equality: The equality.
        steps: The place of each positive step, by its variable.
    """
    step, path = steps[equality.other.variable], equality.other.path
    place = -1 if equality.other.index == Position(-1) else 0

    def read(groups: Sequence[Sequence[Event]]) -> Hashable:
        group = groups[step]
        return key(attribute(group[place], path)) if len(group) else None

    return read


def key(value: Any) -> Hashable:
    """Equal for values that are equal in conditions; None for what equals nothing."""
    kind = type(value)
    if kind is str or (kind in NUMBERS and value == value):
        return value  # type: ignore[no-any-return]
    return (kind, value) if kind is bool or kind is Instant else None


def equal_neighbours(condition: Expression) -> tuple[str, ...] | None:
    """The attribute that a condition wants to be equal in neighbours, `b[i+1].x = b[i].x`; None if it says
    something else."""
    if isinstance(condition, Binary) and condition.operator == "==":
        left, right = condition.left, condition.right
        if (
            isinstance(left, Attribute)
            and isinstance(right, Attribute)
            and left.path == right.path
            and isinstance(left.index, Current)
            and isinstance(right.index, Current)
            and left.index != right.index
        ):
            return left.path
    return None


#: Comparisons, the other way round.
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


def _compared(condition: Expression) -> tuple[Aggregate, str, Any] | None:
    """The aggregate that a condition compares with a constant, how, and that; None if it says something
    else."""
    if not isinstance(condition, Binary) or condition.operator not in _TURNED:
        return None
    left, right, operator = condition.left, condition.right, str(condition.operator)
    if isinstance(left, Constant):
        left, right, operator = right, left, _TURNED[operator]
    if not (isinstance(left, Aggregate) and isinstance(right, Constant)):
        return None
    return left, operator, right.value


def counted(condition: Expression) -> tuple[str, float, float] | None:
    """The variable whose events a condition counts, the least number it wants and the greatest; None if it
    says something else."""
    compared = _compared(condition)
    if compared is None:
        return None
    left, operator, value = compared
    if left.function != "count" or left.path or left.running:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
        return None
    least, most = -math.inf, math.inf
    if operator in (">", ">=", "=="):
        least = math.floor(value) + 1 if operator == ">" and abs(value) < math.inf else value
    if operator in ("<", "<=", "=="):
        most = math.ceil(value) - 1 if operator == "<" and abs(value) < math.inf else value
    return left.variable, least, most


def bounded(condition: Expression) -> tuple[tuple[str, ...], Bound] | None:
    """The attribute whose sum or average a condition wants above or below a number, and that; None if it says
    something else."""
    compared = _compared(condition)
    if compared is None or compared[1] == "==":
        return None
    left, operator, value = compared
    if left.function not in ("sum", "avg") or left.running or type(value) not in NUMBERS:
        return None
    assert isinstance(value, int | float)
    if value - value != 0:
        return None
    return left.path, Bound(scaled(value), left.function == "avg", operator in (">", ">="))


def quantified(alternative: Alternative) -> Alternative:
    """The same alternative, with conditions on the number of a group's events as quantifiers."""
    places = {s.variable: k for k, s in enumerate(alternative.steps)}
    steps = list(alternative.steps)
    kept = []
    for condition in alternative.conditions:
        number = counted(condition.expression)
        if number is None or steps[places[number[0]]].quantifier.single:
            kept.append(condition)
            continue
        variable, least, most = number
        old = steps[places[variable]].quantifier
        minimum = max(old.minimum, least)
        maximum = min(math.inf if old.maximum is None else old.maximum, most)
        # A step that could take several stays one, for all that follows from that.
        if not 0 <= minimum <= maximum or maximum < 1 or minimum == math.inf or minimum == maximum == 1:
            kept.append(condition)
            continue
        step = steps[places[variable]]
        quantifier = Quantifier(math.ceil(minimum), None if maximum == math.inf else math.floor(maximum))
        steps[places[variable]] = replace(step, quantifier=quantifier)
    return replace(alternative, steps=tuple(steps), conditions=tuple(kept))
