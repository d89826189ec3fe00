"""Patterns that people write innocently cost about as much an event, however long the window is."""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from limecep.contracts.engine import Starting
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine
from limecep_nfa.engine import NfaEngine

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.model.pattern import Select
    from limecep.plan.plan import Plan
    from limecep.testing.bench import MakeEngine

pytestmark = pytest.mark.interpreted

SECOND = 1_000_000


def maximal(plan: Plan, context: Context) -> MaximalEngine:
    return MaximalEngine(plan, MaximalOptions(), context)


def nfa(plan: Plan, context: Context) -> NfaEngine:
    return NfaEngine(plan, None, context)


def driven(
    query: str, within: int, make: MakeEngine = maximal, select: Select = "stnm", *, exposed: bool = False
) -> tuple[Bench, Calls]:
    """An engine that was asked about the end events of a stream of three windows, an event a second, and
    about those that others brought to light."""
    chosen = Random(7)
    plan = compile_plan(parse(f"PATTERN {query} WITHIN {within} s"), name="p", select=select)
    bench = Bench(plan, make)
    calls = Calls()
    for i in range(3 * within):
        payload = {"v": chosen.randrange(100), "x": chosen.randrange(within)}
        end = bench.feed(Event(chosen.choice("ABC"), str(i), i * SECOND, i * SECOND, "s", payload))
        if end is not None:
            with calls:
                bench.matches(end)
        elif exposed:
            with calls:
                told = bench.exposed()
                for end in bench.ends[-within:] if told is None else told:
                    bench.matches(end)
    assert not bench.counters["truncated"]
    return bench, calls


