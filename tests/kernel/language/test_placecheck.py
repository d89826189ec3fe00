"""Places that a group never has."""

from __future__ import annotations

import pytest

from limecep.language.check import check
from limecep.language.parser import parse


@pytest.mark.parametrize(
    ("query", "code", "meant"),
    [
        ("SEQ(Gas a) WHERE a[i+1].level > 3", "never-compared", "a[i+1].level"),
        ("SEQ(Gas? a) WHERE a[i].level > max(a[..i-1].level)", "never-compared", "max(a[..i-1].level)"),
        ("SEQ(Gas{1,3} a) WHERE a[i-3].level > a[i].level", "never-compared", "a[i-3].level"),
        ("SEQ(Gas a) WHERE count(a) = 1", "constant-count", "count(a)"),
        ("SEQ(Gas{2,3} a) WHERE a[4].level = 1", "never-there", "a[4].level"),
    ],
)
def test_what_is_never_there_is_told_with_its_place(query: str, code: str, meant: str) -> None:
    query = f"PATTERN {query} WITHIN 1 s"
    (problem,) = check(parse(query))
    assert (problem.code, query[problem.start : problem.end], problem.severity) == (code, meant, "warning")


def test_places_that_a_group_may_have_are_not_told() -> None:
    where = "a[3].level = 1 AND a[i+2].level > a[i].level AND count(a) > 1 AND last(a).level > 1"
    assert check(parse(f"PATTERN SEQ(Gas{{2,3}} a) WHERE {where} WITHIN 1 s")) == []
