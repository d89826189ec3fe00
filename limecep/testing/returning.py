"""Patterns for random tests whose matches have values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from limecep.model.alternatives import sequences, written
from limecep.model.expression import Aggregate, Attribute, Binary, Constant, Expression, Position, Unary
from limecep.model.pattern import Returned
from limecep.testing.functions import calling
from limecep.testing.tables import looking_up

if TYPE_CHECKING:
    from limecep.model.pattern import Pattern

_attributes = st.sampled_from([("v",), ("v",), ("w",), ("k",), ("id",), ("time",)])
_places = st.sampled_from([Position(1), Position(2), Position(-1)])
_reductions: st.SearchStrategy[Any] = st.sampled_from(["sum", "avg", "min", "max", "count", "collect"])
_arithmetic: st.SearchStrategy[Any] = st.sampled_from(["+", "-", "*", "/", "%"])
_comparisons: st.SearchStrategy[Any] = st.sampled_from(["<=", ">", "==", "!="])


def with_values(patterns: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Pattern]:
    """The same patterns, two of three with a RETURN of up to three values: attributes, aggregates, what is
    computed of them, functions of `limecep.testing.functions`, look-ups in `limecep.testing.tables`."""
    return patterns.flatmap(lambda p: st.one_of(_with_values(p), _with_values(p), st.just(p)))


def _with_values(pattern: Pattern) -> st.SearchStrategy[Pattern]:
    steps = [s for sequence in sequences(pattern.structure) for s in written(sequence.parts)]
    several = {s.variable for s in steps if s.quantifier.maximum != 1}
    positive = sorted({s.variable for s in steps if not s.negated} - {s.variable for s in steps if s.negated})
    values = st.lists(_values(positive, several), min_size=1, max_size=3)
    return values.map(
        lambda found: replace(pattern, returns=tuple(Returned(f"r{n}", v) for n, v in enumerate(found)))
    )


def _values(positive: list[str], several: set[str]) -> st.SearchStrategy[Expression]:
    variables = st.sampled_from(positive)
    leaf: st.SearchStrategy[Any] = st.one_of(
        st.builds(Attribute, variables, _attributes, _places),
        st.builds(Aggregate, _reductions, variables, _attributes),
        st.builds(Aggregate, st.just("count"), variables, st.just(())),
    )
    if singles := [v for v in positive if v not in several]:
        leaf |= st.builds(Attribute, st.sampled_from(singles), _attributes)
    sums = st.builds(Binary, _arithmetic, leaf, leaf | st.integers(0, 3).map(Constant))
    numbers = st.builds(Binary, _comparisons, leaf, leaf | st.just(Constant(2)))
    odd = st.builds(Binary, _comparisons, leaf, st.sampled_from(["x", None]).map(Constant))
    return st.one_of(
        leaf,
        sums,
        numbers | odd,
        st.builds(Unary, st.just("-"), leaf),
        calling(numbers),
        looking_up(numbers, ended=True),
    )
