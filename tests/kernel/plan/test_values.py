from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep.model.event import Event
from limecep.plan.values import (
    ARITHMETIC,
    COMPARISONS,
    absolute,
    attribute,
    conjunction,
    disjunction,
    negation,
    negative,
)
from limecep.testing.oracle.values import MISSING
from limecep.testing.oracle.values import attribute as oracle_attribute

TABLE = [
    (True, True, True, True),
    (True, False, False, True),
    (True, None, None, True),
    (False, False, False, False),
    (False, None, False, None),
    (None, None, None, None),
]


@pytest.mark.parametrize(("x", "y", "both", "either"), TABLE)
def test_and_and_or_follow_kleene_in_either_order(x, y, both, either):
    assert conjunction(x, y) is conjunction(y, x) is both
    assert disjunction(x, y) is disjunction(y, x) is either


@pytest.mark.parametrize(
    ("x", "expected"), [(True, False), (False, True), (None, None), (1, None), ("", None)]
)
def test_not_is_unknown_of_what_is_no_truth_value(x, expected):
    assert negation(x) is expected


def test_an_operand_that_is_no_truth_value_is_unknown():
    assert conjunction(1, True) is None
    assert conjunction(1, False) is False
    assert disjunction("x", False) is None


ORDER = {
    "==": (False, True, False),
    "!=": (True, False, True),
    "<": (True, False, False),
    "<=": (True, True, False),
    ">": (False, False, True),
    ">=": (False, True, True),
}


@pytest.mark.parametrize("operator", list(COMPARISONS))
@pytest.mark.parametrize(
    ("x", "y", "order"),
    [(1, 2, 0), (1.5, 2, 0), (2, 2.0, 1), (10**400, math.inf, 0), (3, 2, 2), ("a", "b", 0), ("a", "a", 1)],
)
def test_numbers_and_texts_compare_in_their_order(operator, x, y, order):
    assert COMPARISONS[operator](x, y) is ORDER[operator][order]


@pytest.mark.parametrize("operator", list(COMPARISONS))
@pytest.mark.parametrize(
    ("x", "y"),
    [
        (None, 1),
        (None, None),
        ([1], [1]),
        ({}, {}),
        (math.nan, 1),
        (math.nan, math.nan),
    ],
)
def test_what_does_not_compare_is_unknown(operator, x, y):
    assert COMPARISONS[operator](x, y) is None
    assert COMPARISONS[operator](y, x) is None


@pytest.mark.parametrize("operator", list(COMPARISONS))
@pytest.mark.parametrize(
    ("x", "y"), [(1, "1"), (1, True), ("true", True), ([1], 1), ({}, []), (math.nan, "nan"), (0, False)]
)
def test_values_of_different_kinds_are_unequal_and_have_no_order(operator, x, y):
    expected = {"==": False, "!=": True}.get(operator)
    assert COMPARISONS[operator](x, y) is expected
    assert COMPARISONS[operator](y, x) is expected


def test_booleans_are_equal_or_not_but_have_no_order():
    assert COMPARISONS["=="](True, True) is True
    assert COMPARISONS["!="](True, False) is True
    assert COMPARISONS["<"](False, True) is None


@pytest.mark.parametrize(
    ("operator", "x", "y", "expected"),
    [
        ("+", 1, 2.5, 3.5),
        ("-", 1, 2, -1),
        ("*", 3, 4, 12),
        ("/", 7, 2, 3.5),
        ("%", -7, 3, 2),
        ("/", 1, 0, None),
        ("%", 1.0, 0, None),
        ("*", 10**400, 1.5, None),
        ("/", 10**400, 3, None),
        ("-", math.inf, math.inf, None),
        ("+", math.nan, 1, None),
        ("+", True, 1, None),
        ("+", "a", "b", None),
        ("%", "%d", 1, None),
        ("*", [1], 2, None),
        ("+", None, 1, None),
    ],
)
def test_arithmetic_is_on_numbers_and_missing_where_it_fails(operator, x, y, expected):
    assert ARITHMETIC[operator](x, y) == expected


@pytest.mark.parametrize("x", [None, True, "1", [1], math.nan])
def test_signs_are_of_numbers_only(x):
    assert negative(x) is None
    assert absolute(x) is None
    assert negative(-2) == absolute(-2) == 2


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("v",), 1),
        (("payload", "temp"), 3),
        (("payload", "none"), None),
        (("v", "w"), None),
        (("missing", "w"), None),
        (("id",), "e1"),
        (("type",), "A"),
        (("source",), "own"),
        (("id", "x"), None),
        (("t_gen",), None),
    ],
)
def test_attributes_are_found_by_path_and_the_payload_goes_before_the_event(path, expected):
    event = Event(
        type="A", id="e1", t_gen=5, source="s", payload={"v": 1, "payload": {"temp": 3}, "source": "own"}
    )
    assert attribute(event, path) == expected


FLAT = {"x.v": 1, "a": {"b": 2, "c.d": 3}, "a.b": 4, "e.f": {"g": 5, "h.i": 6}, "n": {"o": None}, "n.o": 7}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("x", "v"), 1),
        (("x.v",), 1),
        (("a", "b"), 2),
        (("a.b",), 4),
        (("a", "c", "d"), 3),
        (("a", "c.d"), 3),
        (("e", "f", "g"), 5),
        (("e.f", "g"), 5),
        (("e", "f", "h", "i"), 6),
        (("n", "o"), 7),
        (("x",), None),
        (("x", "v", "w"), None),
        (("e", "f", "h"), None),
    ],
)
def test_a_name_may_have_dots_and_objects_go_first(path, expected):
    event = Event(type="A", id="e1", t_gen=5, source="s", payload=FLAT)
    assert attribute(event, path) == expected
    of_oracle = oracle_attribute(event, path)
    assert (None if of_oracle is MISSING else of_oracle) == expected


_NAMES = st.sampled_from(["a", "b", "a.b", "b.a", "a.a", "a.b.a"])
_OBJECTS = st.recursive(
    st.none() | st.integers(0, 9), lambda inner: st.dictionaries(_NAMES, inner, max_size=4), max_leaves=12
)


@given(st.dictionaries(_NAMES, _OBJECTS, max_size=5), st.lists(_NAMES, min_size=1, max_size=4).map(tuple))
def test_the_oracle_finds_the_same(payload, path):
    event = Event(type="A", id="e1", t_gen=5, source="s", payload=payload)
    found = oracle_attribute(event, path)
    assert attribute(event, path) == (None if found is MISSING else found)
