"""From a pattern to a plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.errors import ConfigurationError
from limecep.language.alternatives import spread
from limecep.model.expression import Attribute, Expression
from limecep.plan.conditions import CompiledCondition, Groups, condition, positive
from limecep.plan.expressions import bound, conjuncts, references
from limecep.plan.filters import step_filter
from limecep.plan.plan import Alternative, NegatedStep, Plan, PlanStep
from limecep.plan.references import settled
from limecep.plan.source import Binding, compiled
from limecep.problems import Problem, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Quantifier, Select, Step


def compile_plan(
    pattern: Pattern,
    *,
    name: str,
    select: Select | None = None,
    params: Mapping[str, Any] | None = None,
    max_per_end: int = 1_000_000,
    counters: Counter[str] | None = None,
) -> Plan:
    """The plan of a pattern, every condition compiled.

    Args:
        pattern: The pattern.
        name: Its name in the pipeline.
        select: The selection policy; without it the one the query names, else `stnm`.
        params: The values of `$parameters`: numbers, texts, booleans or None.
        max_per_end: The most matches, and work, for one end event.
        counters: Those of the pattern. Each evaluation of a condition that comes out unknown, so that it is
            not fulfilled, adds one to `unknown`. Evaluations are counted, not events: one event may be looked
            at several times, and patterns that share a step filter have it evaluated once, for one of them.

    Raises:
        ConfigurationError: A parameter has no value, or one of another kind; a condition names a variable
            that no step has, or two negated ones.
    """
    written = [pattern.text[slice(*c.span)] or str(c) for c in conjuncts(pattern.where)]
    if pattern.where is not None:
        pattern = replace(pattern, where=bound(pattern.where, params or {}))
    conditions = list(zip(written, conjuncts(pattern.where), strict=True))
    alternatives = spread(pattern.structure)
    _check_variables(conditions, alternatives)
    negated = {s.variable for steps in alternatives for s in steps if s.negated}
    counters = Counter() if counters is None else counters
    made = [_Builder(steps, negated, counters).build(conditions) for steps in alternatives]
    return Plan(
        name=name,
        pattern=pattern,
        select=select or pattern.select or "stnm",
        within=pattern.within,
        partition=pattern.partition,
        alternatives=tuple(a for a in made if a is not None),
        max_per_end=max_per_end,
    )


def _check_variables(
    conditions: Sequence[tuple[str, Expression]], alternatives: Sequence[Sequence[Step]]
) -> None:
    known = {s.variable for steps in alternatives for s in steps}
    problems = [
        Problem(
            code="unknown-variable",
            message=f"no step has the variable '{r.variable}', which '{text}' names",
            hint=suggestion(r.variable, known),
        )
        for text, expression in conditions
        for r in references(expression)
        if r.variable not in known
    ]
    if problems:
        raise ConfigurationError(problems)


class _Builder:
    """Sorts the conditions of one alternative by what they name."""

    def __init__(self, steps: Sequence[Step], negated: set[str], counters: Counter[str]) -> None:
        self._all = steps
        self._counters = counters
        self._positive: dict[str, tuple[int, Quantifier]] = {}
        for step in steps:
            if not step.negated:
                self._positive[step.variable] = (len(self._positive), step.quantifier)
        self._negated = {s.variable for s in steps if s.negated}
        self._single = {v for v, (_, quantifier) in self._positive.items() if quantifier.single}
        # What is decided on one event, and against a negated step, by variable: each as written and as meant.
        self._own: dict[str, list[tuple[str, Expression]]] = {s.variable: [] for s in steps}
        # A condition on a negated step is about that step: where there is none, it says nothing.
        self._elsewhere = negated - self._own.keys()
        self._hits: dict[str, list[tuple[str, Expression]]] = {v: [] for v in self._negated}
        self._conditions: list[CompiledCondition] = []

    def build(self, conditions: Sequence[tuple[str, Expression]]) -> Alternative | None:
        """The alternative; None if a condition makes it impossible."""
        for text, expression in conditions:
            if not self._add(text, expression):
                return None
        filters = {
            s.variable: step_filter(s.types, s.variable, _meant(self._own[s.variable]), self._counters)
            for s in self._all
        }
        steps: list[PlanStep] = []
        negations: list[NegatedStep] = []
        for step in self._all:
            v = step.variable
            if step.negated:
                negations.append(
                    NegatedStep(
                        variable=v,
                        filter=filters[v],
                        after=len(steps),
                        hits=self._hit(v),
                        conditions=_written(self._own[v]),
                        compared=_written(self._hits[v]),
                    )
                )
            else:
                steps.append(
                    PlanStep(
                        variable=v,
                        filter=filters[v],
                        quantifier=step.quantifier,
                        conditions=_written(self._own[v]),
                    )
                )
        return Alternative(steps=tuple(steps), negations=tuple(negations), conditions=tuple(self._conditions))

    def _add(self, text: str, expression: Expression) -> bool:
        """Puts a condition in its place. False if it is one that is decided, and not true."""
        if any(r.variable in self._elsewhere for r in references(expression)):
            return True
        present = self._own.keys()
        simple = settled(expression, present, self._single | self._negated)
        if simple is None:
            return True
        named = [r for r in references(simple) if r.variable in present]
        variables = {r.variable for r in named}
        negated = variables & self._negated
        if len(negated) > 1:
            raise ConfigurationError([_two_negated(text, negated)])
        if not variables:
            return compiled("", [simple], Binding(), self._counters)()
        if negated and variables == negated:
            self._own[negated.pop()].append((text, simple))
        elif negated:
            self._hits[negated.pop()].append((text, simple))
        elif len(variables) == 1 and all(isinstance(r, Attribute) and r.index is None for r in named):
            self._own[variables.pop()].append((text, simple))
        else:
            self._conditions.append(condition(simple, text, self._positive, self._counters))
        return True

    def _hit(self, variable: str) -> Callable[[Event, Groups], bool] | None:
        if not self._hits[variable]:
            return None
        others = positive(self._positive)
        binding = replace(
            others, given={(variable, None): "event"}, groups={**others.groups, variable: "(event,)"}
        )
        return compiled("event, groups, /", _meant(self._hits[variable]), binding, self._counters)


def _written(conditions: Sequence[tuple[str, Expression]]) -> tuple[str, ...]:
    return tuple(text for text, _ in conditions)


def _meant(conditions: Sequence[tuple[str, Expression]]) -> tuple[Expression, ...]:
    return tuple(expression for _, expression in conditions)


def _two_negated(text: str, variables: set[str]) -> Problem:
    first, second = sorted(variables)[:2]
    return Problem(
        code="two-negated",
        message=f"'{text}' names two negated steps, '{first}' and '{second}'",
        hint="a negated step is judged by itself: compare each with steps that are not negated",
    )
