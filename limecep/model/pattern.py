"""Patterns, as the parser builds them (SEMANTICS 2). Immutable; `str()` prints a form that parses back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from limecep.model.expression import NOWHERE, Expression, Span

Select = Literal["stnm", "stam", "sc"]


@dataclass(frozen=True, slots=True)
class Quantifier:
    """How many events a step takes: `minimum` to `maximum` (None: any number)."""

    minimum: int = 1
    maximum: int | None = 1

    @property
    def single(self) -> bool:
        """Exactly one event."""
        return self.minimum == 1 and self.maximum == 1

    def __str__(self) -> str:
        from limecep.language.printer import quantifier_text

        return quantifier_text(self)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a variable, one or more event types, a quantifier, and whether it is negated.

    A step written without a variable has its type's name (`_2`, ... added where that is taken).
    """

    variable: str
    types: tuple[str, ...]
    quantifier: Quantifier = Quantifier()
    negated: bool = False
    span: Span = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        from limecep.language.printer import step_text

        return step_text(self)


@dataclass(frozen=True, slots=True)
class Conjunction:
    """`AND(x, y, ...)`: single steps in any order."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        from limecep.language.printer import conjunction_text

        return conjunction_text(self)


@dataclass(frozen=True, slots=True)
class Sequence:
    """`SEQ(...)`."""

    parts: tuple[Step | Conjunction, ...]

    def __str__(self) -> str:
        from limecep.language.printer import structure_text

        return structure_text(self)


@dataclass(frozen=True, slots=True)
class Choice:
    """`OR(...)` of structures."""

    alternatives: tuple[Structure, ...]

    def __str__(self) -> str:
        from limecep.language.printer import structure_text

        return structure_text(self)


Structure = Sequence | Choice


@dataclass(frozen=True, slots=True)
class Pattern:
    """`PATTERN structure [WHERE condition] WITHIN duration [PARTITION BY attributes]`.

    Attributes:
        structure: `AND(...)` outside SEQ is a sequence of that one part.
        where: The condition, or None.
        within: The window in microseconds.
        partition: The attributes all events of a match agree on, each a path.
        select: The policy a query of SASE's form names by itself, else None.
        text: The query as written, for messages.
    """

    structure: Structure
    where: Expression | None
    within: int
    partition: tuple[tuple[str, ...], ...] = ()
    select: Select | None = None
    text: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        from limecep.language.printer import pattern_text

        return pattern_text(self)
