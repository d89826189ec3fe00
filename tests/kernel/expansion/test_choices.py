"""What may be chosen of the groups of one match."""

from __future__ import annotations

import pytest

from limecep.expansion.choices import Choices, Groups
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import written


def choices(query: str) -> Choices:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 1 h"), name="p", select="stam")
    [alternative] = plan.alternatives
    return Choices(alternative)


def groups(text: str) -> Groups:
    """Of `a1 | b2 b3`, a group for each part."""
    return tuple(tuple(written(part)) for part in text.split("|"))


def ids(found: Groups) -> str:
    return " ".join(e.id for group in found for e in group)


@pytest.mark.parametrize(
    ("query", "match", "expected"),
    [
        ("SEQ(A a, B+ b[])", "a0 | b1 b2 b3",
         ["a0 b1 b2 b3", "a0 b1 b2", "a0 b1 b3", "a0 b1", "a0 b2 b3", "a0 b2", "a0 b3"]),
        ("SEQ(A a, B* b[])", "a0 | b1 b2", ["a0 b1 b2", "a0 b1", "a0 b2", "a0"]),
        ("SEQ(A a, B{2} b[])", "a0 | b1 b2", ["a0 b1 b2"]),
        ("SEQ(A a, B{1,2} b[])", "a0 | b1 b2", ["a0 b1 b2", "a0 b1", "a0 b2"]),
        ("SEQ(A? a, B? b)", "a0 | b1", ["a0 b1", "a0", "b1"]),
        ("SEQ(A+ a[], B+ b[])", "a0 a1 | b2 b3",
         ["a0 a1 b2 b3", "a0 a1 b2", "a0 a1 b3", "a0 b2 b3", "a0 b2", "a0 b3", "a1 b2 b3", "a1 b2", "a1 b3"]),
        ("SEQ(A a, B+ b[]) WHERE b[i+1].v > b[i].v", "a0 | b1=5 b2=4 b3=6",
         ["a0 b1 b3", "a0 b1", "a0 b2 b3", "a0 b2", "a0 b3"]),
        ("SEQ(A a, B+ b[]) WHERE count(b) >= 2", "a0 | b1 b2 b3",
         ["a0 b1 b2 b3", "a0 b1 b2", "a0 b1 b3", "a0 b2 b3"]),
        ("SEQ(A+ a[], B+ b[]) WHERE count(a) = count(b)", "a0 a1 | b2 b3",
         ["a0 a1 b2 b3", "a0 b2", "a0 b3", "a1 b2", "a1 b3"]),
        ("SEQ(A a, B+ b[]) WHERE first(b).v > 4", "a0 | b1=3 b2=5 b3=1", ["a0 b2 b3", "a0 b2"]),
    ],
)  # fmt: skip
def test_every_choice_that_is_a_match_comes_once_and_larger_ones_first(
    query: str, match: str, expected: list[str]
) -> None:
    of, whole = choices(query), groups(match)
    assert [ids(found) for found in of.of(whole)] == expected
    assert all(of.allow(found) for found in of.of(whole))
    if of.countable:
        assert of.count(whole) == len(expected)


@pytest.mark.parametrize(
    ("query", "countable"),
    [
        ("SEQ(A a, B+ b[])", True),
        ("SEQ(A a, B+ b[]) WHERE b[i+1].v > b[i].v AND b[i].v > a.v", True),
        ("SEQ(A a, B+ b[]) WHERE count(b) >= 2", False),
        ("SEQ(A a, B+ b[]) WHERE last(b).v > a.v", False),
    ],
)
def test_conditions_on_whole_groups_cannot_be_counted(query: str, countable: bool) -> None:
    assert choices(query).countable is countable


@pytest.mark.parametrize(
    ("query", "part", "allowed"),
    [
        ("SEQ(A a, B{2,3} b[])", "a0 | b1", False),
        ("SEQ(A a, B{2,3} b[])", "a0 | b1 b2 b3", True),
        ("SEQ(A a, B{2,3} b[])", "a0 | b1 b2 b3 b4", False),
        ("SEQ(A a, B+ b[])", "a0 | ", False),
        ("SEQ(A a, B+ b[]) WHERE b[i+1].v > b[i].v", "a0 | b1=5 b2=4", False),
        ("SEQ(A a, B+ b[]) WHERE b[i+1].v > b[i].v", "a0 | b1=4 b2=5", True),
        ("SEQ(A a, B+ b[]) WHERE count(b) >= 2", "a0 | b1", False),
    ],
)
def test_groups_are_a_match_by_quantifiers_neighbours_and_as_a_whole(
    query: str, part: str, allowed: bool
) -> None:
    assert choices(query).allow(groups(part)) is allowed


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("SEQ(A a, B{2,} b[], C c)", 2**30 - 31),
        ("SEQ(A a, B{2,4} b[], C c)", 435 + 4060 + 27405),
        ("SEQ(A a, B* b[], C c)", 2**30),
        ("SEQ(A a, B? b, C c)", 31),
        ("SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v", 2**30 - 1),
        ("SEQ(A a, B* b[], C c) WHERE b[i+1].v > b[i].v", 2**30),
        ("SEQ(A a, B{2,} b[], C c) WHERE b[i+1].v > b[i].v", 2**30 - 31),
        ("SEQ(A a, B{2,4} b[], C c) WHERE b[i+1].v > b[i].v", 435 + 4060 + 27405),
        ("SEQ(A a, B+ b[], C c) WHERE b[i+1].v < b[i].v", 30),
        ("SEQ(A a, B+ b[], C c) WHERE b[i].v > 0 AND b[i].v < c.v", 2**30 - 1),
    ],
)
def test_quantifiers_and_neighbours_are_counted_without_listing(query: str, count: int) -> None:
    match = "a0 | " + " ".join(f"b{i}={i}" for i in range(1, 31)) + " | c40=50"
    assert choices(query).count(groups(match)) == count
