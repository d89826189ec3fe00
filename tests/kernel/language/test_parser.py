"""Texts to patterns, and how deep they may nest."""

from __future__ import annotations

import subprocess
import sys

import pytest

from limecep.language.parser import parse
from limecep.language.problems import QueryError
from limecep.model.expression import Logical
from limecep.model.pattern import Sequence, Step


def found(query: str) -> list[tuple[str, str]]:
    """Code and text meant of each problem."""
    with pytest.raises(QueryError) as caught:
        parse(query)
    assert caught.value.text == query
    return [(p.code, query[p.start : p.end]) for p in caught.value.problems]


def test_the_text_is_kept_and_spans_point_into_it() -> None:
    text = "PATTERN SEQ(A a, B+ b[])\nWHERE (a.v + 1) * 2 > 3 AND b[i].v\nWITHIN 1 s"
    pattern = parse(text)
    assert pattern.text == text
    assert isinstance(pattern.where, Logical)
    assert [text[slice(*o.span)] for o in pattern.where.operands] == ["(a.v + 1) * 2 > 3", "b[i].v"]
    assert isinstance(pattern.structure, Sequence)
    assert [text[slice(*p.span)] for p in pattern.structure.parts if isinstance(p, Step)] == ["A a", "B+ b[]"]


def test_the_parser_generator_is_loaded_only_to_parse() -> None:
    code = (
        "import sys, limecep, limecep.language.parser, limecep.language.check; print('lark' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_problems_of_steps_and_conditions_come_in_the_order_of_the_text() -> None:
    assert found("PATTERN SEQ(A a) WHERE a > 3 AND a[0].v > 3 WITHIN 3 parsecs") == [
        ("missing-attribute", "a"),
        ("bad-index", "[0]"),
        ("unknown-unit", "parsecs"),
    ]


@pytest.mark.parametrize(
    "query",
    [
        "PATTERN SEQ(A a) WHERE skip-till-anymatch AND a.v WITHIN 1 s",
        "PATTERN SEQ(A a) WHERE skip-till-anymatch WITHIN 1 s AND",
    ],
)
def test_a_misspelt_selection_policy_is_the_one_problem_that_is_told(query: str) -> None:
    assert found(query) == [("misspelt-keyword", "skip-till-anymatch")]


def test_a_hundred_levels_are_read_and_one_more_is_refused() -> None:
    # NOT takes a level, and so does the attribute at its end.
    deep = "PATTERN SEQ(A a) WHERE {}a.v WITHIN 1 s".format
    assert parse(deep("NOT " * 99)).where is not None
    assert found(deep("NOT " * 100)) == [("too-deep", deep("NOT " * 100))]


def test_structures_count_as_levels_too() -> None:
    deep = "PATTERN {}A a{} WITHIN 1 s".format
    assert [code for code, _ in found(deep("OR(" * 100, ")" * 100))] == ["too-deep"]
