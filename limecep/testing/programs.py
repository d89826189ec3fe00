"""Programs for random tests: patterns of which some read what others derive."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from limecep.model.alternatives import sequences, written
from limecep.model.expression import Aggregate, Attribute, Position
from limecep.model.pattern import Returned
from limecep.testing.strategies import FEATURES, patterns

if TYPE_CHECKING:
    from limecep.model.pattern import Pattern
    from limecep.testing.strategies import Feature

#: What the patterns of a program derive, from the lowest on. Events of `0` come before, and others after,
#: those of sources that have their time.
DERIVED = "V0W"


@st.composite
def programs(
    draw: st.DrawFn, features: frozenset[Feature] = FEATURES, *, complete: bool = False
) -> list[Pattern]:
    """Two to four patterns, of which each may read what those before it derive, in up to three levels. What
    they return are attributes of the events of `limecep.testing.strategies`: all of them, where `complete`,
    as the check of a pipeline wants it.
    """
    made: list[Pattern] = []
    for n in range(draw(st.sampled_from([2, 2, 3, 3, 4]))):
        types = "ABC" if n == 0 else "AB" + 2 * DERIVED[: min(n, 2)]
        pattern = draw(patterns(features=features, types=types, max_steps=3))
        returns = _returns(pattern)
        made.append(replace(pattern, returns=returns[-1] if complete else draw(st.sampled_from(returns))))
    return made


def trailing(pattern: Pattern) -> bool:
    """Whether all its sequences end with a negated step: its events may then happen at a deadline."""
    last = [sequence.parts[-1] for sequence in sequences(pattern.structure)]
    return all(getattr(part, "negated", False) for part in last)


def _returns(pattern: Pattern) -> list[tuple[Returned, ...]]:
    steps = [s for sequence in sequences(pattern.structure) for s in written(sequence.parts)]
    negated = {s.variable for s in steps if s.negated}
    variable = next(s.variable for s in steps if s.variable not in negated)
    first, count = Attribute(variable, ("v",), Position(1)), Aggregate("count", variable, ())
    key = Returned("k", Attribute(variable, ("k",), Position(1)))
    one, other = Returned("v", first), Returned("v", count)
    return [(), (one,), (other, key), (other, Returned("w", first), key)]
