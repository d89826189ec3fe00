"""Which runs take an event, by policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.plan.stretch import Book
from limecep.store.lane import Lane, Ordering
from limecep.testing.streams import SECOND, written
from limecep_nfa.automaton import build
from limecep_nfa.buffer import Entry, Stack, longer
from limecep_nfa.policies import POLICIES

if TYPE_CHECKING:
    from limecep.model.pattern import Select

ORDERING = Ordering(10 * SECOND)


class Driven:
    """The transition from the A of a pattern to its B, given the entries of A as they come.

    Attributes:
        edge: The transition at work.
    """

    def __init__(self, query: str, select: Select, gap: str = "", stream: str = "") -> None:
        plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p")
        automaton = build(plan.alternatives[0], select)
        (transition,) = (t for t in automaton.by_step[1][0].transitions if t.kind == "proceed")
        self._source = Stack()
        gaps = [lane(gap)] if transition.gaps else []
        self._lane = Lane()
        lanes = [self._lane.content, *[lane("")] * (len(plan.alternatives[0].steps) - 1)]
        books = [Book(content.events) for content in lanes]
        self.edge = POLICIES[select](transition, self._source, 1, books, gaps, ORDERING, lane(stream))

    def forget(self, before: int) -> None:
        """The entries before a time in seconds leave."""
        self._source.trim(before * SECOND)

    def come(self, text: str) -> list[str]:
        """Events come; of each B it says which runs take it."""
        taken = []
        for event in written(text):
            order = event.t_gen
            if event.type == "A":
                place = self._source.stop
                self._lane.add(order, event)
                self._source.add(
                    Entry(
                        event=event, order=order, place=place, step=0, begins=True, start=order, links=(),
                        group=longer(None, event, place),
                    )
                )  # fmt: skip
            else:
                places = self.edge.taken(event, order, len(taken))
                taken.append(" ".join([event.id, *(e.event.id for e in self._source.at(places))]))
        return taken


def lane(stream: str):
    made = Lane()
    for event in written(stream):
        made.add(event.t_gen, event)
    return made.content


PLAIN, TESTED = "SEQ(A a, B b)", "SEQ(A a, B b) WHERE b.v > a.v"
GROUPED = "SEQ(A a, B+ b[]) WHERE b[i].v > a.v"


@pytest.mark.parametrize(
    ("query", "stream", "taken"),
    [
        (PLAIN, "a1 a2 b3 a4 b5 b6", ["b3 a1 a2", "b5 a4", "b6"]),
        (PLAIN, "a1 b1 b2", ["b1", "b2 a1"]),
        (TESTED, "a1=1 a2=5 b3=3 b4=9 b5=9", ["b3 a1", "b4 a2", "b5"]),
        (GROUPED, "a1=1 a2=5 b3=3 b4=9 b5=9", ["b3 a1", "b4 a2", "b5"]),
        (TESTED, "a1=5 a9=5 b10=1 b11=9", ["b10", "b11 a1 a9"]),
        (TESTED, "a1=5 a9=5 b10=1 b12=9", ["b10", "b12 a9"]),
    ],
)
def test_next_match_takes_the_first_that_is_eligible(query: str, stream: str, taken: list[str]) -> None:
    assert Driven(query, "stnm").come(stream) == taken


@pytest.mark.parametrize(
    ("query", "stream", "taken"),
    [
        (PLAIN, "a1 a2 b3 a4 b5 b6", ["b3 a1 a2", "b5 a1 a2 a4", "b6 a1 a2 a4"]),
        (PLAIN, "a1 b1 b11 b11.1", ["b1", "b11 a1", "b11.1"]),
        (TESTED, "a1=1 a2=5 b3=3 b4=9 b5=3", ["b3 a1", "b4 a1 a2", "b5 a1"]),
        (GROUPED, "a1=1 a2=5 b3=3 b4=9 b5=3", ["b3 a1", "b4 a1 a2", "b5 a1"]),
    ],
)
def test_any_match_takes_all_that_are_eligible(query: str, stream: str, taken: list[str]) -> None:
    assert Driven(query, "stam").come(stream) == taken


@pytest.mark.parametrize(
    ("query", "stream", "taken"),
    [
        (PLAIN, "a1 b2 b3", ["b2 a1", "b3"]),
        (PLAIN, "a1 x2 b3", ["b3"]),
        (PLAIN, "a1 a2 b3", ["b3 a2"]),
        (PLAIN, "a1 b2 b2.0", ["b2 a1", "b2.0 a1"]),
        (TESTED, "a1=1 b2=2 a3=5 b4=3", ["b2 a1", "b4"]),
        (PLAIN, "b1", ["b1"]),
    ],
)
def test_contiguity_takes_what_is_next(query: str, stream: str, taken: list[str]) -> None:
    events = " ".join(word for word in stream.split() if word[0] != "x")
    assert Driven(query, "sc", stream=stream).come(events) == taken


@pytest.mark.parametrize(
    ("select", "taken"), [("stnm", "b8 a5 a6 a7"), ("stam", "b8 a5 a6 a7"), ("sc", "b8 a7")]
)
@pytest.mark.parametrize("query", [PLAIN, TESTED, GROUPED])
def test_entries_that_have_left_are_not_missed(query: str, select: Select, taken: str) -> None:
    stream = "a1=1 a2=1 b3=0 a5=1 a6=1 a7=1 b8=2"
    driven = Driven(query, select, stream=stream)
    driven.come("a1=1 a2=1 b3=0")
    driven.forget(5)
    assert driven.come("a5=1 a6=1 a7=1 b8=2") == [taken]


@pytest.mark.parametrize(
    ("query", "select", "stream", "taken"),
    [
        ("SEQ(A a, !X x, B b)", "stnm", "a1 a3 b4", ["b4 a3"]),
        ("SEQ(A a, !X x, B b)", "stam", "a1 a2 a3 b4", ["b4 a2 a3"]),
        ("SEQ(A a, !X x, B b) WHERE b.v > a.v", "stam", "a1=1 a3=1 a3.5=9 b4=2", ["b4 a3"]),
        ("SEQ(A a, !X x, B b)", "stnm", "a1 b2 a6 b7", ["b2 a1", "b7 a6"]),
    ],
)
def test_what_came_before_a_negated_event_goes_no_further(
    query: str, select: str, stream: str, taken: list[str]
) -> None:
    assert Driven(query, select, gap="x2 x5").come(stream) == taken
