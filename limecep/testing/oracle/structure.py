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
        conjunctions: For each positive step, which AND it stands in; None for none.
    """

    steps: tuple[Step, ...]
    negations: tuple[Negation, ...]
    conditions: tuple[Condition, ...]
    absent: frozenset[str]
    conjunctions: tuple[int | None, ...]

    def together(self, k: int, j: int) -> bool:
        """Whether two steps stand in one AND: their events may have one time."""
        return self.conjunctions[k] is not None and self.conjunctions[k] == self.conjunctions[j]


def lines(pattern: Pattern, params: Mapping[str, Any]) -> list[Line]:
    """Every sequence of steps that the pattern stands for."""
    sequences = list(_sequences(pattern.structure))
    negated = {s.variable for sequence in sequences for s, _ in sequence if s.negated}
    return [_line(sequence, _conditions(pattern, params, sequence), negated) for sequence in sequences]


def _conditions(
    pattern: Pattern, params: Mapping[str, Any], sequence: tuple[_Placed, ...]
) -> list[Condition]:
    end = [step.variable for step, _ in sequence if not step.negated][-1]
    return [Condition(c, params, end) for c in conjuncts(pattern.where)]


#: A step, and the number of the part of the sequence that is the AND it stands in.
_Placed = tuple[Step, "int | None"]


def _line(sequence: tuple[_Placed, ...], conditions: list[Condition], negated: set[str]) -> Line:
    steps = tuple(s for s, _ in sequence if not s.negated)
    positive = {s.variable for s in steps}
    negations = tuple(
        Negation(
            step=step,
            after=sum(not s.negated for s, _ in sequence[:place]),
            conditions=tuple(c for c in conditions if step.variable in c.variables),
        )
        for place, (step, _) in enumerate(sequence)
        if step.negated
    )
    # What names a negated step is that step's own condition, wherever in the pattern the step is.
    others = tuple(c for c in conditions if not c.variables & (negated - positive))
    named = frozenset(v for c in conditions for v in c.variables)
    return Line(
        steps=steps,
        negations=negations,
        conditions=others,
        absent=named - positive,
        conjunctions=tuple(conjunction for s, conjunction in sequence if not s.negated),
    )


def _sequences(structure: Structure) -> Iterator[tuple[_Placed, ...]]:
    if isinstance(structure, Choice):
        for alternative in structure.alternatives:
            yield from _sequences(alternative)
        return
    orders: list[list[tuple[_Placed, ...]]] = [
        [tuple((step, number) for step in order) for order in permutations(part.steps)]
        if isinstance(part, Conjunction)
        else [((part, None),)]
        for number, part in enumerate(structure.parts)
    ]
    for chosen in product(*orders):
        yield tuple(placed for order in chosen for placed in order)
