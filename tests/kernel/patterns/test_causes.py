"""Which of several late events changed a match."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.causes import Causes
from limecep.plan.compiler import compile_plan

(ALTERNATIVE,) = compile_plan(parse("PATTERN SEQ(A+ a[], B b) WITHIN 10 s"), name="p").alternatives


def event(name: str, ordinal: int = 0) -> Event:
    return Event(name[0].upper(), name, int(name[1:]), ordinal=ordinal)


START, MIDDLE, END = event("a20", 1), event("a22", 3), event("b25", 4)
MATCH = Match(ALTERNATIVE, ((START, MIDDLE), (END,)))


def causes(*late: str | Event, waiting: tuple[int, ...] = ()) -> Causes:
    """Of a window of 10, in which C only forbids."""
    events = [e if isinstance(e, Event) else event(e) for e in late]
    return Causes(events, waiting, {"C"}, 10)


def test_a_late_event_alone_is_the_cause_wherever_it_stands() -> None:
    far, forbidding = event("a99"), event("c99")
    assert causes(far).found(MATCH) == ("late_event", far)
    assert causes(far).lost(MATCH) == ("next_match", far)
    assert causes(forbidding).found(MATCH) == ("negation", forbidding)
    assert causes(forbidding).lost(MATCH) == ("negation", forbidding)


@pytest.mark.parametrize(
    ("late", "cause"),
    [
        # The last to come of those in the time of the match, both ends included.
        (["a24", "a21", "a19"], "a21"),
        (["a21", "a24", "b26"], "a24"),
        (["a20", "a26"], "a20"),
        (["b25", "a26"], "b25"),
        # What only forbids is none of its own.
        (["a21", "c22"], "a21"),
        # Else the last to come in the window about its start, both ends included.
        (["c10", "a9"], "c10"),
        (["c30", "a31"], "c30"),
        (["a12", "c28", "a99"], "c28"),
        # Else the last of all.
        (["a9", "a31"], "a31"),
    ],
)
def test_of_several_the_last_that_may_be_its_own_or_is_near_its_start_brings_a_match(
    late: list[str], cause: str
) -> None:
    kind, found = causes(*late).found(MATCH)
    assert (kind, found and found.id) == ("negation" if cause[0] == "c" else "late_event", cause)


@pytest.mark.parametrize(
    ("late", "cause"),
    [(["a21", "c22", "a31"], "c22"), (["c30", "a10", "a9"], "a10"), (["a9", "a31"], "a31")],
)
def test_of_several_the_last_near_its_start_takes_a_match_away(late: list[str], cause: str) -> None:
    kind, found = causes(*late).lost(MATCH)
    assert (kind, found and found.id) == ("negation" if cause[0] == "c" else "next_match", cause)


def test_a_match_of_an_end_event_that_waited_is_in_order_unless_one_of_its_events_came_after_that() -> None:
    before, after, strange = event("a21", 2), event("a22", 5), event("a23", 6)
    assert causes(before, strange, waiting=(4,)).found(MATCH) == ("in_order", END)
    late_start = event("a20", 7)
    match = Match(ALTERNATIVE, ((late_start, after), (END,)))
    assert causes(before, after, late_start, strange, waiting=(4,)).found(match) == ("late_event", late_start)
    assert causes(before, late_start, after, strange, waiting=(4,)).found(match) == ("late_event", after)
    # One that itself came late brings what it ends.
    assert causes(END, waiting=(4,)).found(MATCH) == ("in_order", END)
    assert causes(END).found(MATCH) == ("late_event", END)
