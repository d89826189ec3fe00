"""Stacks of entries, and the groups that entries know."""

from __future__ import annotations

import pytest

from limecep.model.event import Event
from limecep.plan.stretch import Book
from limecep_nfa.buffer import Chain, Entry, Stack, longer, unrolled

A, B, C = (Event(name, name.lower(), t) for t, name in enumerate("ABC"))


def entry(order: int, start: int = 0, **options) -> Entry:
    return Entry(event=A, order=order, place=order, step=0, begins=True, start=start, links=(), **options)


def filled(*orders: int) -> Stack:
    stack = Stack()
    for order in orders:
        stack.add(entry(order))
    return stack


def orders(stack: Stack, *places: int) -> list[int]:
    return [found.order for found in stack.at(places)]


def lane(*events: Event) -> Book:
    return Book([*events])


def chain(*places: int) -> Chain | None:
    """A group of the lane A, B, C."""
    made = None
    for place in places:
        made = longer(made, (A, B, C)[place], place)
    return made


@pytest.mark.parametrize("places", [(0, 1, 2), (0, 2), (1, 2), (2,), (0, 1), ()])
def test_a_chain_gives_its_events_in_order_whether_or_not_some_are_left_out(places: tuple[int, ...]) -> None:
    assert [*unrolled(chain(*places), lane(A, B, C))] == [(A, B, C)[p] for p in places]


def test_an_entry_knows_the_groups_that_conditions_look_back_to() -> None:
    first = Entry(event=A, order=0, place=0, step=0, begins=True, start=0, links=(), group=chain(0))
    last = Entry(
        event=C, order=2, place=2, step=2, begins=False, start=0, links=(), group=chain(1, 2), before=first
    )
    lanes = [lane(A), lane(), lane(A, B, C), lane()]
    assert [[*group] for group in last.known(lanes)] == [[A], [], [B, C], []]


def test_places_go_on_counting_when_old_entries_leave() -> None:
    stack = filled(10, 20, 20, 30)
    assert stack.trim(20) == 1
    assert (stack.base, stack.stop) == (1, 4)
    assert orders(stack, 0, 1, 3) == [20, 30]
    stack.add(entry(40))
    assert orders(stack, 4) == [40]


def test_an_entry_is_found_by_its_order_number() -> None:
    stack = filled(10, 20, 20, 30)
    assert [stack.since(order) for order in (5, 10, 11, 20, 30, 31)] == [0, 0, 1, 1, 3, 4]
    stack.trim(15)
    assert [stack.since(order) for order in (5, 20, 31)] == [1, 1, 4]


def test_the_latest_start_is_that_of_an_entry_or_of_one_below() -> None:
    stack = Stack()
    for order, start in [(10, 5), (20, 3), (30, 9), (40, 1)]:
        stack.add(entry(order, start))
    assert [stack.start([place]) for place in range(4)] == [5, 5, 9, 9]
    assert stack.start([0, 2]) == 9
    stack.trim(30)
    assert stack.start([2, 3]) == 9
