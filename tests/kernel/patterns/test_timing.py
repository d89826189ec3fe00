"""When a match may go out, and when nothing can change it any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.model.time import FOREVER
from limecep.patterns.timing import Timing
from limecep.plan.compiler import compile_plan

if TYPE_CHECKING:
    from limecep.contracts.results import Emit
    from limecep.model.pattern import Select
    from limecep.model.picks import Pick
    from limecep.plan.plan import Plan


def plan(query: str, select: Select = "stnm") -> Plan:
    return compile_plan(parse(f"PATTERN {query} WITHIN 10 us"), name="p", select=select)


PLAIN, GROWING, TRAILING = "SEQ(A a, B b)", "SEQ(A a, B+ b)", "SEQ(A a, B b, !C c)"


def due(query: str, emit: Emit) -> int:
    """When a match from 20 to 25 is due."""
    made = plan(query)
    match = Match(made.alternatives[0], ((Event("A", "a", 20),), (Event("B", "b", 25),)))
    return Timing(made, emit).due(match)


@pytest.mark.parametrize(
    ("query", "emit", "expected"),
    [
        (PLAIN, "immediate", -FOREVER),
        (PLAIN, "complete", -FOREVER),
        (PLAIN, "final", 25),
        (GROWING, "immediate", -FOREVER),
        (GROWING, "complete", 30),
        (GROWING, "final", 30),
        (TRAILING, "immediate", 30),
        (TRAILING, "complete", 30),
        (TRAILING, "final", 30),
        ("SEQ(A a, !C c, B? b)", "immediate", 30),
        ("SEQ(A a, !C c, B b)", "immediate", -FOREVER),
    ],
)
def test_a_match_waits_for_what_may_still_change_it(query: str, emit: Emit, expected: int) -> None:
    assert due(query, emit) == expected
    assert Timing(plan(query), emit).waits is (expected != -FOREVER)


@pytest.mark.parametrize(
    ("query", "emit", "pick", "maximal", "expected", "late"),
    [
        # The one that starts first is known first, the others when all are.
        (TRAILING, "eager", "first", True, 30, False),
        (TRAILING, "eager", "longest", True, 35, False),
        (TRAILING, "final", "last", False, 35, False),
        # One that waits may be picked before this one, which does not.
        (f"OR({PLAIN}, {TRAILING})", "eager", "first", True, 30, False),
        # Live matches join as ever, and are picked among late.
        (GROWING, "complete", "last", True, 30, True),
        (GROWING, "complete", "first", True, 30, False),
        (GROWING, "complete", "last", False, 35, False),
        (GROWING, "eager", "last", True, -FOREVER, False),
        (PLAIN, "eager", "last", True, -FOREVER, False),
        (PLAIN, "final", "last", True, 25, False),
    ],
)
def test_what_is_picked_waits_for_what_may_be_picked_in_its_place(
    query: str, emit: Emit, pick: Pick, maximal: bool, expected: int, late: bool
) -> None:
    made = compile_plan(parse(f"PATTERN {query} WITHIN 10 us"), name="p", pick=pick)
    end = Event("B", "b", 25)
    timing = Timing(made, emit, maximal=maximal)
    assert timing.due(Match(made.alternatives[0], ((Event("A", "a", 20),), (end,)))) == expected
    assert timing.picks_late is late
    assert timing.picked(end) == 35


@pytest.mark.parametrize(
    ("query", "settled"),
    [(PLAIN, 25), (GROWING, 35), (TRAILING, 35), ("OR(SEQ(A a, B b), SEQ(A a, B? b))", 35)],
)
def test_the_results_of_an_end_event_are_settled(query: str, settled: int) -> None:
    timing = Timing(plan(query), "immediate")
    assert timing.settled(Event("B", "b", 25)) == settled
    assert timing.settled_until(settled) == 25


@pytest.mark.parametrize(
    ("query", "select", "exposing", "since"),
    [
        (PLAIN, "stnm", set(), 40),
        (TRAILING, "stnm", {"C"}, 40),
        (TRAILING, "stam", set(), 40),
        ("SEQ(A a, B+ b, !C c)", "stnm", set(), 40),
        (f"{TRAILING} WHERE c.v = a.v", "stnm", {"C"}, 40),
        # What is compared with the end event, or with a group, hits one match and spares another.
        (f"{TRAILING} WHERE c.v = b.v", "stnm", {"C"}, 30),
        (f"{TRAILING} WHERE c.v = b.v", "stam", set(), 40),
        ("SEQ(A+ a, B b, !C c) WHERE c.v = a.v", "stam", {"C"}, 30),
        ("SEQ(A a, !C c) WHERE c.v = a.v", "stnm", set(), 40),
    ],
)
def test_a_trailing_negation_may_bring_matches_to_light(
    query: str, select: Select, exposing: set[str], since: int
) -> None:
    timing = Timing(plan(query, select), "immediate")
    assert timing.exposing == exposing
    assert timing.exposed_from(Event("C", "c", 40)) == since
    assert timing.exposed_from(Event("B", "b", 40)) == 40
    # Where all matches are given, none hides another.
    assert Timing(plan(query, select), "immediate", maximal=False).exposing == set()
