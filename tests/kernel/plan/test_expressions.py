"""Expressions taken apart, rewritten, and bound to parameters."""

from __future__ import annotations

import pytest

from limecep.errors import ConfigurationError
from limecep.language.parser import parse
from limecep.model.expression import Attribute, Between, Constant, Logical, Membership
from limecep.plan.expressions import bound, conjuncts, leaves, references, rewritten, spelled_out


def where(text: str):
    return parse(f"PATTERN SEQ(A a, B+ b[]) WHERE {text} WITHIN 1 s").where


def texts(nodes) -> list[str]:
    return [str(node) for node in nodes]


def test_the_conditions_of_where_are_joined_by_and_however_deep() -> None:
    nested = Logical("and", (where("a.v AND a.w"), where("a.x OR a.y"), where("a.z")))
    assert texts(conjuncts(nested)) == ["a.v", "a.w", "a.x OR a.y", "a.z"]
    assert conjuncts(None) == ()


EVERY_KIND = "NOT a.v + 1 > 2 OR a.w IN (3, $p) OR abs(a.x) BETWEEN 4 AND count(b)"


def test_leaves_are_found_from_left_to_right() -> None:
    assert texts(leaves(where(EVERY_KIND))) == [
        "a.v", "1", "2", "a.w", "3", "$p", "a.x", "4", "count(b)",
    ]  # fmt: skip


def test_references_are_leaves_that_name_a_variable_each_once() -> None:
    assert texts(references(where("a.v > count(b) AND a.v < $p AND b[i].v > 1"))) == [
        "a.v",
        "count(b)",
        "b[i].v",
    ]


def test_every_leaf_is_changed_and_nothing_else() -> None:
    def zero(leaf):
        return leaf if isinstance(leaf, Attribute) else Constant(0)

    expected = "NOT a.v + 0 > 0 OR a.w IN (0, 0) OR abs(a.x) BETWEEN 0 AND 0"
    assert str(rewritten(where(EVERY_KIND), zero)) == expected


@pytest.mark.parametrize(
    ("text", "longer"),
    [
        ("a.v IN (1)", "a.v == 1"),
        ("a.v IN (1, 2)", "a.v == 1 OR a.v == 2"),
        ("a.v IN (1, 2, a.w)", "a.v == 1 OR a.v == 2 OR a.v == a.w"),
        ("a.v BETWEEN 1 AND a.w", "a.v >= 1 AND a.v <= a.w"),
    ],
)
def test_in_and_between_are_short_for_comparisons(text: str, longer: str) -> None:
    node = where(text)
    assert isinstance(node, Membership | Between)
    assert str(spelled_out(node)) == longer


def test_parameters_get_their_values_and_stay_where_they_were_written() -> None:
    condition = bound(where("a.v > $x OR a.w = $`y z`"), {"x": 3, "y z": None, "other": [1]})
    assert str(condition) == "a.v > 3 OR a.w == null"
    assert isinstance(condition, Logical)
    text = "PATTERN SEQ(A a, B+ b[]) WHERE a.v > $x OR a.w = $`y z` WITHIN 1 s"
    assert [text[slice(*n.span)] for n in leaves(condition) if isinstance(n, Constant)] == ["$x", "$`y z`"]


@pytest.mark.parametrize("value", [1, 1.5, "x", True, None])
def test_a_parameter_may_be_number_text_truth_value_or_null(value: object) -> None:
    assert bound(where("$p"), {"p": value}) == Constant(value)  # type: ignore[arg-type]


def test_unknown_and_odd_parameters_are_all_reported_once() -> None:
    with pytest.raises(ConfigurationError) as caught:
        bound(where("a.v > $limt AND a.v < $list AND a.w > $limt"), {"limit": 3, "list": [1]})
    assert [(p.code, p.message) for p in caught.value.problems] == [
        ("unknown-parameter", "parameter '$limt' has no value"),
        ("parameter-value", "parameter '$list' is a list"),
    ]
    assert caught.value.problems[0].hint == "did you mean 'limit'?"


def test_where_no_name_is_near_the_hint_says_how_to_give_a_value() -> None:
    with pytest.raises(ConfigurationError, match="under params: "):
        bound(where("$p"), {})
