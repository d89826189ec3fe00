"""Containment of matches (SEMANTICS 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.match import Range

if TYPE_CHECKING:
    from limecep.model.match import Group, Match


def contains(larger: Match, smaller: Match) -> bool:
    """Whether every group of one match is a subset of the same step's group in the other."""
    return all(map(_holds, larger.groups, smaller.groups))


def _holds(larger: Group, smaller: Group) -> bool:
    if len(smaller) > len(larger):
        return False
    if isinstance(larger, Range) and isinstance(smaller, Range):
        # Of what stands between its ends, a range lacks only what came after it was made.
        if larger.content is smaller.content and larger.version >= smaller.version:
            start, stop = larger.span()
            first, after = smaller.span()
            return start <= first and after <= stop
    elif len(larger) == 1 and len(smaller) == 1:
        return next(iter(larger)) is next(iter(smaller))
    return {e.ordinal for e in larger}.issuperset([e.ordinal for e in smaller])
