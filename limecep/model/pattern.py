"""Patterns, as the parser builds them (SEMANTICS 2). Immutable; `str()` prints a form that parses back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from limecep.model.expression import AND, NOWHERE, OR, Expression, Span, joined
from limecep.model.words import SELECTIONS, duration_text, path_text, quoted

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
        low, high = self.minimum, self.maximum
        short = {(1, 1): "", (1, None): "+", (0, None): "*", (0, 1): "?"}.get((low, high))
        if short is not None:
            return short
        if low == high:
            return f"{{{low}}}"
        return f"{{{low},{'' if high is None else high}}}"


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
        names = " OR ".join(map(quoted, self.types))
        types = names if len(self.types) == 1 else f"({names})"
        taken = f"{types}{self.quantifier} {quoted(self.variable)}"
        return f"{'!' if self.negated else ''}{taken}{'[]' if self.quantifier.maximum != 1 else ''}"


@dataclass(frozen=True, slots=True)
class Conjunction:
    """`AND(x, y, ...)`: single steps in any order."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return f"AND({', '.join(map(str, self.steps))})"


@dataclass(frozen=True, slots=True)
class Sequence:
    """`SEQ(...)`."""

    parts: tuple[Step | Conjunction, ...]

    def __str__(self) -> str:
        return f"SEQ({', '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Choice:
    """`OR(...)` of structures."""

    alternatives: tuple[Structure, ...]

    def __str__(self) -> str:
        return f"OR({', '.join(map(str, self.alternatives))})"


Structure = Sequence | Choice


@dataclass(frozen=True, slots=True)
class Returned:
    """`expression AS name`: a value that RETURN gives every match."""

    name: str
    expression: Expression
    span: Span = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{self.expression} AS {quoted(self.name)}"


@dataclass(frozen=True, slots=True)
class Pattern:
    """`PATTERN structure [WHERE condition] WITHIN duration [PARTITION BY attributes] [RETURN values]`.

    Attributes:
        structure: `AND(...)` outside SEQ is a sequence of that one part.
        where: The condition, or None.
        within: The window in microseconds.
        partition: The attributes all events of a match agree on, each a path.
        select: The policy a query of SASE's form names by itself, else None.
        text: The query as written, for messages.
        returns: The values of its matches (SEMANTICS 12).
        window: The parameter that says the window; "" where it is written out.
    """

    structure: Structure
    where: Expression | None
    within: int
    partition: tuple[tuple[str, ...], ...] = ()
    select: Select | None = None
    text: str = field(default="", compare=False, repr=False)
    returns: tuple[Returned, ...] = ()
    window: str = field(default="", compare=False)

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """All that it computes: its condition, if there is one, and its values."""
        return (*(() if self.where is None else (self.where,)), *(r.expression for r in self.returns))

    def __str__(self) -> str:
        parts = [f"PATTERN {self.structure}"]
        conditions = [name for name, select in SELECTIONS.items() if select == self.select]
        if self.where is not None:
            conditions.append(joined(self.where, AND if conditions else OR))
        if conditions:
            parts.append(f"WHERE {' AND '.join(conditions)}")
        parts.append(f"WITHIN {duration_text(self.within)}")
        if self.partition:
            parts.append(f"PARTITION BY {', '.join(map(path_text, self.partition))}")
        if self.returns:
            parts.append(f"RETURN {', '.join(map(str, self.returns))}")
        return " ".join(parts)
