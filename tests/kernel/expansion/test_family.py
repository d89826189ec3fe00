"""What matches of one alternative have that those before them have not."""

from __future__ import annotations

import pytest

from limecep.expansion.choices import Choices
from limecep.expansion.family import Family
from limecep.language.parser import parse
from limecep.model.match import Match
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import written


class Taking:
    """A family, and matches of it written as `a1 | b2 b3`."""

    def __init__(self, query: str) -> None:
        plan = compile_plan(parse(f"PATTERN {query} WITHIN 1 h"), name="p", select="stam")
        [self.alternative] = plan.alternatives
        self.family = Family(Choices(self.alternative))

    def match(self, text: str) -> Match:
        return Match(self.alternative, tuple(tuple(written(part)) for part in text.split("|")))

    def add(self, text: str) -> list[str]:
        return [" ".join(e.id for group in g for e in group) for g in self.family.add(self.match(text))]


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("SEQ(A a, B+ b[])",
         [("a0 | b1 b2", ["a0 b1 b2", "a0 b1", "a0 b2"]),
          ("a0 | b2 b3", ["a0 b2 b3", "a0 b3"]),
          ("a0 | b1 b3", ["a0 b1 b3"]),
          ("a0 | b1 b3", []),
          ("a0 | b3", []),
          ("a9 | b1 b2", ["a9 b1 b2", "a9 b1", "a9 b2"])]),
        # Neither step always takes as many: matches are found by one that has to take something.
        ("SEQ(A? a, B+ b[])",
         [("a0 | b1 b2", ["a0 b1 b2", "a0 b1", "a0 b2", "b1 b2", "b1", "b2"]),
          ("a0 | b2 b3", ["a0 b2 b3", "a0 b3", "b2 b3", "b3"]),
          (" | b1 b3", ["b1 b3"])]),
        ("SEQ(A? a, B? b)",
         [("a0 | b1", ["a0 b1", "a0", "b1"]), ("a0 | b2", ["a0 b2", "b2"]), ("a3 | b2", ["a3 b2", "a3"])]),
        # What two have in common is too little to be a match.
        ("SEQ(A a, B{2,} b[])",
         [("a0 | b1 b2 b3", ["a0 b1 b2 b3", "a0 b1 b2", "a0 b1 b3", "a0 b2 b3"]),
          ("a0 | b3 b4", ["a0 b3 b4"]),
          ("a0 | b1 b2 b4", ["a0 b1 b2 b4", "a0 b1 b4", "a0 b2 b4"])]),
        ("SEQ(A a, B+ b[]) WHERE b[i+1].v > b[i].v",
         [("a0 | b1=1 b3=3", ["a0 b1 b3", "a0 b1", "a0 b3"]), ("a0 | b2=2 b3=3", ["a0 b2 b3", "a0 b2"])]),
    ],
)  # fmt: skip
def test_a_match_gives_what_no_earlier_one_gave_and_is_counted_alike(
    query: str, matches: list[tuple[str, list[str]]]
) -> None:
    giving, counting = Taking(query), Taking(query)
    for match, given in matches:
        assert giving.add(match) == given
        assert counting.family.count(counting.match(match)) == len(given)


@pytest.mark.parametrize(
    ("query", "part", "gave"),
    [
        ("SEQ(A a, B+ b[])", "a0 | b1", True),
        ("SEQ(A a, B+ b[])", "a0 | b1 b2", True),
        ("SEQ(A a, B+ b[])", "a0 | b1 b3", False),
        ("SEQ(A a, B+ b[])", "a9 | b1", False),
        ("SEQ(A a, B{2,} b[])", "a0 | b1", False),
    ],
)
def test_a_match_of_another_alternative_was_given_if_it_is_within_one(
    query: str, part: str, gave: bool
) -> None:
    taking = Taking(query)
    taking.add("a0 | b1 b2")
    other = Taking("SEQ(A a, B* b[])")
    assert taking.family.gave(other.match(part)) is gave


def test_a_match_with_variables_that_the_alternative_lacks_was_not_given() -> None:
    taking = Taking("SEQ(A a, B+ b[])")
    taking.add("a0 | b1 b2")
    other = Taking("SEQ(A a, B+ b[], C? c)")
    assert taking.family.gave(other.match("a0 | b1 | c2")) is False
    assert taking.family.gave(other.match("a0 | b1 | ")) is True
