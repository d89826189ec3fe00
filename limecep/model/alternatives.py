"""OR and AND spread out: the sequences of steps of which a structure is the union (SEMANTICS 2)."""

from __future__ import annotations

from itertools import chain, permutations, product
from math import factorial, prod
from typing import TYPE_CHECKING

from limecep.model.pattern import Choice, Conjunction, Sequence, Step, Structure

if TYPE_CHECKING:
    from collections.abc import Iterable


def spread(structure: Structure) -> tuple[tuple[Step, ...], ...]:
    """The alternatives of a structure as flat sequences of steps, in the order they are written.

    OR gives the alternatives of each of its structures, AND one for each order of its steps. There are
    `count(structure)` of them.
    """
    if isinstance(structure, Choice):
        return tuple(chain.from_iterable(spread(s) for s in structure.alternatives))
    parts = [((p,),) if isinstance(p, Step) else tuple(permutations(p.steps)) for p in structure.parts]
    return tuple(tuple(chain.from_iterable(choice)) for choice in product(*parts))


def conjunctions(structure: Structure) -> tuple[tuple[int, ...], ...]:
    """For each step of each alternative that `spread` gives, the number of the AND it stands in, from 1; 0 if
    it stands in none."""
    if isinstance(structure, Choice):
        return tuple(chain.from_iterable(conjunctions(s) for s in structure.alternatives))
    numbers = [
        [0] if isinstance(p, Step) else [number] * len(p.steps)
        for number, p in enumerate(structure.parts, start=1)
    ]
    return (tuple(chain.from_iterable(numbers)),) * count(structure)


def count(structure: Structure) -> int:
    """How many alternatives `spread` would give, without making them."""
    if isinstance(structure, Choice):
        return sum(count(s) for s in structure.alternatives)
    return prod(factorial(len(p.steps)) for p in structure.parts if not isinstance(p, Step))


def sequences(structure: Structure) -> tuple[Sequence, ...]:
    """The sequences between which OR chooses, the orders of AND not spread."""
    if isinstance(structure, Choice):
        return tuple(chain.from_iterable(sequences(s) for s in structure.alternatives))
    return (structure,)


def written(parts: Iterable[Step | Conjunction]) -> list[Step]:
    """The steps of a sequence in the order they are written, those inside AND among them."""
    return [s for p in parts for s in (p.steps if isinstance(p, Conjunction) else (p,))]
