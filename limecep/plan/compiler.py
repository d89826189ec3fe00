"""From a pattern to a plan."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from limecep.errors import ConfigurationError
from limecep.model.alternatives import conjunctions, spread
from limecep.model.expression import Attribute, Call, Expression
from limecep.model.walk import walk
from limecep.plan.conditions import CompiledCondition, Groups, condition, positive
from limecep.plan.expressions import bound, conjuncts, references
from limecep.plan.filters import step_filter
from limecep.plan.plan import Alternative, NegatedStep, Plan, PlanStep, StepFilter
from limecep.plan.references import settled
from limecep.plan.source import Binding, compiled
from limecep.problems import Problem, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Quantifier, Select, Step
    from limecep.model.picks import Pick

    #: Positive steps: variable, place and quantifier.
    Places = tuple[tuple[str, tuple[int, Quantifier]], ...]


def compile_plan(
    pattern: Pattern,
    *,
    name: str,
    select: Select | None = None,
    params: Mapping[str, Any] | None = None,
    max_per_end: int = 1_000_000,
    pick: Pick | None = None,
    counters: Counter[str] | None = None,
) -> Plan:
    """The plan of a pattern, every condition compiled.

    Args:
        pattern: The pattern.
        name: Its name in the pipeline.
        select: The selection policy; without it the one the query names, else `stnm`.
        params: The values of `$parameters`: numbers, texts, booleans or None.
        max_per_end: The most matches, and work, for one end event.
        pick: Which match of an end event is a result; None for all.
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
    conditions = [
        _Conjunct(text, meant, any(isinstance(n, Call) and n.function.timed for n in walk(meant)))
        for text, meant in zip(written, conjuncts(pattern.where), strict=True)
    ]
    alternatives = spread(pattern.structure)
    _check_variables(conditions, alternatives)
    negated = {s.variable for steps in alternatives for s in steps if s.negated}
    counters = Counter() if counters is None else counters
    returned = None
    if pattern.returns:
        # Few patterns have values.
        from limecep.plan.returned import bound_values, returning

        pattern = replace(pattern, returns=bound_values(pattern.returns, params or {}))
        returned = returning(pattern.returns, counters)
    parts = _Parts(counters)
    made = [
        _Builder(steps, numbers, negated, parts).build(conditions, returned)
        for steps, numbers in zip(alternatives, conjunctions(pattern.structure), strict=True)
    ]
    return Plan(
        name=name,
        pattern=pattern,
        select=select or pattern.select or "stnm",
        within=pattern.within,
        partition=pattern.partition,
        alternatives=tuple(a for a in made if a is not None),
        max_per_end=max_per_end,
        pick=pick,
    )


def _check_variables(conditions: Sequence[_Conjunct], alternatives: Sequence[Sequence[Step]]) -> None:
    known = {s.variable for steps in alternatives for s in steps}
    problems = [
        Problem(
            code="unknown-variable",
            message=f"no step has the variable '{r.variable}', which '{c.text}' names",
            hint=suggestion(r.variable, known),
        )
        for c in conditions
        for r in references(c.meant)
        if r.variable not in known
    ]
    if problems:
        raise ConfigurationError(problems)


@dataclass(frozen=True, slots=True, eq=False)
class _Conjunct:
    """A condition: as written, what it means, and whether that depends on the time at which rows of a table
    hold. It is itself only: what says `1` and what says `true` would be equal."""

    text: str
    meant: Expression
    timed: bool = False


class _Parts:
    """What alternatives are made of, each made once: the orders of AND, thousands of them, share most of it.

    Args:
        counters: Those of the pattern.
    """

    def __init__(self, counters: Counter[str]) -> None:
        self.counters = counters
        self.dated = cache(self._dated)
        self.settled = cache(self._settled)
        self.filter = cache(self._filter)
        self.condition = cache(self._condition)
        self.hit = cache(self._hit)

    def _dated(self, written: _Conjunct, end: str, quantifier: Quantifier) -> _Conjunct:
        # Few pipelines have tables whose rows hold from a time on.
        from limecep.plan.lookups import dated

        return _Conjunct(written.text, dated(written.meant, end, written.text, quantifier))

    def _settled(self, written: _Conjunct, present: frozenset[str], ones: frozenset[str]) -> _Conjunct | None:
        meant = settled(written.meant, present, ones)
        return None if meant is None else _Conjunct(written.text, meant)

    def _filter(self, types: tuple[str, ...], variable: str, own: tuple[_Conjunct, ...]) -> StepFilter:
        return step_filter(types, variable, [c.meant for c in own], self.counters)

    def _condition(self, conjunct: _Conjunct, places: Places) -> CompiledCondition:
        return condition(conjunct.meant, conjunct.text, dict(places), self.counters)

    def _hit(
        self, variable: str, conjuncts: tuple[_Conjunct, ...], places: Places
    ) -> Callable[[Event, Groups], bool]:
        """Whether an event of a negated step forbids a match."""
        others = positive(dict(places))
        binding = replace(
            others, given={(variable, None): "event"}, groups={**others.groups, variable: "(event,)"}
        )
        return compiled("event, groups, /", [c.meant for c in conjuncts], binding, self.counters)


