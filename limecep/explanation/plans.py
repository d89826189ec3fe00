"""The plan of a pattern: its steps, what is decided when, and how far absence reaches."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from limecep.model.alternatives import count
from limecep.model.pattern import Step
from limecep.plan.expressions import conjuncts, references

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.model.pattern import Quantifier
    from limecep.plan.plan import Alternative, Condition, NegatedStep, Plan, PlanStep

#: When a condition is decided. `constant`: already. `event`: on one event, by the filter of its step, before
#: anything is built of it. `neighbours`: with each event of a group but the first, on it and the one before.
#: `each`: with each event of the last step that it names. `position`: once that has so many events. `group`:
#: once that is complete. `absence`: when an event of the negated step is held against a match.
Decided = Literal["constant", "event", "neighbours", "each", "position", "group", "absence"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDescription:
    """A positive step: what it takes, in words, and whether its event can be the last of a match."""

    variable: str
    types: tuple[str, ...]
    takes: str
    group: bool
    ends: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceDescription:
    """A negated step. `reach` says where no such event may be; `waits` whether only time can tell."""

    variable: str
    types: tuple[str, ...]
    reach: str
    waits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionDescription:
    """A condition, as written, and when it is decided, also in words."""

    text: str
    decided: Decided
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternativeDescription:
    """One sequence of steps. `at_once` has the variables of each AND: their events may have one time.
    `evaluation` is how the engine says that it finds its matches, "" if it does not say."""

    structure: str
    at_once: tuple[tuple[str, ...], ...]
    steps: tuple[StepDescription, ...]
    absences: tuple[AbsenceDescription, ...]
    conditions: tuple[ConditionDescription, ...]
    evaluation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDescription:
    """The alternatives of a pattern, and how many there are that no events can fulfil."""

    alternatives: tuple[AlternativeDescription, ...]
    impossible: int


def describe_plan(plan: Plan, evaluation: tuple[str, ...] = ()) -> PlanDescription:
    """The description of a plan.

    Args:
        plan: The plan.
        evaluation: How the engine says that it finds the matches of each alternative; empty if it does not.
    """
    said = evaluation or ("",) * len(plan.alternatives)
    text = plan.pattern.text
    decided = [
        ConditionDescription(
            text=text[slice(*c.span)] or str(c), decided="constant", when="already: it is always true"
        )
        for c in conjuncts(plan.pattern.where)
        if not references(c)
    ]
    return PlanDescription(
        alternatives=tuple(
            AlternativeDescription(
                structure=_structure(a),
                at_once=_at_once(a),
                steps=tuple(_step(s, k in a.ends) for k, s in enumerate(a.steps)),
                absences=tuple(_absence(n, a) for n in a.negations),
                conditions=(*decided, *_conditions(a)),
                evaluation=words,
            )
            for a, words in zip(plan.alternatives, said, strict=True)
        ),
        impossible=count(plan.pattern.structure) - len(plan.alternatives),
    )


def _structure(alternative: Alternative) -> str:
    parts = []
    for k in range(len(alternative.steps) + 1):
        parts += [
            str(Step(n.variable, n.filter.types, negated=True)) for n in alternative.negations if n.after == k
        ]
        parts += [str(Step(s.variable, s.filter.types, s.quantifier)) for s in alternative.steps[k : k + 1]]
    return f"SEQ({', '.join(parts)})"


def _at_once(alternative: Alternative) -> tuple[tuple[str, ...], ...]:
    conjunctions = groupby((s for s in alternative.steps if s.conjunction), key=lambda s: s.conjunction)
    named = [tuple(s.variable for s in steps) for _, steps in conjunctions]
    return tuple(variables for variables in named if len(variables) > 1)


def _step(step: PlanStep, ends: bool) -> StepDescription:
    return StepDescription(
        variable=step.variable,
        types=step.filter.types,
        takes=_takes(step.quantifier),
        group=step.quantifier.maximum != 1,
        ends=ends,
    )


def _takes(quantifier: Quantifier) -> str:
    low, high = quantifier.minimum, quantifier.maximum
    if high is None:
        return {0: "any number", 1: "one or more"}.get(low, f"{low} or more")
    if high == 1:
        return "one" if low else "one or none"
    return str(low) if low == high else f"{low} to {high}"


def _absence(negation: NegatedStep, alternative: Alternative) -> AbsenceDescription:
    before = _nearest(alternative.steps[: negation.after][::-1])
    after = _nearest(alternative.steps[negation.after :])
    leading = len(before) == negation.after and all(s.quantifier.minimum == 0 for s in before)
    waits = negation.after > alternative.ends[0]
    first, last = _any_of(before[::-1]), _any_of(after)
    if not before:
        reach = f"before {last}, back to the end of the match less the window"
    elif not after:
        reach = f"after {first}, up to the start of the match plus the window: only then is a match known"
    else:
        reach = f"between {first} and {last}"
        if leading:
            reach += f"; where {first} took nothing, back to the end of the match less the window"
        if waits:
            reach += f"; where {last} took nothing, up to the start of the match plus the window"
    return AbsenceDescription(
        variable=negation.variable, types=negation.filter.types, reach=reach, waits=waits
    )


def _nearest(steps: tuple[PlanStep, ...]) -> tuple[PlanStep, ...]:
    """The steps that may be next, seen from one side: up to the first that must take something."""
    for k, step in enumerate(steps):
        if step.quantifier.minimum > 0:
            return steps[: k + 1]
    return steps


def _any_of(steps: tuple[PlanStep, ...]) -> str:
    return " or ".join(s.variable for s in steps)


def _conditions(alternative: Alternative) -> Iterator[ConditionDescription]:
    """In the order in which they are decided."""
    for s in alternative.steps:
        for text in s.conditions:
            yield ConditionDescription(
                text=text, decided="event", when=f"on each event alone, by the filter of {s.variable}"
            )
    for condition in alternative.conditions:
        decided, when = _decided(condition, alternative.steps)
        yield ConditionDescription(text=condition.text, decided=decided, when=when)
    for n in alternative.negations:
        for text in n.conditions:
            yield ConditionDescription(
                text=text, decided="event", when=f"on each event alone, by the filter of !{n.variable}"
            )
        for text in n.compared:
            yield ConditionDescription(
                text=text, decided="absence", when=f"when an event of !{n.variable} is held against a match"
            )


def _decided(condition: Condition, steps: tuple[PlanStep, ...]) -> tuple[Decided, str]:
    last = steps[condition.steps[-1]]
    v = last.variable
    if condition.pair is not None:
        return "neighbours", f"with each event of {v} but the first, on it and the one before"
    if condition.closes:
        return "group", f"when {v} is complete: with the first event of a later step, or at the end"
    if condition.reach > 1:
        return "position", f"with event {condition.reach} of {v}"
    others = [steps[k].variable for k in condition.steps[:-1]]
    together = f", when {' and '.join(others)} {'are' if len(others) > 1 else 'is'} there" if others else ""
    if condition.reach == 1 and not last.quantifier.single:
        return "position", f"with the first event of {v}{together}"
    if last.quantifier.maximum == 1:
        return "each", f"with the event of {v}{together}"
    return "each", f"with each event of {v}{together}"
