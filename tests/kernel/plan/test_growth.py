"""How the number of matches grows: what is said of patterns, and that brute force finds no more."""

from __future__ import annotations

from math import log2, prod
from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.plan.growth import growth
from limecep.testing.oracle import all_matches, maximal_matches
from limecep.testing.random_tests import difference, for_all
from limecep.testing.strategies import patterns, streams
from limecep.testing.streams import written

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Select
    from limecep.plan.growth import Growth
    from limecep.testing.strategies import Feature

ALL = True
MAXIMAL = False


#: Pattern, policy, which matches, the power, and the steps it comes from.
PLAIN: list[tuple[str, Select, bool, int, str]] = [
    ("SEQ(A a, B b, C c)", "stnm", ALL, 1, ""),
    ("SEQ(A a, B b, C c)", "stnm", MAXIMAL, 1, ""),
    ("SEQ(A a, B+ b[], C c)", "stnm", MAXIMAL, 1, ""),
    ("SEQ(A a, B+ b[], C c)", "stnm", ALL, 2, "b"),
    ("SEQ(A+ a[], B+ b[], C c)", "stnm", ALL, 3, "ab"),
    ("SEQ(A+ a[], B+ b[], C c)", "stnm", MAXIMAL, 2, "a"),
    ("SEQ(A a, B+ b[], C+ c[])", "stnm", MAXIMAL, 2, "b"),
    ("SEQ(A a, B+ b[])", "stnm", MAXIMAL, 1, ""),
    ("SEQ(A a, B+ b[])", "stnm", ALL, 2, "b"),
    ("SEQ(A a, B b, C c)", "stam", ALL, 3, "abc"),
    ("SEQ(A a, B b, C c)", "stam", MAXIMAL, 3, "abc"),
    ("SEQ(A a, B? b, C c)", "stam", MAXIMAL, 3, "abc"),
    ("SEQ(A a, B+ b[], C c)", "stam", MAXIMAL, 2, "ac"),
    ("SEQ(A+ a[], B+ b[], C c)", "stam", MAXIMAL, 2, "ac"),
    ("SEQ(A a, B+ b[])", "stam", MAXIMAL, 1, "a"),
    ("OR(SEQ(A a, B b), SEQ(A a, C c, B b))", "stam", MAXIMAL, 3, "acb"),
    ("SEQ(A+ a[], B b)", "stam", MAXIMAL, 1, "b"),
    ("SEQ(A+ a[])", "stam", MAXIMAL, 1, "a"),
    ("SEQ(A+ a[], B b, C+ c[])", "stam", MAXIMAL, 2, "bc"),
    ("SEQ(A+ a[], B+ b[])", "stam", MAXIMAL, 2, "ab"),
    ("SEQ((A OR B OR C)+ a[])", "sc", ALL, 2, "a"),
    ("SEQ((A OR B OR C)+ a[], (A OR B OR C)+ b[])", "sc", ALL, 3, "ab"),
    ("SEQ((A OR B OR C)+ a[], (A OR B OR C)+ b[], C c)", "sc", MAXIMAL, 2, "b"),
]
OTHERS: list[tuple[str, Select, bool, int, str]] = [
    ("SEQ(A a, B{2,5} b[], C c)", "stnm", ALL, 1, ""),
    ("SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v", "stnm", MAXIMAL, 1, ""),
    ("SEQ(A a, B+ b[], C c) WHERE b[i].v > c.v", "stnm", MAXIMAL, 2, "b"),
    ("SEQ(A a, B+ b[], C c) WHERE avg(b.v) > 3", "stnm", MAXIMAL, 2, "b"),
    ("SEQ(A a, B{2,3} b[], C c)", "stam", MAXIMAL, 5, "abc"),
    ("SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v", "stam", MAXIMAL, 2, "ac"),
    ("SEQ(A a, B+ b[], C c) WHERE count(b) > 3", "stam", MAXIMAL, 2, "ac"),
    ("SEQ(A a, B+ b[], C c) WHERE max(b.v) > 3", "stam", MAXIMAL, 2, "ac"),
    ("SEQ(A a, B+ b[], C c) WHERE count(b) <= 3", "stam", MAXIMAL, 5, "abc"),
    ("SEQ(A a, B+ b[], C c) WHERE 2 = count(b)", "stam", ALL, 4, "abc"),
    ("SEQ(A a, B+ b[], C c) WHERE last(b).v > first(b).v", "stam", MAXIMAL, 4, "abc"),
    ("SEQ(A a, B+ b[], C c) WHERE b[i+1].v = b[i].v", "stam", MAXIMAL, 3, "abc"),
    ("SEQ(A a, B+ b[], C c)", "sc", ALL, 1, ""),
    ("SEQ(A+ a[], B+ b[], C c)", "sc", ALL, 2, "a"),
    ("SEQ(A+ a[], B+ b[], C c)", "sc", MAXIMAL, 1, ""),
    ("SEQ(A a, B? b, (A OR C)+ c[], B d)", "sc", MAXIMAL, 2, "c"),
    ("SEQ(A? a, B+ b[], C c)", "sc", ALL, 2, "b"),
    ("SEQ(A a, B b, A+ c[], D d)", "sc", ALL, 1, ""),
    ("SEQ(A a, B b)", "sc", ALL, 1, ""),
    ("SEQ(A a) WHERE 1 = 2", "stam", ALL, 0, ""),
]


