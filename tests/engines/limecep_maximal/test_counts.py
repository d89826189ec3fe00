"""Counts that were checked by brute force and against published figures."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench, SilentLogger
from limecep.testing.streams import written
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

STEPS = {"ABC": "A a, B b, C c", "AB+C": "A a, B+ b[], C c", "A+B+C": "A+ a[], B+ b[], C c"}
WORKED = "b1 b2 a3 a4 a5 a6 a7 b8 a9 c10 b11 b12 a13 b14 a15 b16 a17 a18 c19 c20"
REFERENCE = Path(__file__).resolve().parents[4] / "shared" / "data" / "microlatency-10k.csv"


def bench(query: str, select: str, max_per_end: int = 1_000_000) -> Bench:
    plan = compile_plan(parse(f"PATTERN {query}"), name="p", select=select, max_per_end=max_per_end)  # type: ignore[arg-type]
    return Bench(plan, lambda plan, context: MaximalEngine(plan, MaximalOptions(), context))


def count(query: str, select: str, events: list[Event]) -> int:
    """The matches on a stream in order, counted as the kernel counts them."""
    driven = bench(query, select)
    total = 0
    for event in events:
        end = driven.feed(event)
        if end is not None:
            known = driven.count(end)
            total += known if known is not None else len(driven.matches(end))
    return total


@pytest.mark.parametrize(
    ("steps", "select", "expected"),
    [("ABC", "stnm", 8), ("AB+C", "stnm", 8), ("A+B+C", "stnm", 6),
     ("ABC", "stam", 15), ("AB+C", "stam", 10), ("A+B+C", "stam", 6)],
)  # fmt: skip
def test_the_worked_example_has_so_many_matches(steps: str, select: str, expected: int) -> None:
    assert count(f"SEQ({STEPS[steps]}) WITHIN 10 s", select, written(WORKED)) == expected


@pytest.mark.slow
@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference data is not beside the project")
@pytest.mark.parametrize(
    ("steps", "select", "within", "expected"),
    [("ABC", "stnm", 10, 2929), ("ABC", "stnm", 100, 3232), ("ABC", "stnm", 1000, 3232),
     ("AB+C", "stnm", 10, 2929), ("AB+C", "stnm", 100, 3232), ("AB+C", "stnm", 1000, 3232),
     ("A+B+C", "stnm", 10, 3268), ("A+B+C", "stnm", 100, 32927), ("A+B+C", "stnm", 1000, 295815),
     ("ABC", "stam", 10, 16818), ("ABC", "stam", 100, 1814393), ("ABC", "stam", 1000, 172342402),
     ("AB+C", "stam", 10, 7860), ("AB+C", "stam", 100, 105203), ("AB+C", "stam", 1000, 1030391),
     ("A+B+C", "stam", 10, 4737), ("A+B+C", "stam", 100, 54713), ("A+B+C", "stam", 1000, 528592)],
)  # fmt: skip
def test_the_reference_data_has_so_many_matches(steps: str, select: str, within: int, expected: int) -> None:
    with REFERENCE.open() as file:
        events = [Event(r["type"], r["id"], int(r["time"])) for r in csv.DictReader(file)]
    assert count(f"SEQ({STEPS[steps]}) WITHIN {within} us", select, events) == expected


def test_one_large_group_is_one_match() -> None:
    stream = "a0 " + " ".join(f"b{i}" for i in range(1, 26)) + " c26"
    assert count("SEQ(A a, B+ b[], C c) WITHIN 1000 s", "stam", written(stream)) == 1


def test_a_group_of_thousands_under_conditions_is_found() -> None:
    """Longer than any stack: groups are not built by recursion."""
    events = [Event("A", "a", 0, payload={"v": 0})]
    events += [Event("B", f"b{i}", i, payload={"v": i}) for i in range(1, 2000)]
    events += [Event("C", "c", 2000)]
    for query in ("b[i+1].v > b[i].v", "b[i].v > 0", "b[i].v >= a.v", "count(b) > 3"):
        driven = bench(f"SEQ(A a, B+ b[], C c) WHERE {query} WITHIN 1 s", "stnm")
        ends = [e for event in events if (e := driven.feed(event)) is not None]
        (match,) = driven.matches(ends[-1])
        assert len(match.groups[1]) == 1999


@pytest.mark.parametrize(
    "query",
    ["SEQ(A a, B+ b[], C c) WHERE avg(b.v) < 0 WITHIN 1 h",
     "SEQ(A a, B+ b[], C c) WHERE b[i+1].v != b[i].v WITHIN 1 h"],
)  # fmt: skip
def test_work_without_end_is_cut_short_and_counted(query: str) -> None:
    stream = "a0 " + " ".join(f"b{i}={i // 2}" for i in range(1, 60)) + " c61"
    driven = bench(query, "stam", max_per_end=1000)
    ends = [e for event in written(stream) if (e := driven.feed(event)) is not None]
    assert len(driven.matches(ends[-1])) <= 1000
    assert driven.counters["truncated"] == 1


@pytest.mark.parametrize("condition", ["count(b) >= 2", "sum(b.v) > 3", "last(b).v >= 0", "avg(b.v) > 1"])
def test_where_the_largest_group_will_do_nothing_smaller_is_tried(condition: str) -> None:
    stream = "a0 a0.5 " + " ".join(f"b{i}={i // 2}" for i in range(1, 60)) + " c61"
    driven = bench(f"SEQ(A a, B+ b[], C c) WHERE {condition} WITHIN 1 h", "stam", max_per_end=1000)
    ends = [e for event in written(stream) if (e := driven.feed(event)) is not None]
    assert [len(m.groups[1]) for m in driven.matches(ends[-1])] == [59, 59]
    assert driven.counters["truncated"] == 0


def test_an_engine_makes_nothing_before_it_is_asked() -> None:
    plan = compile_plan(parse("PATTERN SEQ(A a, B b) WITHIN 1 s"), name="p")
    context = Context(label="p", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    assert MaximalEngine(plan, MaximalOptions(), context).results == "maximal"
