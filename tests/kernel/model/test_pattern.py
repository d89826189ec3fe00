"""Patterns and their steps print as users write them."""

from __future__ import annotations

import pytest

from limecep.model.expression import Attribute, Logical
from limecep.model.pattern import Choice, Conjunction, Pattern, Quantifier, Sequence, Step

A, B = Step("a", ("A",)), Step("b", ("B",))
V, W = Attribute("a", ("v",)), Attribute("a", ("w",))


@pytest.mark.parametrize(
    ("quantifier", "text", "single"),
    [
        (Quantifier(), "", True),
        (Quantifier(1, None), "+", False),
        (Quantifier(0, None), "*", False),
        (Quantifier(0, 1), "?", False),
        (Quantifier(2, 2), "{2}", False),
        (Quantifier(2, 4), "{2,4}", False),
        (Quantifier(1, 2), "{1,2}", False),
        (Quantifier(2, None), "{2,}", False),
    ],
)
def test_a_quantifier_has_its_shortest_spelling(quantifier: Quantifier, text: str, single: bool) -> None:
    assert str(quantifier) == text
    assert quantifier.single is single


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (A, "A a"),
        (Step("b", ("B",), Quantifier(1, None)), "B+ b[]"),
        (Step("b", ("B",), Quantifier(0, 1)), "B? b"),
        (Step("x", ("B", "door-open"), negated=True), "!(B OR `door-open`) x"),
        (Sequence((Conjunction((A, B)),)), "SEQ(AND(A a, B b))"),
        (Choice((Sequence((A, B)), Sequence((B,)))), "OR(SEQ(A a, B b), SEQ(B b))"),
    ],
)
def test_structures_print_as_users_write_them(node: object, text: str) -> None:
    assert str(node) == text


@pytest.mark.parametrize(
    ("pattern", "clauses"),
    [
        (Pattern(Sequence((A,)), None, 1), "WITHIN 1 us"),
        (Pattern(Sequence((A,)), Logical("or", (V, W)), 1), "WHERE a.v OR a.w WITHIN 1 us"),
        (
            Pattern(Sequence((A,)), Logical("or", (V, W)), 1, select="stam"),
            "WHERE skip-till-any-match AND (a.v OR a.w) WITHIN 1 us",
        ),
        (
            Pattern(Sequence((A,)), None, 1_000_000, (("uid",), ("a b", "c")), "sc"),
            "WHERE strict-contiguity WITHIN 1 second PARTITION BY uid, `a b`.c",
        ),
    ],
)
def test_clauses_print_in_their_order(pattern: Pattern, clauses: str) -> None:
    assert str(pattern) == f"PATTERN SEQ(A a) {clauses}"


def test_neither_text_nor_place_makes_a_pattern_another() -> None:
    placed = Step("a", ("A",), span=(12, 15))
    assert Pattern(Sequence((placed,)), None, 1, text="PATTERN A a") == Pattern(Sequence((A,)), None, 1)
    assert Pattern(Sequence((A,)), None, 1, (("uid",),)) != Pattern(Sequence((A,)), None, 1)
