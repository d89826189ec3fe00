"""Patterns that have many matches, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.model import PatternConfig
    from limecep.plan.growth import Growth
    from limecep.plan.plan import Plan


def multiplied(pattern: PatternConfig, plan: Plan, grows: Growth, maximal_engines: Sequence[str]) -> Problem:
    """Warns of more matches than anybody wants.

    Args:
        pattern: The pattern.
        plan: Its plan.
        grows: How they grow with the events in a window.
        maximal_engines: Engines that give fewer.
    """
    names = ", ".join(grows.variables)
    if grows.condition:
        why = f"so many groups {names} may fulfil '{grows.condition}' and be contained in no other"
    elif grows.power is None:
        why = f"every choice of some events for {names} makes another one"
    elif plan.select == "stam":
        why = f"every choice of events for {names} makes another one"
    else:
        why = f"wherever {names} may end there is another one"
    many = "exponentially many matches" if grows.power is None else f"n^{grows.power} matches for n events"
    ways = [f"engine: {name} gives those contained in no other" for name in maximal_engines]
    if plan.select == "stam":
        ways.append("select: stnm takes only the next event that fits")
    ways.append(f"for one end event there are no more than max_per_end: {plan.max_per_end:,}")
    return Problem(
        code="exponential-matches" if grows.power is None else "many-matches",
        message=f"pattern '{pattern.name}' may have {many} in a window: {why}",
        hint="; ".join(ways),
        severity="warning",
    )
