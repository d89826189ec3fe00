"""Which alternatives of a pattern take the events of a match."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Plan, PlanStep

#: The orders of an AND whose events have one time are many.
MOST_FITTING = 24

Ordered = tuple[tuple["Event", ...], ...]


class Fitting(NamedTuple):
    """An alternative, and the events of a match in the order of its steps."""

    alternative: Alternative
    groups: Ordered


def fitting(plan: Plan, groups: Mapping[str, Sequence[Event]]) -> list[Fitting]:
    """Return the alternatives that take these groups, each with the groups in the order of its steps; at most
    `MOST_FITTING`. Conditions are not looked at."""
    found = (
        Fitting(alternative, ordered)
        for alternative in plan.alternatives
        if (ordered := _ordered(alternative, groups)) is not None
    )
    return list(islice(found, MOST_FITTING))


def holds(alternative: Alternative, groups: Ordered) -> bool:
    """Whether all its conditions on events that a match takes hold, as its engine asks for them."""
    return all(
        step.filter.accepts is None or all(map(step.filter.accepts, group))
        for step, group in zip(alternative.steps, groups, strict=True)
    ) and all(c.holds(groups) for c in alternative.conditions)


def _ordered(alternative: Alternative, groups: Mapping[str, Sequence[Event]]) -> Ordered | None:
    variables = {step.variable for step in alternative.steps}
    if any(group and variable not in variables for variable, group in groups.items()):
        return None
    ordered = tuple(tuple(groups.get(step.variable, ())) for step in alternative.steps)
    if not all(map(_takes, alternative.steps, ordered)):
        return None
    filled = [group for group in ordered if group]
    in_order = all(sort_key(a[-1])[:2] <= sort_key(b[0])[:2] for a, b in pairwise(filled))
    return ordered if in_order and filled else None


def _takes(step: PlanStep, group: Sequence[Event]) -> bool:
    least, most = step.quantifier.minimum, step.quantifier.maximum
    return (
        least <= len(group)
        and (most is None or len(group) <= most)
        and all(e.type in step.filter.types for e in group)
    )
