"""Structures spread out: OR and AND become lines of steps, each taken by itself."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from limecep.model.pattern import Choice, Conjunction, Pattern, Step, Structure
from limecep.testing.oracle.conditions import Condition, conjuncts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Negation:
    """A negated step: `after` positive steps stand before it; `conditions` are its own."""

    step: Step
    after: int
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One sequence of steps.

    Attributes:
        steps: The positive steps.
        negations: The negated ones.
        conditions: The conditions on positive steps.
        absent: Variables that conditions name but no positive step of this line has: they take nothing.
    """

    steps: tuple[Step, ...]
    negations: tuple[Negation, ...]
    conditions: tuple[Condition, ...]
    absent: frozenset[str]


def lines(pattern: Pattern, params: Mapping[str, Any]) -> list[Line]:
    """Every sequence of steps that the pattern stands for."""
    conditions = [Condition(c, params) for c in conjuncts(pattern.where)]
    sequences = list(_sequences(pattern.structure))
    negated = {s.variable for sequence in sequences for s in sequence if s.negated}
    return [_line(sequence, conditions, negated) for sequence in sequences]


def _line(sequence: tuple[Step, ...], conditions: list[Condition], negated: set[str]) -> Line:
    steps = tuple(s for s in sequence if not s.negated)
    positive = {s.variable for s in steps}
    negations = tuple(
        Negation(
            step=step,
            after=sum(not s.negated for s in sequence[:place]),
            conditions=tuple(c for c in conditions if step.variable in c.variables),
        )
        for place, step in enumerate(sequence)
        if step.negated
    )
    # What names a negated step is that step's own condition, wherever in the pattern the step is.
    others = tuple(c for c in conditions if not c.variables & (negated - positive))
    named = frozenset(v for c in conditions for v in c.variables)
    return Line(steps=steps, negations=negations, conditions=others, absent=named - positive)


def _sequences(structure: Structure) -> Iterator[tuple[Step, ...]]:
    if isinstance(structure, Choice):
        for alternative in structure.alternatives:
            yield from _sequences(alternative)
        return
    orders = [
        list(permutations(part.steps)) if isinstance(part, Conjunction) else [(part,)]
        for part in structure.parts
    ]
    for chosen in product(*orders):
        yield tuple(step for order in chosen for step in order)
