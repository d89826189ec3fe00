"""What runs cost, and what the buffer keeps of them."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.spec import NoOptions
from limecep.testing.bench import Bench
from limecep.testing.oracle import assignment
from limecep.testing.strategies import patterns, streams
from limecep.testing.streams import shown, written
from limecep_nfa.engine import NfaEngine
from limecep_nfa.runs import TRIM_AT, Runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.model.pattern import Pattern, Select

STEPS = {"ABC": "A a, B b, C c", "AB+C": "A a, B+ b[], C c", "A+B+C": "A+ a[], B+ b[], C c"}
TIED = "SEQ(B a, A* b[], A+ c[]) WHERE b[i-1].v <= b[i].v AND count(b) <= 0"
WORKED = "b1 b2 a3 a4 a5 a6 a7 b8 a9 c10 b11 b12 a13 b14 a15 b16 a17 a18 c19 c20"
REFERENCE = Path(__file__).resolve().parents[4] / "shared" / "data" / "microlatency-10k.csv"


def bench(pattern: Pattern | str, select: Select, max_per_end: int = 10**12) -> Bench:
    parsed = parse(f"PATTERN {pattern}") if isinstance(pattern, str) else pattern
    plan = compile_plan(parsed, name="p", select=select, max_per_end=max_per_end)
    return Bench(plan, lambda plan, context: NfaEngine(plan, NoOptions(), context))


def count(driven: Bench, events: Iterable[Event]) -> int:
    """How many matches a stream in order has, without looking at one."""
    total = 0
    for event in events:
        if (end := driven.feed(event)) is not None:
            known = driven.count(end)
            assert known is not None
            total += known
    return total


def kept(driven: Bench) -> Runs:
    """The runs that are kept after the last end event."""
    (runs,) = driven.view(driven.ends[-1]).memo.values()
    assert isinstance(runs, Runs)
    return runs


def entries(runs: Runs) -> int:
    return sum(len(stack.entries) for stack in runs.stacks)


@pytest.mark.parametrize(
    ("steps", "select", "expected"),
    [("ABC", "stnm", 8), ("AB+C", "stnm", 12), ("A+B+C", "stnm", 26),
     ("ABC", "stam", 15), ("AB+C", "stam", 28), ("A+B+C", "stam", 61)],
)  # fmt: skip
def test_the_worked_example_has_so_many_matches(steps: str, select: Select, expected: int) -> None:
    driven = bench(f"SEQ({STEPS[steps]}) WITHIN 10 s", select)
    assert count(driven, written(WORKED)) == expected
    assert sum(len(driven.matches(end)) for end in driven.ends) == expected


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference data is not beside the project")
@pytest.mark.parametrize(
    ("steps", "select", "within", "expected"),
    [("ABC", "stnm", 10, 2929), ("ABC", "stnm", 1000, 3232), ("AB+C", "stnm", 10, 7764),
     ("AB+C", "stnm", 100, 105723), ("AB+C", "stnm", 1000, 1033717), ("A+B+C", "stnm", 10, 16374),
     ("ABC", "stam", 100, 1814393), ("AB+C", "stam", 10, 45502), ("A+B+C", "stam", 10, 92351)],
)  # fmt: skip
def test_the_reference_data_has_so_many_matches(
    steps: str, select: Select, within: int, expected: int
) -> None:
    with REFERENCE.open() as file:
        events = [Event(r["type"], r["id"], int(r["time"])) for r in csv.DictReader(file)]
    assert count(bench(f"SEQ({STEPS[steps]}) WITHIN {within} us", select), events) == expected


def test_runs_that_share_their_events_are_kept_once() -> None:
    """Twenty-seven entries stand for 33,554,431 matches, and as many runs more."""
    driven = bench("SEQ(A a, B+ b[], C c) WITHIN 1000 s", "stam")
    assert count(driven, written("a0 " + " ".join(f"b{i}" for i in range(1, 26)) + " c26")) == 2**25 - 1
    assert entries(kept(driven)) == 27


def test_runs_that_conditions_tell_apart_share_what_they_begin_with() -> None:
    """Every b that is left may be the last of its group: a run each, but an entry more, not a copy."""
    driven = bench("SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v WITHIN 1000 s", "stnm")
    events = written("a0=0 " + " ".join(f"b{i}=1" for i in range(1, 301)) + " c400")
    assert count(driven, events) == 300
    assert entries(kept(driven)) == 1 + 300 + 1


def test_what_has_left_the_window_leaves_the_buffer() -> None:
    driven = bench("SEQ(A a, B+ b[], C c) WITHIN 10 us", "stnm")
    types = "ABC" * 10_000
    assert count(driven, (Event(t, f"{t}{n}", n) for n, t in enumerate(types))) > 10_000
    assert entries(kept(driven)) <= TRIM_AT + 100


def test_an_end_event_that_left_the_buffer_is_found_all_the_same() -> None:
    driven = bench("SEQ(A a, B b, C c) WITHIN 10 us", "stnm")
    for n, t in enumerate("ABC" * 2_000):
        driven.feed(Event(t, f"{t}{n}", n))
    in_order = [len(driven.matches(end)) for end in driven.ends]
    assert [len(driven.matches(end)) for end in reversed(driven.ends)] == in_order[::-1]
    assert sum(in_order) == 2_000


def test_a_group_of_a_thousand_is_longer_than_any_stack() -> None:
    events = [Event("A", "a", 0, payload={"v": 0})]
    events += [Event("B", f"b{i}", i, payload={"v": i}) for i in range(1, 1200)]
    events += [Event("C", "c", 1200)]
    for where in ("", "WHERE b[i+1].v > b[i].v", "WHERE b[i].v >= a.v"):
        driven = bench(f"SEQ(A a, B+ b[], C c) {where} WITHIN 1 s", "stnm")
        assert count(driven, events) == 1199
        assert max(len(m.groups[1]) for m in driven.matches(driven.ends[-1])) == 1199


@pytest.mark.parametrize(
    ("query", "arrived", "found"),
    [
        ("OR(SEQ(A a, !A b), SEQ((A OR B)* a[])) WHERE sum(a.v) >= 1", "a4=1 b4=0", ["a4", "a4 b4"]),
        ("SEQ(AND(B+ a[], A? b)) WHERE a[i].v <= sum(a[..i-1].v)", "a6=0 b6=1", ["b6", "b6 a6"]),
    ],
)
def test_with_little_room_a_match_still_has_what_is_of_the_time_of_its_end(
    query: str, arrived: str, found: list[str]
) -> None:
    driven = bench(f"{query} WITHIN 12 s", "stnm", max_per_end=3)
    matches = driven.run(written(arrived))
    assert sorted(" ".join(i for _, group in match for _, _, i in group) for match in matches) == found


def test_what_is_cut_short_does_not_depend_on_what_was_asked_before() -> None:
    """However much room there is: the same matches, in the same order, with and without a memo, and whatever
    else has the same time."""
    cut = Counter[bool]()

    @settings(max_examples=200, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(patterns(), streams(size=12))
    @example(parse(f"PATTERN {TIED} WITHIN 12 seconds"), written("a1=0 a2=0 b3=0 a4=0 a5=0 a5.0=0 a6=0"))
    def holds(pattern: Pattern, events: list[Event]) -> None:
        for select in ("stnm", "stam", "sc"):
            driven = bench(pattern, select, max_per_end=4)
            in_turn = []
            for event in events:
                if (end := driven.feed(event)) is not None:
                    in_turn.append([assignment(m.events()) for m in driven.matches(end)])
            cut[bool(driven.counters["truncated"])] += 1
            if driven.waits:
                continue
            for end, before in zip(driven.ends, in_turn, strict=True):
                driven.forget()
                again = [assignment(m.events()) for m in driven.matches(end)]
                assert again == before, f"{pattern}\n{select}, on\n{shown(events)}\nat {end.id}"

    holds()
    assert cut[True] > 10
