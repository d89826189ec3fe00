"""Segments of the journal: which events are together, and what is read of them."""

from __future__ import annotations

from limecep import Event
from limecep.state.segments import SEGMENT_EVENTS, read, within, write


def event(t_gen: int, ordinal: int) -> Event:
    return Event("A", f"e{ordinal}", t_gen, source="s", payload={"n": ordinal}, seq=3, ordinal=ordinal)


def entered(*times: int) -> list[Event]:
    return [event(t_gen, n) for n, t_gen in enumerate(times, 1)]


def parts(events: list[Event], before: int) -> list[tuple[int, int, list[int]]]:
    """From when to when each segment is, and the times of its events in the order in which they entered."""
    return [
        (first, last, [e.t_gen for events, _ in read([value]) for e in events])
        for first, last, value in write(events, before, {})
    ]


def test_events_come_back_as_they_were_with_those_who_refused_them() -> None:
    segments = [value for _, _, value in write(entered(1, 2, 3), 0, {2: [0, 4], 9: [1]})]
    read_again = [*read([*segments, *(value for _, _, value in write([event(5, 4)], 3, {4: [7]}))])]
    events = [e for part, _ in read_again for e in part]
    assert [(e.type, e.id, e.t_gen, e.source, e.payload, e.seq, e.ordinal) for e in events] == [
        ("A", f"e{n}", t_gen, "s", {"n": n}, 3, n) for n, t_gen in [(1, 1), (2, 2), (3, 3), (4, 5)]
    ]
    assert [refused for _, refused in read_again] == [{2: [0, 4]}, {4: [7]}]


def test_a_segment_says_from_when_to_when_it_is() -> None:
    assert parts(entered(5, 5, 7), 0) == [(5, 7, [5, 5, 7])]
    assert parts([], 0) == []


def test_late_events_stand_apart_from_those_in_order() -> None:
    assert parts(entered(10, 4, 12), 10) == [(10, 12, [10, 12]), (4, 4, [4])]
    # What is as late as the latest before is not late.
    assert parts(entered(10, 11), 10) == [(10, 11, [10, 11])]
    assert parts(entered(9, 10), 10) == [(10, 10, [10]), (9, 9, [9])]


def test_late_events_are_together_as_far_as_those_in_order_are() -> None:
    # Two events in order over 2: a segment of them would reach over 32.
    events = entered(100, 102, 60, 20, 52, 21)
    assert parts(events, 100)[1:] == [(20, 52, [20, 52, 21]), (60, 60, [60])]
    # 33 is too far.
    assert parts(entered(100, 102, 20, 53), 100)[1:] == [(20, 20, [20]), (53, 53, [53])]
    # Without events in order only those of one time are together.
    assert parts(entered(5, 6, 5), 10) == [(5, 5, [5, 5]), (6, 6, [6])]


def test_a_segment_has_no_more_events_than_it_may() -> None:
    found = parts(entered(*[1] * (SEGMENT_EVENTS + 1)), 0)
    assert [len(times) for _, _, times in found] == [SEGMENT_EVENTS, 1]


def test_what_is_asked_for_comes_in_the_order_in_which_it_entered() -> None:
    segments = [value for _, _, value in write(entered(10, 4, 12, 5, 11), 9, {})]
    found = within(segments, 5, 11)
    assert [(e.t_gen, e.ordinal) for e in found] == [(10, 1), (5, 4), (11, 5)]
