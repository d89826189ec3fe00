"""How many matches a pattern can have under skip-till-any-match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.expression import Aggregate, Attribute, Binary, Constant, Expression, Position
from limecep.plan.expressions import references
from limecep.plan.forms import equal_neighbours
from limecep.plan.growth import Growth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.plan.plan import Alternative, Condition

#: Comparisons, the other way round.
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


def any_match(alternative: Alternative, everything: bool) -> Growth:
    """Under skip-till-any-match events are chosen freely: each of a step that takes few, and any number of
    one that takes many, unless its group follows from the rest because it is as large as it can be."""
    power, variables = 0, []
    for number, step in enumerate(alternative.steps):
        conditions = [c for c in alternative.conditions if number in c.steps]
        most = step.quantifier.maximum
        if most is None:
            most = min((n for c in conditions for n in _limits(c, step.variable)), default=None)
        if most is None and everything:
            return Growth(power=None, variables=(step.variable,))
        if most is None:
            most = 0
            for c in conditions:
                chosen = _chosen(c, step.variable)
                if chosen is None:
                    return Growth(power=None, variables=(step.variable,), condition=c.text)
                most += chosen
            # Where two such groups meet is a choice; and where the window lies, if they are at both its ends.
            following = alternative.steps[(number + 1) % len(alternative.steps)]
            most += following.quantifier.maximum is None
        power += most
        if most:
            variables.append(step.variable)
    return Growth(power=power, variables=tuple(variables))


def _chosen(condition: Condition, variable: str) -> int | None:
    """How many events of a group a condition leaves to choose before there is one largest group; None for
    any number."""
    if condition.cross or _keeps_the_largest(condition.expression):
        return 0
    if equal_neighbours(condition.expression) is not None:
        # One event says which.
        return 1
    places = set()
    for reference in references(condition.expression):
        if reference.variable == variable:
            if not (isinstance(reference, Attribute) and isinstance(reference.index, Position)):
                return None
            places.add(reference.index)
    return len(places)


def _keeps_the_largest(expression: Expression) -> bool:
    """Whether, of the groups for which it is true, there is one that contains all others: what is true of a
    group is true of every larger one, or it is about each event by itself."""
    return any(
        aggregate.function in ("min", "max") or (aggregate.function == "count" and operator in (">", ">="))
        for aggregate, operator, _ in _bounds(expression)
    )


def _limits(condition: Condition, variable: str) -> Iterator[int]:
    """How many events a group can have at most, where a condition on their number says so."""
    for aggregate, operator, value in _bounds(condition.expression):
        counted = aggregate.function == "count" and not aggregate.path and aggregate.variable == variable
        if counted and operator in ("<", "<=", "==") and isinstance(value, int | float):
            yield max(0, int(value))


def _bounds(expression: Expression) -> Iterator[tuple[Aggregate, str, object]]:
    """The comparison of an aggregate over a whole group with a constant, if it is one."""
    if isinstance(expression, Binary) and expression.operator in _TURNED:
        left, right, operator = expression.left, expression.right, str(expression.operator)
        if isinstance(left, Constant):
            left, right, operator = right, left, _TURNED[operator]
        if (
            isinstance(left, Aggregate)
            and not left.running
            and isinstance(right, Constant)
            and (operator != "==" or left.function == "count")
        ):
            yield left, operator, right.value
