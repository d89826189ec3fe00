"""Answers, asked for before and after more has come, against the oracle."""

from __future__ import annotations

from random import Random

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event, sort_key
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench
from limecep.testing.oracle import maximal_matches
from limecep.testing.random_tests import difference
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

SECOND = 1_000_000

PATTERNS = [
    "SEQ(A a, B b, !C c)",
    "SEQ(A a, B b, !C c) WHERE a.x = b.x",
    "SEQ(A a, B b, !C c) WHERE c.x = a.x",
    "SEQ(A+ a, B b, !C c) WHERE count(a) > 1",
    "SEQ(A+ a, B b, !C c) WHERE a[i+1].x >= a[i].x AND c.x = b.x",
    "SEQ(A a, B+ b, C c, !B d) WHERE last(b).x < c.x",
    "SEQ(A a, B+ b, !C c) WHERE sum(b.x) > 2",
    "SEQ(AND(A a, A{2} b[]), !B c)",
    # Of each event of the group.
    "SEQ(!C n, A+ a) WHERE n.x = a.x",
    "SEQ(A+ a, !C n, B b) WHERE n.x = a.x",
    # Of the first event of a group as of all others; a single event has no second one.
    "SEQ(A a, B+ b) WHERE a[2].x <= b.x",
    "SEQ(A a, B+ b, C c) WHERE last(a).x <= b[i].x",
    "SEQ(A a, B+ b, C c) WHERE b[i].x >= b[1].x AND b[i].x > a[1].x",
    # Each event of the last group goes with the end event, or none does that comes after it.
    "SEQ(A{2,} a, B b) WHERE a.x <= b.x",
    "SEQ(C c, A+ a, B b, !C d) WHERE a.x != b.x AND sum(a.x) > 1",
    # Next-match takes what comes first, whether or not it goes with the end event.
    "SEQ(A a, B b, A? d, C c) WHERE c.x = b.x",
    "SEQ(A a, AND(A b, A c), !A d) WHERE d.x = c.x AND c.x = b.x",
]


def asked_in_between(query: str, events: list[Event], chosen: Random) -> None:
    """Holds an engine that was asked about end events as they came to the oracle."""
    pattern = parse(f"PATTERN {query} WITHIN 8 s")
    plan = compile_plan(pattern, name="p")
    bench = Bench(plan, lambda plan, context: MaximalEngine(plan, MaximalOptions(), context))
    for event in events:
        bench.feed(event)
        for end in bench.ends[-chosen.choice([1, 2]) :]:
            bench.matches(end)
    got, expected = bench.ask(bench.ends), maximal_matches(pattern, events, select="stnm")
    assert got == expected, difference(pattern, "stnm", events, expected, got)


@pytest.mark.parametrize("query", PATTERNS)
def test_what_comes_at_the_time_of_an_end_event_spares_it(query: str) -> None:
    """It hits what an earlier end event completed, so the one it spares completes it, and no later one."""
    spelled = [("A", 1), ("A", 1.5), ("B", 2), ("B", 5), ("C", 5), ("B", 7)]
    events = [Event(name, str(n), int(t * SECOND), payload={"x": 1}) for n, (name, t) in enumerate(spelled)]
    asked_in_between(query, events, Random(1))


@pytest.mark.parametrize("query", PATTERNS)
def test_answers_do_not_depend_on_what_was_asked_before(query: str) -> None:
    chosen = Random(query)
    for _ in range(60):
        t, events = 0, []
        for n in range(chosen.randint(4, 10)):
            t += chosen.choice([0, 0, 1, 1, 2]) * SECOND
            events.append(
                Event(chosen.choice("AABBC"), str(n), t, payload={"x": chosen.choice([0, 1, 1, 2])})
            )
        asked_in_between(query, sorted(events, key=sort_key), chosen)
