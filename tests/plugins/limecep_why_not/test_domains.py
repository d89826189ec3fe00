"""Values worth trying."""

from __future__ import annotations

from limecep.language.parser import parse
from limecep.testing.streams import written
from limecep_why_not.changes import MISSING
from limecep_why_not.domains import Domains

V = ("v",)


def domains(where: str, text: str) -> Domains:
    condition = parse(f"PATTERN SEQ(A a) WHERE {where} WITHIN 1 second").where
    assert condition is not None
    return Domains([condition], written(text))


def test_values_in_the_place_of_one_come_by_how_little_they_differ() -> None:
    others = domains("a.v > 40", "a1=38").others(V, 38, [])
    assert others[:4] == [39, 37, 40, 36]
    assert 41 in others
    assert MISSING in others


def test_the_grid_is_as_fine_as_the_values_are() -> None:
    assert domains("a.v > 40", "a1=38.25").decimals(V) == 2
    assert domains("a.v > 40.125", "a1=38").decimals(V) == 3
    assert 40.01 in domains("a.v > 40", "a1=38.25").others(V, 38.25, [])


def test_a_text_may_become_another() -> None:
    assert domains("a.v = 'on'", "a1=off").others(V, "off", []) == ["on", "not on", MISSING]


def test_a_new_value_is_near_what_is_usual() -> None:
    free = domains("a.v > 40", "a1=55 a2=60 a3=70").free(V, [58])
    assert free[0] in (59, 60)
    assert {39, 40, 41} <= {*free}
    assert free[-1] is MISSING


def test_halving_finds_the_bound() -> None:
    found = list(domains("a.v > 40", "a1=1000").between(V, 1000, 8, lambda v: v < 700))
    assert found[-1] == 699
