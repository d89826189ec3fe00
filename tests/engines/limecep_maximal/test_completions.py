"""Rule (c) where runs have to be remembered: which were completed, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.model.match import Match
from limecep.plan.compiler import compile_plan
from limecep.testing.streams import written
from limecep_maximal.completions import Completions

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("select", "way", "query"),
    [
        ("stnm", "search", "SEQ(A a, B? b, C c) WHERE b.v > a.v"),
        ("stnm", "search", "SEQ(A? a, B+ b, C c) WHERE sum(b.v) > a.v"),
        ("stnm", "search", "SEQ(A+ a, B? b, C c) WHERE sum(a.v) > 0"),
        ("stnm", "search", "SEQ(A? a, B{1,2} b, A c, !C n)"),
        ("stnm", "search", "SEQ(A a, B* b, C c) WHERE sum(b.v) < 2"),
    ],
)
def test_what_was_completed_is_left_out(hold: Callable[..., None], select: str, way: str, query: str) -> None:
    hold(query, select, way=way)


EVENTS = written("a1 b2 b3 b4 c5 c6 c7")
for number, event in enumerate(EVENTS, start=1):
    event.ordinal = number
(ALTERNATIVE,) = compile_plan(parse("PATTERN SEQ(A? a, B* b[], C c) WITHIN 10 s"), name="p").alternatives


def match(*texts: str) -> Match:
    return Match(ALTERNATIVE, tuple(tuple(e for e in EVENTS if e.id in text.split()) for text in texts))


def known() -> Completions:
    """The end event at 2 completed a1 b2 b3, and the one at 3 the b4 alone."""
    made = Completions(2, ())
    made.add(2, [match("a1", "b2 b3", "c5")])
    made.add(3, [match("", "b4", "c6")])
    return made


@pytest.mark.parametrize(
    ("groups", "completed"),
    [
        (("a1", "b2 b3", "c7"), True),
        (("a1", "b2 b3 b4", "c7"), True),
        (("a1", "b2", "c7"), False),
        (("a1", "b3 b4", "c7"), False),
        (("", "b2 b3", "c7"), False),
        (("", "b4", "c7"), True),
        (("a1", "", "c7"), False),
    ],
)
def test_a_run_is_completed_by_what_it_begins_with(groups: tuple[str, ...], completed: bool) -> None:
    assert known().completed(match(*groups), 4) is completed


def test_only_an_earlier_end_event_completes() -> None:
    assert not known().completed(match("", "b4", "c6"), 3)
    assert known().completed(match("a1", "b2 b3", "c6"), 3)


def test_what_ended_before_a_place_is_forgotten() -> None:
    made = known()
    assert (made.begin, made.stop) == (2, 4)
    made.forget(3)
    assert not made.completed(match("a1", "b2 b3", "c7"), 4)
    assert made.completed(match("", "b4", "c7"), 4)
    assert (made.begin, made.stop) == (3, 4)
