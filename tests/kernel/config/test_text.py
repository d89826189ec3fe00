from __future__ import annotations

from limecep.config.document import parse
from limecep.config.findings import Findings
from limecep.config.nodes import Block, Scalar
from limecep.config.text import SourceText


def test_what_is_missing_at_the_end_of_a_block_stands_on_its_last_line() -> None:
    root = parse(SourceText("f.yaml", "query: |\n  SEQ(A a\nname: x\n"), Findings())
    assert isinstance(root, Block)
    node = root.get("query")
    assert isinstance(node, Scalar)
    place = node.origin.place(len(node.text), len(node.text) + 1)
    assert (place.line, place.text) == (2, "  SEQ(A a")


def test_the_place_behind_the_last_line_break_is_in_the_last_line() -> None:
    place = SourceText("f", "one\ntwo\n").place(8)
    assert (place.line, place.column, place.text) == (2, 4, "two")
