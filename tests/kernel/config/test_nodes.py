"""Blocks, lists and scalars: what they are called, what they come to, and the way along their keys."""

from __future__ import annotations

import pytest

from limecep.config.document import parse
from limecep.config.findings import Findings
from limecep.config.nodes import Block, Scalar, deepest, described, plain_value
from limecep.config.text import SourceText

TEXT = """\
number: 5
half: 0.5
yes: true
nothing:
text: kitchen
long: {long}
longer: {longer}
lines: "a\\nb"
list: [1, {{a: b}}]
block: {{a: {{b: c}}}}
""".format(long="x" * 40, longer="y" * 41)


@pytest.fixture
def root() -> Block:
    node = parse(SourceText("f.yaml", TEXT), Findings())
    assert isinstance(node, Block)
    return node


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("number", "the number 5"),
        ("half", "the number 0.5"),
        ("yes", "the boolean true"),
        ("nothing", "empty"),
        ("text", "the text 'kitchen'"),
        ("long", f"the text '{'x' * 40}'"),
        ("longer", f"the text '{'y' * 37}...'"),
        ("lines", "a text"),
        ("list", "a list"),
        ("block", "a block of keys"),
    ],
)
def test_a_message_says_what_stands_there(root: Block, key: str, said: str) -> None:
    node = root.get(key)
    assert node is not None
    assert described(node) == said


def test_what_is_not_there_is_none(root: Block) -> None:
    assert root.get("texts") is None


def test_lists_and_blocks_have_the_values_of_what_is_in_them(root: Block) -> None:
    plain = plain_value(root)
    assert isinstance(plain, dict)
    assert (plain["list"], plain["block"], plain["nothing"]) == ([1, {"a": "b"}], {"a": {"b": "c"}}, None)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        (("block", "a", "b"), "b"),
        (("block", "a", "x", "b"), "a"),
        (("block", "a", "b", "c"), "b"),
        (("list", "a"), "list"),
    ],
)
def test_the_way_along_a_path_ends_at_the_last_key_that_is_there(
    root: Block, path: tuple[str, ...], key: str
) -> None:
    place = deepest(root, path)
    assert isinstance(place, Scalar)
    assert place.text == key


def test_a_way_that_does_not_begin_ends_at_the_document(root: Block) -> None:
    assert deepest(root, ("x", "block")) is root
    assert deepest(root, ()) is root
