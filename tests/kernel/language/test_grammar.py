"""How a text is cut into words."""

from __future__ import annotations

import pytest
from lark.exceptions import UnexpectedCharacters

from limecep.language.grammar import query_parser
from limecep.model.words import KEYWORDS


def types(text: str) -> list[str]:
    return [token.type for token in query_parser().lex(text)]


def test_the_parser_is_made_once() -> None:
    assert query_parser() is query_parser()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("and AND And", ["_AND"] * 3),
        ("android order nothing trueish", ["NAME"] * 4),
        ("! != !a", ["_NOT", "COMPARISON", "_NOT", "NAME"]),
        ("true FALSE", ["BOOLEAN"] * 2),
        ("1 .5 1.5e-3", ["NUMBER"] * 3),
        ("a.b..", ["NAME", "DOT", "NAME", "RANGE"]),
        ("skip-till-any-match skip-till-any-matching", ["SELECTION", *["NAME", "MINUS"] * 3, "NAME"]),
        ("like likes case cased", ["TEXTUAL", "NAME", "CASE", "NAME"]),
        ("`a``b` $p $`p q`", ["QUOTED", "PARAMETER", "PARAMETER"]),
        ("'it''s' \"two\nlines\"", ["STRING"] * 2),
        ("a -- b > 3\n c", ["NAME", "NAME"]),
        ("a - -b", ["NAME", "MINUS", "MINUS", "NAME"]),
    ],
)
def test_words_are_told_apart(text: str, expected: list[str]) -> None:
    assert types(text) == expected


@pytest.mark.parametrize("text", ["'open", "`open", "``", "$ p", ";"])
def test_what_begins_no_word_is_an_error(text: str) -> None:
    with pytest.raises(UnexpectedCharacters):
        types(text)


def test_every_word_of_the_language_may_name_an_attribute_after_a_point() -> None:
    where = " AND ".join(f"a.{word} > 1" for word in KEYWORDS)
    assert query_parser().parse(f"PATTERN SEQ(A a) WHERE {where} WITHIN 1 s").data == "start"
