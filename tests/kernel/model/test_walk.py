"""Going through expressions."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.model.walk import children, conjuncts, named, walk


def where(text: str):
    return parse(f"PATTERN SEQ(A a, B+ b[]) WHERE {text} WITHIN 1 s").where


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.v", []),
        ("count(b)", []),
        ("NOT a.v", ["a.v"]),
        ("a.v > 1", ["a.v", "1"]),
        ("a.v OR a.w OR 1 > 2", ["a.v", "a.w", "1 > 2"]),
        ("a.v IN (1, 2)", ["a.v", "1", "2"]),
        ("a.v BETWEEN 1 AND $p", ["a.v", "1", "$p"]),
        ("any(b.v > $p OR b.w > 1)", ["column(b.v)", "column(b.w)", "null > $p OR null > 1"]),
    ],
)
def test_children_are_the_operands_from_left_to_right(text: str, expected: list[str]) -> None:
    assert [str(child) for child in children(where(text))] == expected


def test_a_walk_comes_to_each_node_before_its_operands() -> None:
    assert [str(node) for node in walk(where("NOT a.v > abs(1 + $p)"))] == [
        "NOT a.v > abs(1 + $p)",
        "a.v > abs(1 + $p)",
        "a.v",
        "abs(1 + $p)",
        "1 + $p",
        "1",
        "$p",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a.v AND (a.w AND a.x)", ["a.v", "a.w", "a.x"]), ("a.v OR a.w", ["a.v OR a.w"]), ("a.v", ["a.v"])],
)
def test_conjuncts_are_what_and_joins(text: str, expected: list[str]) -> None:
    assert [str(c) for c in conjuncts(where(text))] == expected


def test_without_where_there_is_nothing_to_go_through() -> None:
    assert conjuncts(None) == ()
    assert named(None) == {}


def test_attributes_are_named_once_each_in_the_order_written() -> None:
    text = "a.w > sum(b.v) AND a.v > a.w AND count(b) > 1 AND b[i+1].x.y > b[i].v"
    assert named(where(text)) == {"a": (("w",), ("v",)), "b": (("v",), ("x", "y"))}
