"""A character of a value is found in the file, however the value is written."""

from __future__ import annotations

import pytest

from limecep.config.document import parse
from limecep.config.findings import Findings
from limecep.config.nodes import Block, Scalar
from limecep.config.text import SourceText

QUERIES = {
    "literal": "query: |\n  SEQ(A a,\n\n    Bx b)\n",
    "literal with an indentation of its own": "query: |2-\n    SEQ(A a,\n  Bx b)",
    "folded": "query: >\n  SEQ(A a,\n  Bx b)\n",
    "plain": "query: SEQ(A a, Bx b)\n",
    "plain over lines": "query: SEQ(A a,\n  Bx b)\n",
    "single quotes": "query: 'SEQ(A a, -- it''s\n  Bx b)'\n",
    "double quotes": 'query: "SEQ(A a,\\n \\u0042x b)"\n',
    "double quotes with a pair of halves": 'query: "\\ud83d\\ude00 SEQ(\\tA a, Bx b)"\n',
    "double quotes with a continued line": 'query: "SEQ(A a, \\\n   Bx b)"\n',
    "windows line ends": "query: |\r\n  SEQ(A a,\r\n  Bx b)\r\n",
}


@pytest.mark.parametrize("text", QUERIES.values(), ids=QUERIES.keys())
def test_a_place_in_a_value_is_the_place_in_the_file(text: str) -> None:
    root = parse(SourceText("f.yaml", text), Findings())
    assert isinstance(root, Block)
    node = root.get("query")
    assert isinstance(node, Scalar)
    start = node.text.index("Bx b")
    place = node.origin.place(start, start + 4)
    shown = place.text[place.column - 1 : place.column - 1 + place.width]
    assert shown in ("Bx b", "\\u0042x b")
    lines = text.replace("\r\n", "\n").split("\n")
    assert lines[place.line - 1] == place.text
