"""The desk holds what came until it is done with."""

from __future__ import annotations

import threading

from limecep.clock import ManualClock, Stopwatch
from limecep_http.desk import Desk, Inbox, Slip


def desk_with(*paths: str, bound: int = 100) -> tuple[Desk, list[Inbox]]:
    desk, inboxes = Desk(bound, ManualClock()), [Inbox(path) for path in paths]
    for inbox in inboxes:
        desk.add(inbox)
    return desk, inboxes


def put(desk: Desk, name: str, *bodies: bytes, size: int = 10) -> tuple[Slip, list[str]]:
    answered: list[str] = []
    slip = Slip(size, lambda: answered.append(name))
    assert desk.reserve(slip)
    desk.put(name, bodies, (), desk.takers(name), slip)
    return slip, answered


def test_a_request_is_answered_when_all_its_messages_are_done_with_by_all_sources() -> None:
    desk, [one, all_] = desk_with("a/b", "a/*")
    _, answered = put(desk, "a/b", b"1", b"2")
    mine, others = desk.take(one, 10, 0), desk.take(all_, 10, 0)
    assert [m.value for m, _ in mine] == [m.value for m, _ in others] == [b"1", b"2"]
    assert [m.position for m, _ in mine] == ["a/b:1", "a/b:2"]
    desk.settle([slip for _, slip in mine])
    desk.settle([slip for _, slip in others[:1]])
    assert answered == []
    desk.settle([slip for _, slip in others[1:]])
    assert answered == ["a/b"]


def test_there_is_room_until_the_bound_and_again_once_something_is_done_with() -> None:
    desk, [inbox] = desk_with("a")
    put(desk, "a", b"1", size=60)
    assert desk.pressed
    slip = Slip(41, lambda: None)
    assert not desk.reserve(slip)
    assert desk.reserve(Slip(40, lambda: None))
    desk.release(Slip(40, lambda: None))
    [(_, first)] = desk.take(inbox, 10, 0)
    assert not desk.reserve(slip)
    desk.settle([first])
    assert not desk.pressed
    assert desk.reserve(slip)


def test_what_is_alone_is_taken_whatever_it_measures() -> None:
    desk, _ = desk_with("a", bound=1)
    put(desk, "a", b"1", size=50)


def test_taking_waits_for_a_message_and_not_while_another_source_has_some() -> None:
    desk, [one, two] = desk_with("a", "b")
    threading.Timer(0.1, put, [desk, "a", b"1"]).start()
    watch = Stopwatch()
    assert len(desk.take(one, 10, 5)) == 1
    put(desk, "a", b"2")
    assert desk.take(two, 10, 5) == []
    assert 0.05 < watch.seconds < 3
    assert len(desk.take(one, 0, 0)) == 0


def test_a_closed_desk_takes_nothing_and_gives_what_is_left() -> None:
    desk, _ = desk_with("a")
    slip, answered = put(desk, "a", b"1")
    late, told = Slip(10, lambda: told.append("late")), list[str]()
    assert desk.reserve(late)
    assert desk.close() == [slip]
    assert answered == []
    desk.put("a", [b"2"], (), desk.takers("a"), late)
    assert (told, late.waiting) == (["late"], 1)
    assert not desk.reserve(Slip(1, lambda: None))