class _Builder:
    """Sorts the conditions of one alternative by what they name."""

    def __init__(
        self, steps: Sequence[Step], conjunctions: Sequence[int], negated: set[str], parts: _Parts
    ) -> None:
        self._all = steps
        # The number of its AND, by variable.
        self._conjunction = {s.variable: number for s, number in zip(steps, conjunctions, strict=True)}
        self._parts = parts
        self._positive: dict[str, tuple[int, Quantifier]] = {}
        for step in steps:
            if not step.negated:
                self._positive[step.variable] = (len(self._positive), step.quantifier)
        self._negated = {s.variable for s in steps if s.negated}
        single = {v for v, (_, quantifier) in self._positive.items() if quantifier.single}
        self._ones = frozenset(single | self._negated)
        self._present = frozenset(s.variable for s in steps)
        # What is decided on one event, and against a negated step, by variable.
        self._own: dict[str, list[_Conjunct]] = {s.variable: [] for s in steps}
        # A condition on a negated step is about that step: where there is none, it says nothing.
        self._elsewhere = negated - self._own.keys()
        self._hits: dict[str, list[_Conjunct]] = {v: [] for v in self._negated}
        self._conditions: list[CompiledCondition] = []

    def build(
        self, conditions: Sequence[_Conjunct], returned: Callable[..., dict[str, Any]] | None
    ) -> Alternative | None:
        """The alternative, and what gives its values; None if a condition makes it impossible."""
        if not all(map(self._add, conditions)):
            return None
        filters = {
            s.variable: self._parts.filter(s.types, s.variable, tuple(self._own[s.variable]))
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
                        hits=self._hit(v, len(steps)),
                        conditions=_texts(self._own[v]),
                        compared=_texts(self._hits[v]),
                        meant=tuple(c.meant for c in self._hits[v]),
                        names=self._named(v, len(steps)),
                        inside=self._inside(len(steps)),
                    )
                )
            else:
                steps.append(
                    PlanStep(
                        variable=v,
                        filter=filters[v],
                        quantifier=step.quantifier,
                        conditions=_texts(self._own[v]),
                        conjunction=self._conjunction[v],
                        decided=tuple(c.meant for c in self._own[v]),
                    )
                )
        return Alternative(
            steps=tuple(steps),
            negations=tuple(negations),
            conditions=tuple(self._conditions),
            returned=returned,
        )

    def _add(self, written: _Conjunct) -> bool:
        """Puts a condition in its place. False if it is one that is decided, and not true."""
        if any(r.variable in self._elsewhere for r in references(written.meant)):
            return True
        if written.timed:
            variable, (_, quantifier) = [*self._positive.items()][-1]
            written = self._parts.dated(written, variable, quantifier)
        conjunct = self._parts.settled(written, self._present, self._ones)
        if conjunct is None:
            return True
        named = [r for r in references(conjunct.meant) if r.variable in self._present]
        variables = {r.variable for r in named}
        negated = variables & self._negated
        if len(negated) > 1:
            raise ConfigurationError([_two_negated(conjunct.text, negated)])
        if not variables:
            return compiled("", [conjunct.meant], Binding(), self._parts.counters)()
        if negated and variables == negated:
            self._own[negated.pop()].append(conjunct)
        elif negated:
            self._hits[negated.pop()].append(conjunct)
        elif len(variables) == 1 and all(isinstance(r, Attribute) and r.index is None for r in named):
            self._own[variables.pop()].append(conjunct)
        else:
            self._conditions.append(self._parts.condition(conjunct, self._places(variables)))
        return True

    def _places(self, variables: Container[str]) -> Places:
        """Where those of these variables are that are positive."""
        return tuple(item for item in self._positive.items() if item[0] in variables)

    def _named(self, variable: str, after: int) -> tuple[int, ...]:
        """The positive steps that decide what an event of a negated step hits."""
        named = {r.variable for c in self._hits[variable] for r in references(c.meant)}
        places = {self._positive[v][0] for v in named & self._positive.keys()}
        return tuple(sorted(places.union((after - 1, after) if self._inside(after) else ())))

    def _inside(self, after: int) -> bool:
        """Whether what follows so many positive steps stands between two of one AND."""
        beside = [self._conjunction[v] for v in list(self._positive)[max(0, after - 1) : after + 1]]
        return 0 < after < len(self._positive) and beside[0] == beside[1] > 0

    def _hit(self, variable: str, after: int) -> Callable[[Event, Groups], bool] | None:
        conjuncts = tuple(self._hits[variable])
        named = {r.variable for c in conjuncts for r in references(c.meant)}
        hits = self._parts.hit(variable, conjuncts, self._places(named)) if conjuncts else None
        return _strictly_between(after, hits) if self._inside(after) else hits


def _strictly_between(
    after: int, hits: Callable[[Event, Groups], bool] | None
) -> Callable[[Event, Groups], bool]:
    """Whether an event forbids a match between two steps of an AND. In their lanes it may stand between two
    events with which, or with one of which, it shares its time."""

    def between(event: Event, groups: Groups, /) -> bool:
        before = next((g[-1] for g in reversed(groups[:after]) if g), None)
        behind = next((g[0] for g in groups[after:] if g), None)
        at = (event.t_gen, event.seq)
        return (
            (before is None or (before.t_gen, before.seq) < at)
            and (behind is None or at < (behind.t_gen, behind.seq))
            and (hits is None or hits(event, groups))
        )

    return between


def _texts(conjuncts: Sequence[_Conjunct]) -> tuple[str, ...]:
    return tuple(c.text for c in conjuncts)


def _two_negated(text: str, variables: set[str]) -> Problem:
    first, second = sorted(variables)[:2]
    return Problem(
        code="two-negated",
        message=f"'{text}' names two negated steps, '{first}' and '{second}'",
        hint="a negated step is judged by itself: compare each with steps that are not negated",
    )