class Calls:
    """How many functions were called within it."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> None:
        sys.setprofile(self._note)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: Any, event: str, argument: Any) -> None:
        self.count += 1


@pytest.mark.parametrize(
    "query",
    [
        "SEQ(A a, B+ b, C c) WHERE count(b) >= 3",
        "SEQ(A a, B+ b, C c) WHERE avg(b.v) > 50",
        "SEQ(A a, B+ b, C c) WHERE max(b.v) - min(b.v) < 20",
        "SEQ(A a, B+ b, C c) WHERE last(b).v > first(b).v",
        "SEQ(A a, !B b, C c) WHERE b.x = a.x",
        "SEQ(A a, !B b) WHERE b.x = a.x",
        "SEQ(A{3} f, B s) WHERE f[i+1].x = f[i].x AND last(f).x = s.x",
        "SEQ(A{3,} f, B s) WHERE f.x = s.x",
        "A+ r WHERE r[i+1].v > r[i].v AND count(r) >= 5",
    ],
)
def test_the_work_an_event_does_not_grow_with_the_window(query: str) -> None:
    short, long = (driven(query, within)[1].count for within in (60, 240))
    # Four times the events; where it grew with the window it would be sixteen times the work.
    assert long < 8 * short, f"{short:,} calls for a window of 60 events, {long:,} for one of 240"


@pytest.mark.parametrize(
    ("make", "select", "query"),
    [
        (maximal, "stam", "SEQ(A a, B b) WHERE b.x = a.x"),
        (maximal, "stam", "SEQ(A a, B b, C c) WHERE b.x = a.x AND c.x = b.x"),
        (nfa, "stnm", "SEQ(A a, B b, C c)"),
        (nfa, "stnm", "SEQ(A a, B+ b, C c) WHERE sum(b.v) < 300"),
        (nfa, "stnm", "A+ r WHERE count(r) >= 9 AND avg(r.v) > 80"),
        (nfa, "stnm", "SEQ(A{2} a, B+ b, C c) WHERE last(a).v < b[1].v AND count(b) <= 3"),
        (nfa, "stnm", "SEQ(A{2,} a, B b) WHERE b.x = last(a).x AND a[i+1].x = a[i].x"),
        (nfa, "stnm", "SEQ(A{3,} f, B s) WHERE f.x = s.x"),
        (nfa, "stnm", "SEQ(A a, !B b, C c) WHERE b.x = a.x"),
    ],
)
def test_nor_does_it_for_other_policies_and_engines(make: MakeEngine, select: Select, query: str) -> None:
    short, long = (driven(query, within, make, select)[1].count for within in (60, 240))
    assert long < 8 * short, f"{short:,} calls for a window of 60 events, {long:,} for one of 240"


@pytest.mark.parametrize("condition", ["count(b) <= 5", "last(b).v > first(b).v"])
def test_each_of_all_groups_is_judged_once(condition: str) -> None:
    """There are as many groups as pairs of events: sixteen times as many in four times the window. If each
    later event asked about them again, it would be sixty-four times the work."""
    query = f"SEQ(A a, B+ b, C c) WHERE {condition}"
    short, long = (driven(query, within, nfa)[1].count for within in (40, 160))
    assert long < 24 * short, f"{short:,} calls for a window of 40 events, {long:,} for one of 160"


@pytest.mark.parametrize(
    ("select", "query"),
    [
        ("stam", "SEQ(A a, C c, !B b) WHERE b.x = a.x"),
        ("stnm", "SEQ(A{3,} a, !B b) WHERE b.x = a[1].x"),
    ],
)
def test_what_forbids_a_start_is_looked_for_once(select: Select, query: str) -> None:
    """Not for each end event: what a match costs is little more than to give it."""
    bench, _ = driven(query, 120, nfa, select)
    ends, calls, found = bench.ends[len(bench.ends) // 3 :], Calls(), 0
    view = bench.view(ends[0])
    for end in ends:
        with calls:
            found += sum(1 for _ in bench.engine.matches(end, view))
    assert calls.count < 48 * found, f"{calls.count:,} calls for {found:,} matches"


@pytest.mark.parametrize(
    ("make", "select", "query"),
    [
        (maximal, "stam", "SEQ(A a, C c, !B b) WHERE b.x = a.x"),
        (nfa, "stam", "SEQ(A a, C c, !B b) WHERE b.x = a.x"),
        (maximal, "stam", "SEQ(A a, B+ b, !C n) WHERE n.x = a.x"),
        (nfa, "stnm", "SEQ(A a, B+ b, !C n) WHERE n.x = a.x"),
        (nfa, "stnm", "SEQ(A a, B+ b, !C n) WHERE n.x = last(b).x"),
        (nfa, "stnm", "SEQ(A+ a, B b, !C n) WHERE n.x = b.x"),
    ],
)
def test_what_is_due_is_found_without_what_is_not(make: MakeEngine, select: Select, query: str) -> None:
    """Matches that wait for the end of their window are asked for start by start."""
    costs = []
    for within in (60, 240):
        bench, _ = driven(query, within, make, select)
        calls = Calls()
        ends = bench.ends[len(bench.ends) // 3 :]
        with calls:
            for end in ends:
                bench.matches_from(end, end.t_gen - within * SECOND // 2)
        costs.append(calls.count / len(ends))
    assert costs[1] < 2 * costs[0]


@pytest.mark.parametrize(
    ("make", "select", "query"),
    [
        (maximal, "stam", "SEQ(A a, C c, !B b) WHERE b.x = a.x"),
        (maximal, "stam", "SEQ(A a, B+ b, !C n) WHERE n.x = a.x"),
        (maximal, "stnm", "SEQ(A a, B+ b, !C n) WHERE n.x = a.x"),
        (nfa, "stnm", "SEQ(A a, B+ b, !C n) WHERE n.x = a.x"),
        (nfa, "stnm", "SEQ(A{3,} a, !B b) WHERE b.x = a[1].x"),
    ],
)
def test_a_start_that_was_hit_costs_a_look(make: MakeEngine, select: Select, query: str) -> None:
    bench, _ = driven(query, 60, make, select)
    end = bench.ends[len(bench.ends) // 2]
    view, engine = bench.view(end), bench.engine
    assert isinstance(engine, Starting)
    starts, absent = view.steps[0][0].content.events, view.negations[0][0].content.events
    hit = 0
    for start in starts:
        window = range(end.t_gen + 1, start.t_gen + 60 * SECOND + 1)
        if any(e.t_gen in window and e.payload["x"] == start.payload["x"] for e in absent):
            hit += 1
            assert engine.matches_from(end, view, start.t_gen) == ()
    assert hit


@pytest.mark.parametrize("condition", ["n.x = b.x", "n.x = b.x AND a.x = b.x", "n.x = b.x AND n.v > a.v"])
def test_what_an_event_brings_to_light_is_found_without_the_rest_of_the_window(condition: str) -> None:
    query = f"SEQ(A a, B b, !C n) WHERE {condition}"
    short, long = (driven(query, within, exposed=True)[1].count for within in (60, 240))
    assert long < 8 * short, f"{short:,} calls for a window of 60 events, {long:,} for one of 240"


@pytest.mark.parametrize(
    ("select", "query"),
    [
        ("stnm", "SEQ(A{3,} a, !B b) WHERE b.x = a[1].x"),
        ("stam", "SEQ(A{3,} a, !B b) WHERE b.x = a[1].x"),
        ("stnm", "SEQ(A+ a, !B b) WHERE a[i+1].x = a[i].x AND b.x = last(a).x"),
        ("stam", "SEQ(A+ a, !B b) WHERE a[i+1].x = a[i].x AND b.x = last(a).x"),
        ("stnm", "SEQ(A+ a, B b, !C n) WHERE n.x = b.x"),
        ("stnm", "SEQ(A+ a, B b, !C n) WHERE n.x = a[1].x"),
    ],
)
def test_of_groups_it_is_found_without_those_that_nothing_hits(query: str, select: Select) -> None:
    short, long = (driven(query, within, maximal, select, exposed=True)[1].count for within in (60, 240))
    assert long < 8 * short, f"{short:,} calls for a window of 60 events, {long:,} for one of 240"


@pytest.mark.parametrize(
    "query", ["SEQ(A a, B b, C c) WHERE a.x = b.x", "SEQ(A a, B+ b, C c) WHERE avg(b.v) > 50"]
)
def test_end_events_of_the_past_cost_together_what_they_did(query: str) -> None:
    """A late event asks about all that it may concern, before it enters and after."""
    bench, calls = driven(query, 120)
    for forgetful in (False, True):
        again = Calls()
        if forgetful:
            bench.forget()
        for end in bench.ends[len(bench.ends) // 3 : -10]:
            with again:
                bench.matches(end)
        assert again.count < 2 * calls.count
