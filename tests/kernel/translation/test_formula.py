from __future__ import annotations

import pytest

from limecep.translation.formula import TRUE, disjoint, local, present_in, truth
from limecep.translation.reader import read
from limecep.translation.tree import Node
from tests.kernel.translation.row_patterns import refusal, statement


def formula(condition: str) -> Node:
    """The formula of a condition whose columns are all of the current row."""
    tree = read(f"SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS {condition})").define["A"]
    return truth(_current(tree))


def _current(node: Node) -> Node:
    if node.op == "column":
        return Node("cur", (node.args[1].text,))
    return Node(node.op, tuple(_current(a) if isinstance(a, Node) else a for a in node.args))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("v > 3", "v <= 3", True),
        ("v > 3", "v < 5", False),
        ("v > 3", "3 > v", True),
        ("v >= 3", "v <= 3", False),
        ("v > w", "w > v", True),
        ("v >= w", "w >= v", False),
        ("v > w", "v = w", True),
        ("v = 'a'", "v = 'b'", True),
        ("v = 'a'", "v <> 'a'", True),
        ("v <> 'a'", "v <> 'b'", False),
        ("v IN ('a', 'b')", "v IN ('c', 'd')", True),
        ("v IN ('a', 'b')", "v IN ('b', 'c')", False),
        ("v BETWEEN 1 AND 2", "v > 2", True),
        ("v > 1 AND w = 'x'", "v > 2 AND w = 'y'", True),
        ("v > 1 OR w = 'x'", "v < 0 AND w = 'y'", True),
        ("v > 1 OR w = 'x'", "v < 0", False),
        ("v > 1", "NOT v > 1", True),
        ("NOT (v > 1 AND w > 1)", "v > 2 AND w > 2", True),
        ("v IS NULL", "v > 1", True),
        ("v IS NULL", "v + w > 1", True),
        ("v IS NULL", "w > 1", False),
        ("v IS NULL", "v IS NOT NULL", True),
        ("v IS NULL", "v > 1 OR w > 1", False),
        ("v = 1", "v = 'a'", False),
        ("flag", "NOT flag", True),
        ("v LIKE 'a%'", "NOT v LIKE 'a%'", True),
        ("v + 1 > 3", "v + 1 < 2", True),
        ("v > NULL", "w > 1", True),
    ],
)
def test_what_excludes_what(one: str, other: str, expected: bool) -> None:
    assert disjoint(formula(one), formula(other)) is expected
    assert disjoint(formula(other), formula(one)) is expected


def test_a_formula_says_what_is_not_null() -> None:
    def columns(condition: str) -> set[str]:
        return {v.args[0] for v in present_in(formula(condition)) or ()}

    assert columns("v > 1 AND w + x < 2") == {"v", "w", "x"}
    assert columns("v > 1 OR v < w") == {"v"}
    assert columns("v IS NOT NULL OR w > 1") == set()
    assert present_in(formula("v > NULL")) is None


def test_what_is_always_true_is_no_condition() -> None:
    assert formula("1 = 1 AND NOT 2 < 1 OR v > 1") == TRUE
    assert local(formula("v > 1"))


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("¦v + 1", "no-test"),
        ("¦v LIKE 'a\\%'", "like"),
        ("¦v LIKE w", "like"),
        ("(¦v > 1) = TRUE", "compared-test"),
    ],
)
def test_what_is_no_condition_is_refused(condition: str, code: str) -> None:
    assert refusal(statement(f"PATTERN (A) WITHIN INTERVAL '1' DAY DEFINE A AS {condition}")) == code
