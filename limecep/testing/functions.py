"""Functions for random conditions, and conditions that call them.

They are a plugin, too: `Host.load().with_plugins(limecep.testing.functions)` reads queries that call them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from limecep.local import component
from limecep.model.exists import of_one
from limecep.model.expression import (
    NOWHERE,
    Aggregate,
    Attribute,
    Binary,
    Call,
    Constant,
    Expression,
    Logical,
    Unary,
)
from limecep.model.function import Function
from limecep.model.walk import walk
from limecep.signature import signature_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@component("function")
def doubled(x: float) -> float:
    """Twice a number."""
    return x * 2


@component("function")
def even(x: int) -> bool:
    """Whether a whole number is even."""
    return x % 2 == 0


@component("function")
def otherwise(x: object, y: object) -> object:
    """The first of two values, or the other where it is missing."""
    return y if x is None else x


@component("function")
def largest(x: float, *more: float) -> float:
    """The greatest of some numbers."""
    return max((x, *more))


@component("function")
def spelled(x: object, empty: str | None = None) -> str | None:
    """A value as text."""
    return empty if x is None else str(x)


@component("function")
def failing(x: float) -> float:
    """A number, but for 2: there it raises, as no function should."""
    return x + 0 / (x - 2)


@component("function")
def spread(values: list[float]) -> float | None:
    """How far numbers lie apart."""
    apart = max(values) - min(values) if values else None
    return apart if apart == apart else None


#: All of them by their names: `limecep.language.parser.parse` takes `FUNCTIONS.get`.
FUNCTIONS: dict[str, Function] = {
    f.__name__: Function(f.__name__, signature_of(f), f)
    for f in (doubled, even, otherwise, largest, spelled, failing, spread)
}


def _call(name: str, *arguments: Expression) -> Call:
    return Call(FUNCTIONS[name], arguments)


_ZERO = Constant(0)


def _spread(x: Expression) -> Expression:
    """How far the values of an aggregate lie apart."""
    if not isinstance(x, Aggregate) or not x.path:
        return _call("doubled", x)
    return _call("spread", replace(x, function="collect"))


#: What may be made of a value.
_WRAPPINGS: list[Callable[[Expression], Expression]] = [
    lambda x: _call("doubled", x),
    lambda x: _call("failing", x),
    lambda x: _call("otherwise", x, _ZERO),
    lambda x: _call("otherwise", _call("doubled", x), _ZERO),
    lambda x: _call("largest", x, Constant(2)),
    lambda x: _call("otherwise", _call("failing", x), Unary("-", x)),
    lambda x: Binary("-", _call("doubled", x), x),
    _spread,
    lambda x: _call("spelled", x),
    lambda x: _call("spelled", x, Constant("1")),
]


def _any(x: Binary) -> Expression:
    """Whether a comparison is true of one event, or there is nothing to compare, if it is of one variable."""
    named = {(n.variable, n.index) for n in walk(x) if isinstance(n, Attribute)}
    if not isinstance(x.left, Attribute) or named != {(x.left.variable, None)}:
        return _call("otherwise", x, Constant(True))
    missing = Binary("==", x.left, Constant(None))
    return of_one(Logical("or", (x, missing)), x.left.variable, NOWHERE)


#: What may be made of the two sides of a comparison.
_TESTS: list[Callable[[Binary], Expression]] = [
    lambda x: _call("even", x.left),
    lambda x: Unary("not", _call("even", x.left)),
    lambda x: _call("even", _call("largest", x.left, x.right)),
    lambda x: _call("otherwise", x, Constant(True)),
    _any,
    lambda x: Unary("not", _any(x)),
    lambda x: replace(x, left=_call("largest", x.left, x.right)),
]


def calling(comparisons: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """Conditions that call functions, made of comparisons."""

    return changed(comparisons, _TESTS, _WRAPPINGS)


def _is_of_other_kind(node: Expression) -> bool:
    """Whether it is an instant, or a list."""
    if isinstance(node, Aggregate) and node.function == "collect":
        return True
    return isinstance(node, Attribute | Aggregate) and node.path == ("time",)


def changed(
    comparisons: st.SearchStrategy[Expression],
    tests: Sequence[Callable[[Binary], Expression]],
    wrappings: Sequence[Callable[[Expression], Expression]],
) -> st.SearchStrategy[Expression]:
    """Conditions made of comparisons.

    Args:
        comparisons: The comparisons.
        tests: What may stand in the place of one.
        wrappings: What may be made of a side of one.
    """

    @st.composite
    def build(draw: st.DrawFn) -> Expression:
        drawn = draw(comparisons)
        assert isinstance(drawn, Binary)
        if any(_is_of_other_kind(n) for n in walk(drawn)):
            # No function here takes it, and a check says so.
            return drawn
        if draw(st.integers(0, 2)) == 0:
            return draw(st.sampled_from(tests))(drawn)
        left = draw(st.sampled_from(wrappings))(drawn.left)
        right = draw(st.sampled_from([lambda x: x, *wrappings]))(drawn.right)
        return replace(drawn, left=left, right=right)

    return build()
