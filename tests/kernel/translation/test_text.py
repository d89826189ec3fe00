from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.translation.reader import read
from limecep.translation.text import of_group, written

if TYPE_CHECKING:
    from limecep.translation.tree import Node


def node(expression: str) -> Node:
    return read(f"SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS {expression})").define["A"]


def text(expression: str) -> str:
    return written(node(expression), lambda n: f"a.{n.args[1].text}")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("v * (w + 1) - -(x) > -2", "a.v * (a.w + 1) - -a.x > -2"),
        ("v - (w - x) = 1.50", "a.v - (a.w - a.x) = 1.50"),
        ("(v > 1 OR w > 1) AND NOT (v = 1 AND w = 'it''s \\ so')",
         "(a.v > 1 OR a.w > 1) AND NOT (a.v = 1 AND a.w = 'it''s \\\\ so')"),
        ("v IS NOT NULL AND w <> TRUE", "NOT a.v IS NULL AND a.w != true"),
        ("v = 1e3 OR v = 'ä'", "a.v = 1E+3 OR a.v = 'ä'"),
    ],
)  # fmt: skip
def test_expressions_are_written_as_they_bind(expression: str, expected: str) -> None:
    assert text(expression) == expected
    # A query has the same meaning.
    assert str(parse(f"PATTERN T a WHERE {expected} WITHIN 1 s").where)


def test_aggregates_are_of_groups_or_their_columns() -> None:
    assert of_group("count", "b", None) == "count(b)"
    assert of_group("sum", "b[..i-1]", "my v") == "sum(b[..i-1].`my v`)"
