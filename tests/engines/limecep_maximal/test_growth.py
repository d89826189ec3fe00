"""Patterns that people write innocently cost about as much an event, however long the window is."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

SECOND = 1_000_000


def work(query: str, within: int) -> int:
    """How many functions are called to find the matches of a stream of three windows, an event a second."""
    chosen = Random(7)
    plan = compile_plan(parse(f"PATTERN {query} WITHIN {within} s"), name="p")
    bench = Bench(plan, lambda plan, context: MaximalEngine(plan, MaximalOptions(), context))
    calls = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += 1

    for i in range(3 * within):
        payload = {"v": chosen.randrange(100), "x": chosen.randrange(within)}
        end = bench.feed(Event(chosen.choice("ABC"), str(i), i * SECOND, i * SECOND, "s", payload))
        if end is not None:
            sys.setprofile(note)
            try:
                bench.matches(end)
            finally:
                sys.setprofile(None)
    assert not bench.counters["truncated"]
    return calls


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
        "A+ r WHERE r[i+1].v > r[i].v AND count(r) >= 5",
    ],
)
def test_the_work_an_event_does_not_grow_with_the_window(query: str) -> None:
    short, long = work(query, 60), work(query, 240)
    # Four times the events; where it grew with the window it would be sixteen times the work.
    assert long < 8 * short, f"{short:,} calls for a window of 60 events, {long:,} for one of 240"
