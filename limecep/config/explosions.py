"""Explosions: patterns that have, under their engine and policies, more results, or ask for more work, than
anybody wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from limecep.contracts.options import Emitting
from limecep.model.expression import Aggregate
from limecep.model.pattern import Select
from limecep.plan.expressions import references
from limecep.plan.growth import growth

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.config.model import PatternConfig
    from limecep.plan.plan import Plan
    from limecep.problems import Problem
    from limecep.spec import ComponentSpec

#: How many matches there are, as a power of the events in a window, where it is worth a warning: pairs are
#: what one asks for.
_MANY = 3


def explosions(
    pattern: PatternConfig, plan: Plan, engines: Sequence[ComponentSpec]
) -> Iterator[tuple[str, Problem]]:
    """What is odd about how many results a pattern has: each warning with the variable it is about.

    Args:
        pattern: The pattern.
        plan: Its plan.
        engines: Those that there are.
    """
    # Few patterns are warned of: what is only for these is imported then.
    if pattern.engine.spec.answers == "rule":
        # How many there are is for the rule to say.
        return
    everything = pattern.engine.spec.answers == "all"
    grows = growth(plan, everything=everything)
    least = 2 if everything and plan.select == "stnm" else _MANY
    if grows.power is None or grows.power >= least:
        others = [e.name for e in engines if everything and _gives_maximal(e, plan.select)]
        from limecep.config.many_matches import multiplied

        if not finds_alone(pattern.engine.spec, plan):
            yield grows.variables[0], multiplied(pattern, plan, grows, others)
    if plan.select == "stnm" and not everything:
        for variable, condition in _held_as_a_whole(plan).items():
            from limecep.config.many_matches import tried

            yield variable, tried(pattern, variable, condition)
    if not everything and any(n.hits is not None for a in plan.alternatives for n in a.negations):
        from limecep.config.compared_absences import costly_absences

        yield from costly_absences(pattern, plan)
    results = pattern.results.options
    if isinstance(results, Emitting) and results.emit == "eager" and not everything:
        for variable in _growing(plan):
            from limecep.config.many_matches import said_again

            yield variable, said_again(pattern, variable)


def finds_alone(engine: ComponentSpec, plan: Plan) -> bool:
    """Whether an engine finds the match of an end event that is picked without going through the others."""
    if plan.pick is None or "picks" not in engine.capabilities:
        return False
    from limecep.plan.picked import picker_of

    maximal = engine.answers == "maximal"
    return all(picker_of(plan, a, maximal=maximal) is not None for a in plan.alternatives)


def _gives_maximal(engine: ComponentSpec, select: Select) -> bool:
    known = engine.capabilities.intersection(get_args(Select))
    return engine.answers == "maximal" and (not known or select in known)


def _held_as_a_whole(plan: Plan) -> dict[str, str]:
    """The groups that a condition holds as a whole against a later step, or of which it holds an event
    against one that is not the next, with the first such condition: there is no largest one before that is
    known. With a bound, and against a single event, they are few enough."""
    found: dict[str, str] = {}
    for a in plan.alternatives:
        for c in a.conditions:
            last = c.steps[-1]
            few = a.steps[last].quantifier.single
            several = [s.quantifier.maximum is None or not (few or s.quantifier.single) for s in a.steps]
            groups = {s.variable: k for k, s in enumerate(a.steps) if several[k]}
            for r in references(c.expression):
                whole = not r.running if isinstance(r, Aggregate) else r.index is None and not c.cross
                if groups.get(r.variable, last) < (last if whole else last - 1):
                    found.setdefault(r.variable, c.text)
    return found


def _growing(plan: Plan) -> dict[str, None]:
    """The end steps that may take several events, where what follows does not make the match wait anyway."""
    last = [a.steps[-1] for a in plan.alternatives if all(n.after <= a.ends[0] for n in a.negations)]
    return dict.fromkeys(
        s.variable
        for s in last
        if s.quantifier.maximum is None or s.quantifier.maximum > max(s.quantifier.minimum, 1)
    )
