"""Names: what a match is known by, whatever is said anew of its events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.plan.partition import compile_partition

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.model.match import Match
    from limecep.patterns.ledger import Key
    from limecep.plan.plan import Plan


def name_of(plan: Plan) -> Callable[[Match], Key]:
    """What a match is known by to those who are told of it: its partition key, and its events by their
    identities, as what an event says may change."""
    key = compile_partition(plan.partition)
    return lambda match: (key(match.start), *identities(match))


def identities(match: Match) -> Key:
    """The events of a match by their identities."""
    named = match.events().items()
    return tuple(sorted((v, tuple((e.type, e.source, e.id) for e in group)) for v, group in named if group))
