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
        # Of what stood between its ends when it was made, a range lacks nothing.
        content = smaller.content
        if larger.content is content and larger.version >= smaller.version:
            first, after, _, lost = content.moved(
                smaller.start, smaller.stop, smaller.version, larger.version
            )
            return not lost and larger.start <= first and after <= larger.stop
    elif len(larger) == 1 and len(smaller) == 1:
        return next(iter(larger)) is next(iter(smaller))
    return {e.ordinal for e in larger}.issuperset([e.ordinal for e in smaller])
