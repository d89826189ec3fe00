"""Growth: how the number of matches of a pattern grows with the events in a window, at worst.

It follows from SEMANTICS 5 to 7 alone, not from how an engine finds matches. Conditions are taken to hold,
but for those that decide which of several groups can be the largest. Events are taken to have times of their
own: under strict contiguity any of several at one time may be next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.model.expression import Aggregate, Attribute, Binary, Constant, Position
from limecep.plan.expressions import references
from limecep.plan.forms import equal_neighbours

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.model.expression import Expression
    from limecep.model.pattern import Select
    from limecep.plan.plan import Alternative, Condition, Plan, PlanStep

#: Comparisons, the other way round.
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How many matches `n` events in one window can make.

    Attributes:
        power: At most in proportion to `n ** power`; None: exponentially many.
        variables: The steps whose events, or whose ends, are chosen freely.
        condition: What makes it exponential, as written; "" where the quantifier alone does.
    """

    power: int | None
    variables: tuple[str, ...] = ()
    condition: str = ""


def growth(plan: Plan, *, everything: bool) -> Growth:
    """The growth of the alternative that grows most.

    Args:
        plan: The pattern's plan.
        everything: Whether all matches are meant; if not, those contained in no other.
    """
    found = [_of(a, plan.select, everything) for a in plan.alternatives]
    return max(found, key=_rank, default=Growth(power=0))


def _rank(growth: Growth) -> float:
    return float("inf") if growth.power is None else growth.power


def _of(alternative: Alternative, select: Select, everything: bool) -> Growth:
    if select == "stam":
        return _any_match(alternative, everything)
    if select == "sc":
        return _contiguous(alternative, everything)
    count = len(alternative.steps)
    if not everything:
        # The last group is as large as it can be; and, by rule (c), so is what the end event completes.
        completed = not alternative.growing and not _depends_on_the_end(alternative)
        count -= 2 if completed else 1
    variables = tuple(s.variable for s in alternative.steps[: max(0, count)] if s.quantifier.maximum is None)
    return Growth(power=1 + len(variables), variables=variables)


def _contiguous(alternative: Alternative, everything: bool) -> Growth:
    """Under strict contiguity a match is a stretch of the stream. Seen from its end, a group begins where its
    types do not fit any more; it has a choice if it shares some with a step that may stand before it, or is
    the first one and need not be the largest."""
    steps = alternative.steps if everything else alternative.steps[:-1]
    variables = []
    for k, step in enumerate(steps):
        before = {t for s in _directly_before(steps, k) for t in s.filter.types}
        first = everything and all(s.quantifier.minimum == 0 for s in steps[:k])
        if step.quantifier.maximum is None and (first or not before.isdisjoint(step.filter.types)):
            variables.append(step.variable)
    return Growth(power=1 + len(variables), variables=tuple(variables))


def _directly_before(steps: Sequence[PlanStep], place: int) -> Iterator[PlanStep]:
    """The steps that can stand before one, those between being empty."""
    for step in reversed(steps[:place]):
        yield step
        if step.quantifier.minimum > 0:
            return


def _depends_on_the_end(alternative: Alternative) -> bool:
    """Whether how much of the group before the end event is in a match may depend on that event, or on what
    the group is as a whole."""
    end = len(alternative.steps) - 1
    return any(
        c.pair is None and end - 1 in c.steps and (end in c.steps or not c.cross)
        for c in alternative.conditions
    )


def _any_match(alternative: Alternative, everything: bool) -> Growth:
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
