"""What an index says of the one event, or the many, that its variable stands for."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.plan.references import settled

#: a and m are one event each, b and c are groups, and x is a variable of another alternative.
STEPS = "OR(SEQ(A a, B+ b[], C* c[], M m), SEQ(X+ x[]))"


def after(text: str) -> str | None:
    condition = parse(f"PATTERN {STEPS} WHERE {text} WITHIN 1 s").where
    assert condition is not None
    found = settled(condition, {"a", "b", "c", "m"}, {"a", "m"})
    return None if found is None else str(found)


@pytest.mark.parametrize(
    ("text", "settled_as"),
    [
        ("a[i].v > 1", "a.v > 1"),
        ("first(a).v > last(m).v", "a.v > m.v"),
        ("b[i].v > a.v", "b.v > a.v"),
        ("b[i].v > b[i].w", "b.v > b.w"),
    ],
)
def test_an_index_that_says_nothing_is_left_out(text: str, settled_as: str) -> None:
    assert after(text) == settled_as


@pytest.mark.parametrize(
    "text",
    [
        "b[i].v > b.v",
        "b[i+1].v > b[i].v",
        "b[i+1].v > a.v",
        "b[i].v > c[i].v",
        "b[i].v > a[i].v",
        "b[i].v > avg(b[..i-1].v)",
        "b[1].v > last(c).v",
        "a[2].v > 1",
        "count(b) > 2",
    ],
)
def test_an_index_that_says_something_stays(text: str) -> None:
    assert after(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "x.v > a.v",
        "x[i].v > 1",
        "a.v > max(x[..i-1].v)",
        "a[i+1].v > a[i].v",
        "a[i-1].v > b[i].v",
        "b[i].v > sum(a[..i-1].v)",
    ],
)
def test_where_there_is_nothing_to_run_over_it_is_true_of_everything(text: str) -> None:
    assert after(text) is None


@pytest.mark.parametrize("text", ["x[1].v == null", "count(x) == 0"])
def test_a_place_or_a_whole_group_of_nothing_is_still_asked_about(text: str) -> None:
    assert after(text) == text
