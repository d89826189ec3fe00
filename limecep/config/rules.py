"""What cannot go with an engine that has a rule of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.problems import Problem

if TYPE_CHECKING:
    from limecep.config.model import PatternConfig
    from limecep.plan.plan import Plan


def unruly(pattern: PatternConfig, plan: Plan) -> Problem | None:
    """Refuses absences after the last event: a match waits for its window then, and others of the same end
    event for theirs, so the rule would choose before it knows all of them.

    Args:
        pattern: A pattern whose engine has a rule.
        plan: Its plan.
    """
    if not any(n.after > a.ends[0] for a in plan.alternatives for n in a.negations):
        return None
    return Problem(
        code="unruly-absence",
        message=f"pattern '{pattern.name}' may end with an absence, and the engine "
        f"'{pattern.engine.spec.name}' chooses among all matches of an end event: after such an absence each "
        "of them is known at a time of its own",
        hint="put an event behind the absence that is always there, or name an engine without a rule",
    )
