"""Keys: what tells the matches of a pattern apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.match import Match, Range

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.management.ledger import Key
    from limecep.plan.plan import Plan


def one_each(plan: Plan) -> bool:
    """Whether every step of the only alternative takes one event: no match then contains another."""
    return len(plan.alternatives) < 2 and all(s.quantifier.single for a in plan.alternatives for s in a.steps)


def key_of(plan: Plan) -> Callable[[Match], Key]:
    """The key of a match: equal for equal assignments, whatever the alternative."""
    if len(plan.alternatives) > 1:
        return Match.assignment
    return _events if one_each(plan) else Match.key


def key_within_alternative(match: Match) -> Key:
    """A key that keeps equal assignments of two alternatives apart."""
    return (id(match.alternative), match.key())


def _events(match: Match) -> Key:
    """One event each: a pipeline holds each event once, so that the objects tell."""
    groups = match.groups
    for group in groups:
        if type(group) is not tuple:
            return tuple([(g.first,) if isinstance(g, Range) else tuple(g) for g in groups])
    return groups
