"""A condition is about one negated step, and a negated step has no group."""

from __future__ import annotations

import pytest

from limecep.language.check import check
from limecep.language.parser import parse


@pytest.mark.parametrize(
    ("query", "code", "meant"),
    [
        ("SEQ(!Gas a, Smoke b, !Gas c) WHERE a.level > c.room WITHIN 1 s", "two-negated", "c.room"),
        ("SEQ(!Gas a, Smoke b) WHERE count(a) > 1 WITHIN 1 s", "negated-group", "count(a)"),
        ("SEQ(!Gas a, Smoke b) WHERE a[i].level > 1 WITHIN 1 s", "negated-group", "a[i].level"),
    ],
)
def test_what_cannot_be_meant_of_a_negated_step_is_told_with_its_place(
    query: str, code: str, meant: str
) -> None:
    query = f"PATTERN {query}"
    (problem,) = check(parse(query))
    assert (problem.code, query[problem.start : problem.end], problem.severity) == (code, meant, "error")


def test_conditions_of_their_own_may_be_about_two_negated_steps() -> None:
    assert check(parse("PATTERN SEQ(!A a, B b, !C c) WHERE a.v > b.v AND c.v > b.v WITHIN 1 s")) == []
