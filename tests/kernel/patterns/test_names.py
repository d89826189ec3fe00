"""A match keeps its name whatever is said of its events."""

from __future__ import annotations

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match, Range
from limecep.patterns.names import identities, name_of
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Lane

PLAN = compile_plan(parse("PATTERN SEQ(A a, B+ b[]) WITHIN 9 s PARTITION BY k"), name="p")


def match(k: int, *, said: str = "") -> Match:
    """Two B after an A, and another B came between them late."""
    lane = Lane(revised=True)
    for order, at in enumerate([2, 4, 3], start=2):
        lane.add(at, Event("B", f"b{at}", at, payload={"said": said}, ordinal=order))
    first = Event("A", "a1", 1, payload={"k": k, "said": said}, ordinal=1)
    made = Range(lane.content, 0, 2, 0)
    return Match(PLAN.alternatives[0], ((first,), made))


def test_it_goes_by_the_identities_of_the_events_and_the_key() -> None:
    name = name_of(PLAN)
    assert name(match(1)) == name(match(1, said="anew")) != name(match(2))
    assert identities(match(1)) == (
        ("a", (("A", "", "a1"),)),
        ("b", (("B", "", "b2"), ("B", "", "b4"))),
    )
