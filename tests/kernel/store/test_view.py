"""How much an engine may look at: the events in the window of an end event, or of several."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.store.store import Store

if TYPE_CHECKING:
    from limecep.store.view import View


def viewed(structure: str, *times: int, sequenced: bool = False, **options) -> View:
    """A view with an A and a B at each of these times, and a window of 10."""
    plan = compile_plan(parse(f"PATTERN {structure} WITHIN 10 us"), name="p", **options)
    store = Store(sequenced=sequenced)
    views = store.subscribe(plan)
    for t in times:
        for name in "ABX":
            if type_set := store.type_set(name):
                store.add(Event(name, f"{name}{t}", t), type_set)
    view = views.of(end(0))
    assert view is not None
    return view


def end(t: int) -> Event:
    return Event("B", f"B{t}", t)


STRUCTURES = ["SEQ(A a, B b)", "AND(A a, B b)"]


@pytest.mark.parametrize("sequenced", [False, True])
@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_window_counts_both_its_ends(structure: str, sequenced: bool) -> None:
    view = viewed(structure, 1, 5, 9, 10, 15, 20, 25, sequenced=sequenced)
    assert view.within(end(15)) == 2 * 4
    assert view.within(end(20)) == 2 * 3
    assert view.within(end(25)) == 2 * 3
    assert view.within(end(0)) == 0


@pytest.mark.parametrize("structure", STRUCTURES)
def test_windows_are_counted_in_whatever_order_they_are_asked_for(structure: str) -> None:
    random = Random(3)
    times = sorted(random.sample(range(200), 60))
    view = viewed(structure, *times)
    for _ in range(60):
        t = random.choice(times)
        assert view.within(end(t)) == 2 * sum(t - 10 <= other <= t for other in times)


def test_events_that_come_late_are_counted() -> None:
    view = viewed("SEQ(A a, B b)", 10, 20)
    assert view.within(end(20)) == 4
    view.steps[0][0].add(12, Event("A", "late", 12))
    view.steps[0][0].add(3, Event("A", "later", 3))
    assert view.within(end(20)) == 5
    assert view.within(end(10)) == 3


@pytest.mark.parametrize("structure", STRUCTURES)
def test_windows_that_overlap_are_counted_once(structure: str) -> None:
    view = viewed(structure, *range(0, 100, 5))
    assert view.within_any([end(20)]) == view.within(end(20)) == 2 * 3
    assert view.within_any([end(20), end(25)]) == 2 * 4
    assert view.within_any([end(20), end(30)]) == 2 * 5
    assert view.within_any([end(20), end(50)]) == 2 * 6


def test_a_lane_that_several_steps_share_is_counted_once() -> None:
    assert viewed("SEQ(A a, A b, !A c, B d)", 5, 10).within(end(10)) == 4


def test_under_strict_contiguity_the_stream_is_counted() -> None:
    view = viewed("SEQ(A a, B b)", 5, 10, select="sc")
    assert view.stream is not None
    assert view.within(end(10)) == 6


def test_an_empty_lane_is_passed_over() -> None:
    assert viewed("SEQ(Z z, A a, B b)", 5, 10).within(end(10)) == 4


def test_an_event_has_the_order_number_of_its_time() -> None:
    view = viewed("SEQ(A a, B b)", 5)
    assert view.order(end(5)) == view.steps[0][0].content.order[0] == 5
