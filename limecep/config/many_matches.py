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
    picked = f", all of which are looked at to pick the {plan.pick} one" if plan.pick is not None else ""
    many = "exponentially many matches" if grows.power is None else f"n^{grows.power} matches for n events"
    ways = [f"engine: {name} gives those contained in no other" for name in maximal_engines]
    if plan.select == "stam":
        ways.append("select: stnm takes only the next event that fits")
    ways.append(f"for one end event there are no more than max_per_end: {plan.max_per_end:,}")
    return Problem(
        code="exponential-matches" if grows.power is None else "many-matches",
        message=f"pattern '{pattern.name}' may have {many} in a window{picked}: {why}",
        hint="; ".join(ways),
        severity="warning",
    )


def tried(pattern: PatternConfig, variable: str, condition: str) -> Problem:
    """Warns of a condition that has all groups of a variable tried."""
    return Problem(
        code="costly-condition",
        message=f"pattern '{pattern.name}' may take n^2 steps for an end event with n events in its window: "
        f"'{condition}' holds {variable} against a later step, so each of its groups is tried",
        hint=f"a quantifier such as {{1,20}} for {variable}, a shorter window, PARTITION BY, or an equality "
        "of single events leaves less to try",
        severity="warning",
    )


def said_again(pattern: PatternConfig, variable: str) -> Problem:
    """Warns that a match goes out again with every event that joins it."""
    return Problem(
        code="growing-match",
        message=f"pattern '{pattern.name}' ends with {variable}, which may take several events: a match goes "
        "out with the first of them, and again with every one that joins",
        hint="to have it once, when its window has passed, write results: "
        f"{{type: {pattern.results.spec.name}, emit: complete}}",
        severity="warning",
    )
