"""OR and AND spread out."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.model.alternatives import conjunctions, count, spread


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        ("SEQ(A a, B b)", ["a b"]),
        ("SEQ(A a, !B b, C c)", ["a b c"]),
        ("AND(A a, B b)", ["a b", "b a"]),
        ("SEQ(A a, AND(B b, C c), D d)", ["a b c d", "a c b d"]),
        ("SEQ(AND(A a, B b), AND(C c, D d))", ["a b c d", "a b d c", "b a c d", "b a d c"]),
        ("OR(SEQ(A a, B b), OR(C c, AND(D d, E e)))", ["a b", "c", "d e", "e d"]),
    ],
)
def test_a_structure_is_the_union_of_its_alternatives(structure: str, expected: list[str]) -> None:
    parsed = parse(f"PATTERN {structure} WITHIN 1 s").structure
    assert [" ".join(s.variable for s in steps) for steps in spread(parsed)] == expected
    assert count(parsed) == len(expected)


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        ("SEQ(A a, B b)", ["00"]),
        ("SEQ(A a, AND(B b, !C c), D d)", ["0220", "0220"]),
        ("OR(C c, SEQ(AND(A a, B b), AND(C c, D d)))", ["0", *["1122"] * 4]),
    ],
)
def test_each_step_knows_its_and(structure: str, expected: list[str]) -> None:
    parsed = parse(f"PATTERN {structure} WITHIN 1 s").structure
    assert ["".join(map(str, numbers)) for numbers in conjunctions(parsed)] == expected
