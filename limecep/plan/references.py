"""What the references of one condition amount to in one alternative: vacuous, one event, an index."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from limecep.model.expression import Aggregate, Attribute, Current, Expression, Position
from limecep.plan.expressions import Reference, references, rewritten

if TYPE_CHECKING:
    from collections.abc import Set


def settled(condition: Expression, present: Set[str], ones: Set[str]) -> Expression | None:
    """The condition with every index left out that says nothing; None if there is nothing its indices run
    over, so that it is true of everything.

    A reference without index that is left means each event of its variable, independently of all others. The
    index `[i]` that is left is shared by several references, or is about neighbours.

    Args:
        condition: The condition.
        present: The variables of the alternative. Others took nothing.
        ones: Those of them that stand for exactly one event.
    """
    found = references(condition)
    shared = {
        (r.variable, r.index.offset)
        for r in found
        if isinstance(r, Attribute) and isinstance(r.index, Current)
    }
    running = {r.variable for r in found if isinstance(r, Aggregate) and r.running}
    if any(_is_each(r) and r.variable not in present for r in found):
        return None
    # One event alone has no neighbours, and none before it.
    if running & ones or any(offset and variable in ones for variable, offset in shared):
        return None
    each = {r.variable for r in found if isinstance(r, Attribute) and r.index is None}
    moving = {variable for variable, _ in shared} - ones
    lone = len(shared) == 1 and not any(offset for _, offset in shared)
    needless = not running and (not moving or (lone and not moving & each))

    def simplified(leaf: Expression) -> Expression:
        if isinstance(leaf, Attribute) and (
            (isinstance(leaf.index, Current) and needless)
            or (leaf.index in (Position(1), Position(-1)) and leaf.variable in ones)
        ):
            return replace(leaf, index=None)
        return leaf

    return rewritten(condition, simplified)


def _is_each(reference: Reference) -> bool:
    """Whether it runs over events, so that there must be some."""
    if isinstance(reference, Aggregate):
        return reference.running
    return not isinstance(reference.index, Position)
