"""Absences that are compared with groups: where all groups there may be have to be tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.expression import Attribute, Position
from limecep.plan.expressions import references
from limecep.plan.forms import equal_neighbours, quantified
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from limecep.config.model import PatternConfig
    from limecep.plan.plan import Alternative, NegatedStep, Plan

_FIRST, _LAST = Position(1), Position(-1)


def costly_absences(pattern: PatternConfig, plan: Plan) -> Iterator[tuple[str, Problem]]:
    """Warns of what must be absent and is compared so that no group is known to be the largest before it is
    tried: each warning with the variable of the group.

    Args:
        pattern: The pattern, under an engine that gives maximal matches.
        plan: Its plan.
    """
    warned = set()
    for alternative in map(quantified, plan.alternatives):
        for negation in alternative.negations:
            tried = None
            # In an AND, what must be absent may be bound by times alone.
            if negation.compared and plan.select != "sc":
                find = _tried_under_any_match if plan.select == "stam" else _tried_under_next_match
                tried = find(alternative, negation)
            if tried is not None and (variable := alternative.steps[tried].variable) not in warned:
                warned.add(variable)
                yield variable, _costly(pattern, plan, variable, negation.compared[0])


def _groups(alternative: Alternative) -> set[int]:
    return {k for k, s in enumerate(alternative.steps) if not s.quantifier.single}


def _tried_under_any_match(alternative: Alternative, negation: NegatedStep) -> int | None:
    """The first group that it is compared with, but for a single one that its ends settle."""
    groups, conditions = _groups(alternative).intersection(negation.names), alternative.conditions
    if (
        len(alternative.steps) == 1
        and alternative.steps[0].quantifier.maximum is None
        and all(c.pair is not None and equal_neighbours(c.expression) is not None for c in conditions)
        and _names_only(alternative, negation, 0, (_FIRST, _LAST))
    ):
        return None
    return min(groups, default=None)


def _tried_under_next_match(alternative: Alternative, negation: NegatedStep) -> int | None:
    """The group whose length decides with others what an end event may complete."""
    size, groups = len(alternative.steps), _groups(alternative)
    if size == 1:
        return None
    named = groups.intersection(negation.names)
    if negation.after < size:
        return min(named - {negation.after - 1}, default=None)
    if size == 2 and 1 not in groups:
        return 0 if 0 in named and not _names_only(alternative, negation, 0, (_FIRST,)) else None
    if 0 in groups and size - 1 in negation.names and not alternative.growing:
        return 0
    # The end event says what the group is that it is in.
    return min(named - {size - 1}, default=None)


def _names_only(
    alternative: Alternative, negation: NegatedStep, step: int, places: Collection[Position]
) -> bool:
    """Whether of a group it names only the events at some places, or what all have in common."""
    conditions = [c for c in alternative.conditions if c.pair is not None and step in c.steps]
    alike = {equal_neighbours(c.expression) for c in conditions}
    return all(
        isinstance(r, Attribute)
        and (r.index in places or (r.path in alike and r.index in (None, _FIRST, _LAST)))
        for expression in negation.meant
        for r in references(expression)
        if r.variable == alternative.steps[step].variable
    )


def _costly(pattern: PatternConfig, plan: Plan, variable: str, condition: str) -> Problem:
    many = "n^2 steps or more" if plan.select == "stnm" else "exponentially many steps"
    return Problem(
        code="costly-condition",
        message=f"pattern '{pattern.name}' may take {many} for an end event with n events in its window: "
        f"'{condition}' is about what must be absent, and decides which groups {variable} there are, so each "
        "of these is tried",
        hint=f"a quantifier such as {{1,20}} for {variable}, a shorter window, PARTITION BY, or a comparison "
        "with single events leaves less to try; for one end event there are no more than max_per_end: "
        f"{plan.max_per_end:,}",
        severity="warning",
    )
