"""What waits for slack: which end events are there already."""

from __future__ import annotations

from limecep.model.event import Event
from limecep.patterns.pending import Pending
from limecep.store.lane import Ordering
from limecep.store.view import View


def made() -> Pending:
    return Pending(View((), (), Ordering(1)))


def test_a_range_is_looked_at_once() -> None:
    pending = made()
    assert pending.widen(5, 9, 9) == [(5, 9)]
    # What is after a range may be there in part: that is looked at again, and is empty where it is not.
    assert pending.widen(6, 8, 8) == [(10, 8)]
    assert pending.widen(3, 12, 12) == [(3, 4), (10, 12)]
    assert (pending.low, pending.high) == (3, 12)


def test_what_is_after_what_is_known_is_looked_at_again() -> None:
    pending = made()
    assert pending.widen(1, 9, 4) == [(1, 9)]
    assert pending.widen(2, 9, 9) == [(5, 9)]


def test_a_range_apart_from_the_first_is_looked_at_each_time() -> None:
    pending = made()
    pending.widen(5, 9, 9)
    assert pending.widen(20, 22, 22) == [(20, 22)] == pending.widen(20, 22, 22)
    assert (pending.low, pending.high) == (5, 9)


def test_ranges_that_touch_become_one() -> None:
    for low, high, lacking in [(11, 12, [(11, 12)]), (2, 3, [(2, 3)])]:
        pending = made()
        pending.widen(5, 9, 9)
        assert pending.widen(low, high, high) == lacking
        assert (pending.low, pending.high) == (5, 9)
    pending.widen(10, 12, 12)
    pending.widen(2, 4, 4)
    assert (pending.low, pending.high) == (2, 12)


def test_it_concerns_end_events_and_late_events_before_a_time() -> None:
    pending = made()
    pending.waits(Event("B", "b", 5, ordinal=1))
    pending.late.append(Event("A", "a", 3, ordinal=2))
    assert [pending.concerns(t) for t in (3, 4, 6)] == [False, True, True]
    assert pending.waiting == {1}


def test_matches_are_renewed_where_another_event_of_the_same_identity_came_after_one_that_left() -> None:
    pending = Pending(View((), (), Ordering(0)))
    old, new, other = (Event("A", name, 3, ordinal=n) for n, name in enumerate(["a", "a", "b"], start=1))
    pending.late += [old, other]
    assert not pending.renews
    pending.left[1] = 5
    assert not pending.renews
    pending.late.append(new)
    assert pending.renews
