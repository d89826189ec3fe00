"""Growth: how the number of matches of a pattern grows with the events in a window, at worst.

It follows from SEMANTICS 5 to 7 alone, not from how an engine finds matches. Conditions are taken to hold,
but for those that decide which of several groups can be the largest. Events are taken to have times of their
own: under strict contiguity any of several at one time may be next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.model.pattern import Select
    from limecep.plan.plan import Alternative, Plan, PlanStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How many matches `n` events in one window can make.

    Attributes:
        power: At most in proportion to `n ** power`; None: exponentially many.
        variables: The steps whose events, or whose ends, are chosen freely.
        condition: What makes it exponential, as written; "" where the quantifier alone does.
    """

    power: int | None
    variables: tuple[str, ...] = ()
    condition: str = ""


def growth(plan: Plan, *, everything: bool) -> Growth:
    """The growth of the alternative that grows most.

    Args:
        plan: The pattern's plan.
        everything: Whether all matches are meant; if not, those contained in no other.
    """
    found = [_of(a, plan.select, everything) for a in plan.alternatives]
    return max(found, key=_rank, default=Growth(power=0))


def _rank(growth: Growth) -> float:
    return float("inf") if growth.power is None else growth.power


def _of(alternative: Alternative, select: Select, everything: bool) -> Growth:
    if select == "stam":
        # Most patterns take the next match.
        from limecep.plan.free_growth import any_match

        return any_match(alternative, everything)
    if select == "sc":
        return _contiguous(alternative, everything)
    count = len(alternative.steps)
    if not everything:
        # The last group is as large as it can be; and, by rule (c), so is what the end event completes.
        completed = not alternative.growing and not _depends_on_the_end(alternative)
        count -= 2 if completed else 1
    variables = tuple(s.variable for s in alternative.steps[: max(0, count)] if s.quantifier.maximum is None)
    return Growth(power=1 + len(variables), variables=variables)


def _contiguous(alternative: Alternative, everything: bool) -> Growth:
    """Under strict contiguity a match is a stretch of the stream. Seen from its end, a group begins where its
    types do not fit any more; it has a choice if it shares some with a step that may stand before it, or is
    the first one and need not be the largest."""
    steps = alternative.steps if everything else alternative.steps[:-1]
    variables = []
    for k, step in enumerate(steps):
        before = {t for s in _directly_before(steps, k) for t in s.filter.types}
        first = everything and all(s.quantifier.minimum == 0 for s in steps[:k])
        if step.quantifier.maximum is None and (first or not before.isdisjoint(step.filter.types)):
            variables.append(step.variable)
    return Growth(power=1 + len(variables), variables=tuple(variables))


def _directly_before(steps: Sequence[PlanStep], place: int) -> Iterator[PlanStep]:
    """The steps that can stand before one, those between being empty."""
    for step in reversed(steps[:place]):
        yield step
        if step.quantifier.minimum > 0:
            return


def _depends_on_the_end(alternative: Alternative) -> bool:
    """Whether how much of the group before the end event is in a match may depend on that event, or on what
    the group is as a whole."""
    end = len(alternative.steps) - 1
    return any(
        c.pair is None and end - 1 in c.steps and (end in c.steps or not c.cross)
        for c in alternative.conditions
    )
