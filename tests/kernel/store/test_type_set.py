"""The events of one type: what entered, what left, and which ids are known."""

from __future__ import annotations

from limecep.model.event import Event
from limecep.store.type_set import FIRST_KEPT_EVENTS, TypeSet


def filled(count: int) -> TypeSet:
    made = TypeSet()
    for t in range(count):
        made.ids("s").add(str(t))
        made.events.content.order.append(t)
        made.events.content.events.append(Event("A", str(t), t, source="s"))
    return made


def test_what_left_is_counted_with_what_is_there() -> None:
    made = filled(10)
    assert made.forget(4) == 4
    assert (made.arrived, made.departed, made.departed_until, made.latest) == (10, 4, 3, 9)


def test_the_latest_time_is_known_when_all_have_left() -> None:
    made = filled(10)
    assert TypeSet().latest is None
    made.forget(10)
    assert (made.arrived, made.latest) == (10, 9)


def test_a_late_event_that_leaves_makes_the_latest_time_no_earlier() -> None:
    made = filled(10)
    made.forget(10)
    made.ids("s").add("late")
    made.events.content.order.append(3)
    made.events.content.events.append(Event("A", "late", 3, source="s"))
    assert made.latest == 9
    made.forget(10)
    assert (made.departed, made.departed_until, made.latest) == (11, 9, 9)


def test_ids_leave_with_their_events_and_sources_with_their_ids() -> None:
    made = filled(3)
    made.forget(2)
    assert made.seen == {"s": {"2"}}
    made.forget(3)
    assert made.seen == {}


def test_some_of_the_first_that_left_are_still_known() -> None:
    made = filled(FIRST_KEPT_EVENTS + 10)
    made.forget(5)
    made.forget(FIRST_KEPT_EVENTS + 5)
    assert [e.t_gen for e in made.departed_first] == list(range(FIRST_KEPT_EVENTS))


def test_a_restored_set_counts_on() -> None:
    made, again = filled(10), TypeSet()
    made.forget(4)
    again.restore(made.snapshot())
    assert (again.arrived, again.latest) == (4, 3)
