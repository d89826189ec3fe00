"""Conditions on several events, as engines ask for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.model.expression import Aggregate, Attribute, Current, Expression, Index, Position
from limecep.plan.expressions import Reference, references
from limecep.plan.source import Binding, compiled

if TYPE_CHECKING:
    from collections import Counter

    from limecep.model.event import Event
    from limecep.model.pattern import Quantifier

Groups = Sequence[Sequence["Event"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledCondition:
    """A `limecep.plan.plan.Condition`.

    Attributes:
        text, expression, steps, pair, cross, holds, closes, reach: As there.
    """

    text: str
    expression: Expression
    steps: tuple[int, ...]
    pair: Callable[[Event, Event], bool] | None
    cross: bool
    holds: Callable[[Groups], bool]
    closes: bool
    reach: int

    def allows(self, groups: Groups, step: int, /) -> bool:
        """Whether all of it that can be decided now is true."""
        last = self.steps[-1]
        if step <= last and (step < last or self.closes or len(groups[step]) < self.reach):
            return True
        return self.holds(groups)


def condition(
    expression: Expression,
    text: str,
    steps: Mapping[str, tuple[int, Quantifier]],
    counters: Counter[str],
) -> CompiledCondition:
    """The condition of a settled expression.

    Args:
        expression: As `limecep.plan.references.settled` gives it; it names a positive step.
        text: As written.
        steps: Place and quantifier of every positive step, by variable.
        counters: As `limecep.plan.source.compiled` takes them.
    """
    named = [r for r in references(expression) if r.variable in steps]
    places = sorted({steps[r.variable][0] for r in named})
    of_last = [r for r in named if steps[r.variable][0] == places[-1]]
    groups = sum(steps[v][1].maximum != 1 for v in {r.variable for r in named})
    return CompiledCondition(
        text=text,
        expression=expression,
        steps=tuple(places),
        pair=_pair(expression, named, counters),
        cross=groups <= 1 and all(isinstance(r, Attribute) and r.index is None for r in named),
        holds=compiled("groups, /", [expression], positive(steps), counters),
        closes=any((isinstance(r, Aggregate) and not r.running) or _position(r) == -1 for r in of_last),
        reach=max(map(_position, of_last)),
    )


def positive(steps: Mapping[str, tuple[int, Quantifier]]) -> Binding:
    """How the positive steps are reached from an argument `groups`."""
    return Binding(
        groups={v: f"groups[{k}]" for v, (k, _) in steps.items()},
        single=frozenset(v for v, (_, quantifier) in steps.items() if quantifier.single),
    )


def _pair(
    expression: Expression, named: Sequence[Reference], counters: Counter[str]
) -> Callable[[Event, Event], bool] | None:
    indices = {r.index if isinstance(r, Attribute) else None for r in named}
    offsets = {i.offset for i in indices if isinstance(i, Current)}
    variables = {r.variable for r in named}
    # The place i is always there, whether it is named or not.
    first, last = min(offsets | {0}), max(offsets | {0})
    if len(variables) > 1 or len(offsets) < len(indices) or last - first != 1:
        return None
    variable = variables.pop()
    given: dict[tuple[str, Index], str] = {
        (variable, Current(first)): "earlier",
        (variable, Current(last)): "later",
    }
    return compiled("earlier, later, /", [expression], Binding(given=given), counters)


def _position(reference: Reference) -> int:
    """The place in the group that it names; 0 if it names none."""
    if isinstance(reference, Attribute) and isinstance(reference.index, Position):
        return reference.index.number
    return 0
