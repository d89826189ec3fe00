"""Keys: what tells the matches of a pattern apart, and what puts them in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.event import sort_key
from limecep.model.match import Match, Range

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.patterns.ledger import Key
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
    # An engine may give sequences that are no tuples.
    groups: tuple[Any, ...] = match.groups
    for group in groups:
        if type(group) is not tuple:
            return tuple([(g.first,) if isinstance(g, Range) else tuple(g) for g in groups])
    return groups


def by_size(match: Match) -> int:
    """For the largest first."""
    return -sum(map(len, match.groups))


def by_end(keyed: tuple[Key, Match]) -> Any:
    """For keyed matches in the order of their end events."""
    return sort_key(keyed[1].end)


def by_place(keyed: tuple[Key, Match]) -> Place:
    """For keyed matches in the order of their places."""
    return Place(keyed[1])


def place(match: Match) -> Any:
    """The place of a match among others: by end event, then start, then the more events the sooner, then by
    the events. The same whatever the order of arrival, and different for different matches."""
    steps = match.alternative.steps
    named = [(s.variable, list(g)) for s, g in zip(steps, match.groups, strict=True) if len(g)]
    sequence = [sort_key(e) for _, group in named for e in group]
    taken = sorted((variable, [(e.type, e.source, e.id) for e in group]) for variable, group in named)
    return sequence[-1], sequence[0], -len(sequence), sequence, taken


class Place:
    """The `place` of a match, found out as far as it takes to tell it from another's."""

    __slots__ = ("_match", "_near")

    def __init__(self, match: Match) -> None:
        self._match = match
        self._near = (sort_key(match.end), sort_key(match.start), -sum(map(len, match.groups)))

    def __lt__(self, other: Place) -> bool:
        if self._near != other._near:
            return self._near < other._near
        return bool(place(self._match) < place(other._match))
