"""From the tree of the grammar to the pattern. It loads the parser generator, so import it late."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from lark.visitors import v_args

from limecep.language import literals
from limecep.language.conditions import ConditionBuilder
from limecep.language.literals import BadLiteral
from limecep.language.terms import Built, Path, Same, flat, parts, span
from limecep.model.alternatives import written
from limecep.model.expression import Expression, Logical
from limecep.model.pattern import (
    Choice,
    Conjunction,
    Pattern,
    Quantifier,
    Returned,
    Select,
    Sequence,
    Step,
    Structure,
)
from limecep.model.words import SELECTIONS, unquoted

if TYPE_CHECKING:
    from lark import Token
    from lark.tree import Meta

_SHORT = {"+": Quantifier(1, None), "*": Quantifier(0, None), "?": Quantifier(0, 1)}


@dataclass(frozen=True, slots=True)
class _Where:
    condition: Expression | None
    same: tuple[Path, ...]
    select: Select | None = None


@v_args(meta=True)
class Builder(ConditionBuilder):
    """Builds the pattern of one text."""

    #: The parameter that says the window.
    window = ""

    def start(self, meta: Meta, children: list[Any]) -> Pattern:
        structure, *clauses = children
        where = next((c for c in clauses if isinstance(c, _Where)), _Where(None, ()))
        within = next(c for c in clauses if isinstance(c, int))
        partition = next((c for c in clauses if isinstance(c, tuple)), ())
        returns = next((c for c in clauses if isinstance(c, list)), [])
        same = tuple(dict.fromkeys((*where.same, *partition)))
        return Pattern(
            structure, where.condition, within, same, where.select, self.query, tuple(returns), self.window
        )

    # Structures and steps

    def sequence(self, meta: Meta, children: list[Step | Conjunction]) -> Structure:
        named = _named(children)
        for step in written(named):
            several = step.quantifier.maximum != 1
            self.variables[step.variable] = self.variables.get(step.variable, False) or several
        return Sequence(named)

    lone = sequence

    def conjunction(self, meta: Meta, steps: list[Step]) -> Conjunction:
        return Conjunction(tuple(steps))

    def choice(self, meta: Meta, alternatives: list[Structure]) -> Structure:
        return Choice(tuple(alternatives))

    def step(self, meta: Meta, children: list[tuple[tuple[str, ...], list[Any]]]) -> Step:
        marks = [m for _, found in children for m in found]
        quantifiers = [m for m in marks if isinstance(m, Quantifier)]
        if len(quantifiers) > 1:
            self._wrong("two-quantifiers", "a step takes one quantifier", "write it once, as in B+ b[]", meta)
        elif not quantifiers and marks:
            self._wrong(
                "missing-quantifier",
                "[] says that this is a group, but not of how many",
                "write B+ b[]",
                meta,
            )
        # An empty variable is one that was not written; `_named` fills it in.
        variable = children[1][0][0] if len(children) > 1 else ""
        return Step(variable, children[0][0], (quantifiers or [Quantifier()])[0], span=span(meta))

    def negated(self, meta: Meta, children: list[tuple[tuple[str, ...], list[Any]]]) -> Step:
        return replace(self.step(meta, children), negated=True)

    def types(self, meta: Meta, children: list[Any]) -> tuple[tuple[str, ...], list[Any]]:
        names = tuple(dict.fromkeys(c for c in children if isinstance(c, str)))
        return names, [c for c in children if not isinstance(c, str)]

    variable = types

    def brackets(self, meta: Meta, children: list[Token]) -> None:
        return None

    def short(self, meta: Meta, children: list[Token]) -> Quantifier:
        return _SHORT[children[0]]

    def exactly(self, meta: Meta, children: list[Token]) -> Quantifier:
        count = self._whole(children[0])
        return Quantifier(count, count)

    def at_least(self, meta: Meta, children: list[Token]) -> Quantifier:
        low, *high = map(self._whole, children)
        return Quantifier(low, high[0] if high else None)

    # Clauses

    def within(self, meta: Meta, durations: list[int]) -> int:
        return sum(durations)

    def duration(self, meta: Meta, children: list[Any]) -> int:
        amount, size = children
        try:
            return literals.duration(amount, size)
        except BadLiteral as bad:
            self._wrong(bad.code, bad.message, bad.hint, meta)
            return 0

    def within_parameter(self, meta: Meta, children: list[Token]) -> int:
        # Most windows are written out.
        from limecep.language.windows import window

        self.window = unquoted(children[0][1:])
        try:
            return window(self.window, self._params)
        except BadLiteral as bad:
            self._wrong(bad.code, bad.message, bad.hint, meta)
            return 1

    def partition(self, meta: Meta, paths: list[Path]) -> tuple[Path, ...]:
        return tuple(paths)

    def path(self, meta: Meta, names: list[str]) -> Path:
        return tuple(names)

    def returns(self, meta: Meta, children: list[Returned]) -> list[Returned]:
        return children

    def returned(self, meta: Meta, children: list[Any]) -> Returned:
        expression, name = children
        return Returned(name, self._value(expression), span(meta))

    def where(self, meta: Meta, children: list[Built]) -> _Where:
        found = parts(children)
        conditions = tuple(self._value(part) for part in found if not isinstance(part, Same))
        same = tuple(path for part in found if isinstance(part, Same) for path in part.paths)
        if len(conditions) > 1:
            place = (conditions[0].span[0], conditions[-1].span[1])
            return _Where(Logical("and", flat("and", conditions), place), same)
        return _Where(conditions[0] if conditions else None, same)

    def selection(self, meta: Meta, children: list[Any]) -> _Where:
        name, *conditions = children
        return replace(self.where(meta, conditions), select=SELECTIONS[name.lower()])


def _named(parts: list[Step | Conjunction]) -> tuple[Step | Conjunction, ...]:
    """The parts of a sequence, steps without a variable named after their type."""
    taken = {s.variable for s in written(parts)}

    def name(step: Step) -> Step:
        if step.variable:
            return step
        names = chain((step.types[0],), (f"{step.types[0]}_{n}" for n in count(2)))
        variable = next(n for n in names if n not in taken)
        taken.add(variable)
        return replace(step, variable=variable)

    return tuple(
        Conjunction(tuple(map(name, p.steps))) if isinstance(p, Conjunction) else name(p) for p in parts
    )
