"""Evaluation: what the engine finds, within bounds, and counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.evaluation import LOOK_EVERY_RUNS, Evaluation
from limecep.plan.compiler import compile_plan

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.interpreted

PLAN = compile_plan(parse("PATTERN OR(SEQ(A a, B b), SEQ(B b, A a)) WITHIN 1 h"), name="p")
B = Event("B", "b", 9, ordinal=9)
ENDS = [B, Event("B", "b2", 10, ordinal=10)]


def match(a: int, alternative: int = 0) -> Match:
    groups = ((Event("A", f"a{a}", a, ordinal=a),), (B,))
    return Match(PLAN.alternatives[alternative], groups if not alternative else groups[::-1])


class Window:
    """A view that holds so many events."""

    def within(self, end: Event) -> int:
        return 5

    def within_any(self, ends: Any) -> int:
        return 7


VIEW: Any = Window()


class Engine:
    """Finds the same for each end event."""

    def __init__(self, found: Iterable[Match], counted: int | None = None) -> None:
        self.found, self.counted = found, counted

    def count(self, end: Event, view: object) -> int | None:
        return self.counted

    def matches(self, end: Event, view: object) -> Iterable[Match]:
        return self.found


class AtOnce(Engine):
    """Also finds those of many end events at once, and which an event touches."""

    def matches_of(self, ends: list[Event], view: object) -> list[list[Match]]:
        return [[match(n)] for n, _ in enumerate(ends, start=1)]

    def touched(self, event: Event, view: object) -> list[Event]:
        return [event]


class ByStart(Engine):
    """Also finds those with a given start: a1 starts at 1 and so on. Nothing does at 0."""

    def matches_from(self, end: Event, view: object, t_gen: int) -> list[Match] | tuple[()]:
        if not t_gen:
            return ()
        return [m for m in self.found if m.start.id == f"a{t_gen}"]


class Telling(Engine):
    """Also finds what an event changes."""

    def going(self, event: Event, view: object) -> tuple[list[Match], str]:
        return self.found[:1], event.id

    def coming(self, view: object, changed: str) -> list[Match]:
        return [m for m in self.found if m.end.id == changed]


class Made:
    """An evaluation that finds at most 3 matches for an end event.

    Attributes:
        looked: How often it was looked whether the run has to end.
    """

    def __init__(self, engine: Any, *, unique: bool = False) -> None:
        self.looked = 0
        self.counters: Counter[str] = Counter()
        context = Context(
            label="p", clock=ManualClock(), counters=self.counters, logger=structlog.get_logger(),
            raise_if_stopped=self._look,
        )  # fmt: skip
        self.evaluation = Evaluation(replace(PLAN, max_per_end=3), engine, context, unique=unique)

    def _look(self, undone: str = "") -> None:
        self.looked += 1


def test_each_run_is_counted_with_what_the_engine_may_look_at() -> None:
    made = Made(Engine([match(1)]))
    assert [*made.evaluation.matches(B, VIEW)] == made.evaluation.engine.found  # type: ignore[attr-defined]
    assert made.counters == {"engine_runs": 1, "events_handed": 5}
    made.evaluation.matches(B, VIEW)
    assert made.counters == {"engine_runs": 2, "events_handed": 10}


def test_it_is_looked_now_and_then_whether_the_run_has_to_end() -> None:
    made = Made(Engine([]))
    for _ in range(2 * LOOK_EVERY_RUNS - 1):
        made.evaluation.matches(B, VIEW)
    assert made.looked == 1


def test_end_events_that_are_evaluated_again_are_counted_by_themselves() -> None:
    one, two = match(1), match(2)
    made = Made(Engine([one, two]))
    assert made.evaluation.again(ENDS, VIEW, None) == [one, two, one, two]
    assert made.counters == {"engine_runs": 2, "on_demand_runs": 2, "events_handed": 7}
    made.evaluation.again(ENDS, VIEW, None)
    assert made.counters == {"engine_runs": 4, "on_demand_runs": 4, "events_handed": 14}
    assert made.looked == 2


def test_what_was_emitted_is_found_out_uncounted_and_as_far_as_time_has_decided_it() -> None:
    one, two = match(1), match(2)
    made = Made(Engine([one, two]))
    assert made.evaluation.emitted([B], VIEW, lambda m: m is two) == [two]
    assert made.evaluation.emitted([B], VIEW, None) == [one, two]
    assert made.counters == {}
    assert made.looked == 2


def test_engines_count_by_themselves_where_they_can() -> None:
    assert Made(Engine([], counted=2)).evaluation.count(B, VIEW) == 2
    made = Made(Engine([match(n) for n in (1, 2)]))
    assert made.evaluation.count(B, VIEW) == 2
    assert made.counters == {"engine_runs": 1, "events_handed": 5}


def test_no_more_than_the_bound_is_found_and_that_something_is_missing_is_told() -> None:
    found = [match(n) for n in range(1, 6)]
    for given in (found, tuple(found), iter(found)):
        made = Made(Engine(given))
        assert [*made.evaluation.matches(B, VIEW)] == found[:3]
        assert made.counters["truncated"] == 1
    for given in (found[:3], iter(found[:3])):
        made = Made(Engine(given))
        assert [*made.evaluation.matches(B, VIEW)] == found[:3]
        assert made.counters["truncated"] == 0
    made = Made(Engine(found))
    assert made.evaluation.emitted([B], VIEW, None) == found[:3]
    for counted, truncated in ((3, 0), (4, 1)):
        made = Made(Engine([], counted=counted))
        assert (made.evaluation.count(B, VIEW), made.counters["truncated"]) == (3, truncated)


def test_equal_assignments_count_once_where_that_is_asked_for() -> None:
    found = [match(1), match(1, 1), match(2)]
    for given in ([*found], iter(found)):
        once = Made(Engine(given), unique=True)
        assert len([*once.evaluation.matches(B, VIEW)]) == 2
    assert len(Made(Engine(found), unique=True).evaluation.emitted([B], VIEW, None)) == 2
    assert Made(Engine(found), unique=True).evaluation.count(B, VIEW) == 2
    assert len([*Made(Engine(found)).evaluation.matches(B, VIEW)]) == 3


def test_an_engine_may_evaluate_many_end_events_at_once_and_tell_what_an_event_touches() -> None:
    plain, able = Made(Engine([])).evaluation, Made(AtOnce([])).evaluation
    assert plain.touched(B, VIEW) is None
    assert able.touched(B, VIEW) == [B]
    assert [m.start.id for m in able.emitted(ENDS, VIEW, None)] == ["a1", "a2"]


def test_an_engine_may_find_what_an_event_changes() -> None:
    assert Made(Engine([match(1)])).evaluation.going(B, VIEW) is None
    made = Made(Telling([match(1), match(2)]))
    assert made.evaluation.going(B, VIEW) == (made.evaluation.engine.found[:1], B.id)  # type: ignore[attr-defined]
    assert len(made.evaluation.coming(VIEW, B.id)) == 2
    made.evaluation.counted_change(2)
    made.evaluation.tell()
    made.evaluation.tell()
    assert made.counters == {"engine_runs": 1, "on_demand_runs": 1, "events_handed": 2}


def test_matches_with_a_start_are_asked_for_where_the_engine_can_and_none_was_cut_short() -> None:
    assert Made(Engine([match(1)])).evaluation.started(B, VIEW, 1) is None
    made = Made(ByStart([match(1), match(2)]))
    assert [m.start.id for m in made.evaluation.started(B, VIEW, 2) or ()] == ["a2"]
    assert made.counters["engine_runs"] == 1
    assert [*(made.evaluation.started(B, VIEW, 9) or ())] == []
    assert made.counters["engine_runs"] == 2
    # That took no more than a look.
    assert made.evaluation.started(B, VIEW, 0) == ()
    assert made.counters["engine_runs"] == 2
    found = [match(n) for n in range(1, 6)]
    made = Made(ByStart(found))
    assert [*made.evaluation.matches(B, VIEW)] == found[:3]
    # Which matches it has is a matter of all of them.
    assert made.evaluation.started(B, VIEW, 2) is None
