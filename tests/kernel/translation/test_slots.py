from __future__ import annotations

import pytest

from limecep.translation.reader import read
from limecep.translation.slots import Shape, goes_on, shape
from tests.kernel.translation.row_patterns import refusal, statement


def shaped(pattern: str) -> Shape:
    return shape(read(f"SELECT * FROM t MATCH_RECOGNIZE (PATTERN ({pattern}))").pattern)


def lines(pattern: str) -> list[str]:
    """The lines of a pattern, each as `a b+ c{2,3}`."""
    made = shaped(pattern)
    return [" ".join(_shown(made, s) for s in line) for line in made.lines]


def _shown(made: Shape, number: int) -> str:
    slot = made.slots[number]
    counts = {(1, 1): "", (1, None): "+", (0, None): "*", (0, 1): "?"}
    return slot.name + counts.get((slot.low, slot.high), f"{{{slot.low},{slot.high}}}")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("A B+ C", ["a b+ c"]),
        ("A (B) (C D)", ["a b c d"]),
        ("A (B | C D) E", ["a b e", "a c d e"]),
        ("A (B C)? D", ["a b c d", "a d"]),
        ("A (B C)?? D", ["a d", "a b c d"]),
        ("A (B C){2} D", ["a b c b_2 c_2 d"]),
        ("A (B C){1,2} D", ["a b c b_2 c_2 d", "a b c d"]),
        ("A (B)* (C+)? D", ["a b* c* d"]),
        ("A () B{0} C{2,3}", ["a c{2,3}"]),
        ("A B A_2 A", ["a b a_2 a_3"]),
        # Where the rest may be empty, a reluctant quantifier takes what it must.
        ("A B*? C??", ["a"]),
        ("A B{2,5}? C*", ["a b{2,2} c*"]),
        ("A B*? C", ["a b* c"]),
        # Where the end is open, the first row stands alone.
        ("A+ B", ["a+ b"]),
        ("A+ B+", ["a a_2* b+"]),
        ("A{3,5}", ["a a_2{2,4}"]),
    ],
)
def test_patterns_are_spread_into_lines(pattern: str, expected: list[str]) -> None:
    assert lines(pattern) == expected


def test_edges_leave_out_what_may_be_empty() -> None:
    made = shaped("A B* C")
    a, b, c = made.numbers
    assert set(made.edges) == {(None, a), (a, b), (a, c), (b, b), (b, c)}
    assert made.ends == {c}
    assert (made.must(b), made.must(c), made.sizes) == (False, True, {a: 1, c: 1})
    assert goes_on(made) == []


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("A ¦(B C)+", "repeated-group"),
        ("A ¦(B | C)* D", "repeated-group"),
        ("¦A? B*", "empty-match"),
        ("¦A | ()", "empty-match"),
        ("(A | ¦B+) C*", "open-ends"),
        ("¦(A | B) (C | D) (A | B) (C | D) (A | B) (C | D)", "too-many-alternatives"),
    ],
)
def test_forms_that_cannot_be_carried_over(pattern: str, code: str) -> None:
    assert refusal(statement(f"PATTERN ({pattern}) WITHIN INTERVAL '1' DAY")) == code
