"""Order numbers of a pattern with AND, whose events may follow each other at one time."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event, sort_key
from limecep.plan.compiler import compile_plan
from limecep.store.store import Store

if TYPE_CHECKING:
    from limecep.plan.plan import Plan
    from limecep.store.lane import Lane
    from limecep.store.view import View

QUERY = "SEQ(X x, AND(A a, B b), !N n, AND(C c, D d), Y y)"


def plan(query: str) -> Plan:
    return compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p")


def stream(size: int, chosen: Random, *, sequenced: bool = False) -> list[Event]:
    """Events of which many have one time."""
    return [
        Event(
            chosen.choice("XABNCDY"),
            f"e{n}",
            chosen.randrange(size // 4),
            seq=sequenced and chosen.randrange(2),
        )
        for n in range(size)
    ]


def view_of(store: Store, made: Plan, events: list[Event]) -> View:
    views = store.subscribe(made)
    for event in events:
        store.add(event, store.types[event.type])
    view = views.of(events[0])
    assert view is not None
    return view


def numbers(lane: Lane) -> list[tuple[int, Event]]:
    return list(zip(lane.content.order, lane.content.events, strict=True))


@pytest.mark.parametrize("sequenced", [False, True])
@pytest.mark.parametrize("number", range(4))
def test_an_event_precedes_another_iff_its_number_is_smaller(number: int, sequenced: bool) -> None:
    """Whatever the order of arrival."""
    made = plan(QUERY)
    events = stream(60, Random(number), sequenced=sequenced)
    view = view_of(Store(sequenced=sequenced), made, events)

    def strictly(event: Event) -> tuple[int, int]:
        return event.t_gen, event.seq

    for a, alternative in enumerate(made.alternatives):
        for k, lane in enumerate(view.steps[a]):
            assert [e for _, e in numbers(lane)] == sorted(lane.content.events, key=sort_key)
            assert lane.content.order == sorted(lane.content.order)
            for j in range(k + 1, len(alternative.steps)):
                compared = sort_key if alternative.together(k, j) else strictly
                for (m, e), (n, f) in product(numbers(lane), numbers(view.steps[a][j])):
                    assert (m < n) == (compared(e) < compared(f)), f"{e} and {f}, steps {k} and {j}"
        (absent,) = view.negations[a]
        for (m, e), (n, x) in product(numbers(view.steps[a][2]), numbers(absent)):
            assert (m < n) == (strictly(e) < strictly(x))
        for (m, x), (n, f) in product(numbers(absent), numbers(view.steps[a][3])):
            assert (m < n) == (strictly(x) < strictly(f))


def test_numbers_do_not_depend_on_the_order_of_arrival() -> None:
    made, events = plan(QUERY), stream(60, Random(1))
    in_order = view_of(Store(), made, sorted(events, key=sort_key))
    other = view_of(Store(), made, events)
    for one, two in zip(in_order.steps[0], other.steps[0], strict=True):
        assert one.content.order == two.content.order


def test_the_window_holds_what_is_in_it_whatever_its_number() -> None:
    made = plan("AND(A a, B b)")
    store = Store()
    events = [Event(t, f"{t}{at}", at * 1_000_000) for at in (0, 1, 10, 11) for t in "AB"]
    view = view_of(store, made, events)
    end = events[-3]  # B10
    floor, ceiling = (
        view.ordering.floor(view.ordering.latest(end)),
        view.ordering.ceiling(view.order(events[2])),
    )
    for lane in view.steps[0]:
        assert [n >= floor for n in lane.content.order] == [True, True, True, True]
        assert [n <= ceiling for n in lane.content.order] == [True, True, True, True]
    assert view.within(end) == 6
    assert [lane.place(view.order(end), end) for lane in view.steps[0][1:]] == [2]


def test_what_leaves_memory_leaves_these_lanes_too() -> None:
    made, store = plan("AND(A a, B b)"), Store()
    view = view_of(store, made, [Event(t, f"{t}{at}", at) for at in range(4) for t in "AB"])
    assert store.forget(2) == 4
    assert [[e.id for e in lane.content.events] for lane in view.steps[0]] == [["A2", "A3"], ["B2", "B3"]]


def test_patterns_without_and_share_their_lanes_as_before() -> None:
    store = Store()
    tied, plain = store.subscribe(plan("AND(A a, B b)")), store.subscribe(plan("SEQ(A a, B b)")).only
    store.add(event := Event("A", "a1", 1), store.types["A"])
    view = tied.of(event)
    assert view is not None
    assert plain is not None
    assert plain.steps[0][0].content.order == [1]
    assert view.steps[0][0].content.order != [1]
    assert not plan("SEQ(A a, AND(B b, !N n))").simultaneous
