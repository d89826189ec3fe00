"""What a model prints parses back to an equal model."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from limecep.language.parser import parse
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Call,
    Constant,
    Current,
    Expression,
    Logical,
    Membership,
    Parameter,
    Position,
    Unary,
)
from limecep.model.function import Function
from limecep.model.pattern import Choice, Conjunction, Pattern, Quantifier, Returned, Sequence, Step
from limecep.signature import read

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))
FUNCTIONS = {
    name: Function(name, read("(x: object, *more: object) -> object"), lambda *_: None)
    for name in ("f", "to_text", "in", "limecep-mine:f", "./mine.py:f")
}
PLAIN = st.sampled_from(["a", "b", "x_2", "i", "s", "count", "first", "température", "skip"])
NAMES = (
    PLAIN
    | st.sampled_from(["and", "SEQ", "Within", "door-open", "a`b", "``", "ſeq", "1a"])
    | st.text(min_size=1, max_size=4)
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(tuple)
INDICES = st.one_of(
    st.none(),
    st.builds(Current, st.sampled_from([-1, 0, 1])),
    st.builds(Position, st.integers(1, 12) | st.just(-1)),
)
CONSTANTS = st.builds(
    Constant,
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=6),
        st.sampled_from(["'", '"', "\\", "''", "\\n", "\n", "--", "it's"]),
    ),
)
AGGREGATES = st.one_of(
    st.builds(Aggregate, st.just("count"), NAMES, st.just(()), st.booleans()),
    st.builds(Aggregate, st.sampled_from(["count", "sum", "avg", "min", "max"]), NAMES, PATHS, st.booleans()),
)
LEAVES = st.one_of(
    CONSTANTS, st.builds(Parameter, NAMES), st.builds(Attribute, NAMES, PATHS, INDICES), AGGREGATES
)


def logical(operator: str, operands: list[Expression]) -> Expression:
    """As in every model: operands of the same kind are flat."""
    flat: list[Expression] = []
    for o in operands:
        flat.extend(o.operands if isinstance(o, Logical) and o.operator == operator else (o,))
    return Logical(operator, tuple(flat))  # type: ignore[arg-type]


def compound(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    operators = st.sampled_from(["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">="])
    return st.one_of(
        st.builds(Unary, st.sampled_from(["-", "not", "abs"]), inner),
        st.builds(
            Call, st.sampled_from([*FUNCTIONS.values()]), st.lists(inner, min_size=1, max_size=3).map(tuple)
        ),
        st.builds(Binary, operators, inner, inner),
        st.builds(logical, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3)),
        st.builds(Membership, inner, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Between, inner, inner, inner),
    )


EXPRESSIONS = st.recursive(LEAVES, compound, max_leaves=12)
QUANTIFIERS = st.builds(Quantifier, st.integers(0, 5), st.none() | st.integers(0, 5))
STEPS = st.builds(
    Step, NAMES, st.lists(NAMES, min_size=1, max_size=3, unique=True).map(tuple), QUANTIFIERS, st.booleans()
)
CONJUNCTIONS = st.builds(Conjunction, st.lists(STEPS, min_size=1, max_size=3).map(tuple))
SEQUENCES = st.builds(Sequence, st.lists(STEPS | CONJUNCTIONS, min_size=1, max_size=4).map(tuple))
STRUCTURES = st.recursive(
    SEQUENCES, lambda s: st.builds(Choice, st.lists(s, min_size=1, max_size=3).map(tuple)), max_leaves=4
)
RETURNED = st.builds(Returned, NAMES | st.sampled_from(["as", "Return"]), EXPRESSIONS)
RETURNS = st.lists(RETURNED, max_size=2).map(tuple)
PATTERNS = st.builds(
    Pattern,
    structure=STRUCTURES,
    where=st.none() | EXPRESSIONS,
    within=st.integers(0, 10**15) | st.sampled_from([0, 1, 1000, 60_000_000, 86_400_000_000]),
    partition=st.lists(PATHS, max_size=2, unique=True).map(tuple),
    select=st.sampled_from([None, "stnm", "stam", "sc"]),
    returns=RETURNS,
)


@settings(max_examples=EXAMPLES // 5, deadline=None)
@given(PATTERNS)
def test_a_printed_pattern_parses_to_an_equal_one(pattern: Pattern) -> None:
    parsed = parse(str(pattern), FUNCTIONS.get)
    assert parsed == pattern
    # Equality takes 1, 1.0 and true for the same; the text does not.
    assert str(parsed) == str(pattern)


@settings(max_examples=EXAMPLES // 5, deadline=None)
@given(EXPRESSIONS)
def test_a_printed_expression_parses_to_an_equal_one(expression: Expression) -> None:
    parsed = parse(f"PATTERN A a WHERE {expression} WITHIN 1 s", FUNCTIONS.get).where
    assert parsed == expression
    assert str(parsed) == str(expression)


@settings(max_examples=EXAMPLES // 10, deadline=None)
@given(EXPRESSIONS)
def test_the_span_of_a_node_is_the_text_that_means_it(expression: Expression) -> None:
    text = f"PATTERN A a WHERE {expression} WITHIN 1 s"
    todo: list[Any] = [parse(text, FUNCTIONS.get).where]
    while todo:
        node = todo.pop()
        start, end = node.span
        if (start, end) == (0, 0):
            continue
        assert parse(f"PATTERN A a WHERE {text[start:end]} WITHIN 1 s", FUNCTIONS.get).where == node
        for f in dataclasses.fields(node):
            value = getattr(node, f.name)
            todo += [v for v in (value if isinstance(value, tuple) else (value,)) if hasattr(v, "span")]