def grows(query: str, select: Select, everything: bool) -> Growth:
    return growth(
        compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p", select=select), everything=everything
    )


@pytest.mark.parametrize(("query", "select", "everything", "power", "variables"), [*PLAIN, *OTHERS])
def test_it_is_a_power_of_the_events(
    query: str, select: Select, everything: bool, power: int, variables: str
) -> None:
    found = grows(query, select, everything)
    assert (found.power, "".join(found.variables), found.condition) == (power, variables, "")


@pytest.mark.parametrize(("query", "select", "everything", "power", "variables"), PLAIN)
def test_there_are_so_many_indeed(
    query: str, select: Select, everything: bool, power: int, variables: str
) -> None:
    """Twice the events in a window, in a stream that has two of them: 2 ** power times the matches, or
    nearly so."""
    find = all_matches if everything else maximal_matches

    def count(size: int) -> int:
        events = written(" ".join(f"{'abc'[n % 3]}{n}" for n in range(2 * size)))
        return len(find(parse(f"PATTERN {query} WITHIN {size} s"), events, select=select))

    assert log2(count(12) / count(6)) == pytest.approx(power, abs=0.5)


@pytest.mark.parametrize("everything", [ALL, MAXIMAL], ids=["all", "maximal"])
@pytest.mark.parametrize("select", ["stnm", "stam", "sc"])
def test_there_are_never_more_matches_than_that(select: Select, everything: bool) -> None:
    """Of quantifiers with a bound, and of steps that may be empty, there are so many ways besides."""
    find = all_matches if everything else maximal_matches

    def body(pattern: Pattern, events: list[Event]) -> None:
        plan = compile_plan(pattern, name="p", select=select)
        power = growth(plan, everything=everything).power
        if power is None:
            return
        found = find(pattern, events, select=select)
        most = (len(events) + 1) ** power * sum(
            prod(
                2 if q.maximum is None and not q.minimum else (q.maximum or q.minimum) - q.minimum + 1
                for q in (s.quantifier for s in a.steps)
            )
            for a in plan.alternatives
        )
        assert len(found) <= most, difference(pattern, select, events, set(), found)

    features: frozenset[Feature] = frozenset({"kleene", "each", "cross", "position", "final"})
    drawn = (patterns(features=features, types="AB"), streams(types="AB", size=11, ties=False, odd=False))
    for_all(body, *drawn, examples=60)
