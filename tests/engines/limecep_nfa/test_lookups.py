"""What runs wait for, by value."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan
from limecep.plan.stretch import Book
from limecep.testing.streams import written
from limecep_nfa import lookups
from limecep_nfa.automaton import build
from limecep_nfa.buffer import Entry, longer
from limecep_nfa.lookups import Lookup, Waiting


def lookup(query: str, kind: str = "proceed") -> Lookup | None:
    """How runs that wait for the last step are looked up."""
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p")
    transitions = build(plan.alternatives[0], "stnm").states[-1].transitions
    (found,) = {t.lookup for t in transitions if t.kind == kind}
    return found


@pytest.mark.parametrize(
    ("query", "kind", "equal", "ordered"),
    [
        ("SEQ(A a, B b) WHERE b.x = a.x", "proceed", "x ==", None),
        ("SEQ(A+ a[], B b) WHERE a[1].x = b.x AND b.v > 1.5 * avg(a.v)", "proceed", "x ==", "v >"),
        ("SEQ(A+ a[], B b) WHERE last(a).v >= b.v", "proceed", None, "v <="),
        ("SEQ(A a, B+ b[]) WHERE b[i].v > abs(a.v - 1)", "take", None, "v >"),
        ("SEQ(A a, B+ b[]) WHERE b[i+1].x = b[i].x AND b[i].v < b[i-1].v", "take", "x ==", "v <"),
    ],
)
def test_a_comparison_with_what_a_run_has_looks_it_up(
    query: str, kind: str, equal: str | None, ordered: str | None
) -> None:
    found = lookup(query, kind)
    assert found is not None
    sides = [c and f"{c.path[0]} {c.operator}" for c in (found.equal, found.ordered)]
    assert sides == [equal, ordered]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("SEQ(A a, B b)", "proceed"),
        ("SEQ(A a, B b) WHERE b.x != a.x", "proceed"),
        # Where a took nothing it is true.
        ("SEQ(A? a, C c, B b) WHERE b.x = a.x", "proceed"),
        ("SEQ(A a, B b) WHERE b.x = a.x OR b.v > a.v", "proceed"),
        ("SEQ(A a, B+ b[]) WHERE b[i].v > avg(b[..i-1].v)", "take"),
        ("SEQ(A a, B+ b[]) WHERE b[i+1].v > 3", "take"),
        # A written null is equal to what is missing.
        ("SEQ(A a, B+ b[]) WHERE b[1].v = null", "proceed"),
    ],
)
def test_others_are_asked_of_each_run(query: str, kind: str) -> None:
    assert lookup(query, kind) is None


def waiting(query: str, stream: str) -> Waiting:
    """Runs of `SEQ(A a, B b)` that have one event of a stream each."""
    events = written(stream)
    book = Book(events)
    found = lookup(query)
    assert found is not None
    made = Waiting(found, [book, Book([])])
    for place, event in enumerate(events):
        made.add(place, entry(event, place), 0)
    return made


def entry(event: Event, place: int) -> Entry:
    return Entry(
        event=event, order=event.t_gen, place=place, step=0, begins=True, start=event.t_gen, links=(),
        group=longer(None, event, place),
    )  # fmt: skip


def b(**payload: object) -> Event:
    return Event("B", "b", 99, payload=payload)


@pytest.mark.parametrize(
    ("operator", "value", "places"),
    [(">", 3, [0, 2]), (">=", 3, [0, 1, 2]), ("<", 3, [3]), ("<=", 3, [1, 3]), ("=", 3.0, [1]),
     ("=", "x", [4]), (">", "y", [4]), (">", None, []), ("=", None, []), (">", True, [])],
)  # fmt: skip
def test_an_event_is_asked_of_those_it_may_go_with(operator: str, value: object, places: list[int]) -> None:
    made = waiting(f"SEQ(A a, B b) WHERE b.v {operator} a.v", "a1=1 a2=3 a3=2 a4=7 a5=x a6")
    assert made.take(b(v=value)) == places
    assert made.take(b(v=value)) == []


def test_both_sides_are_looked_up_together() -> None:
    made = waiting("SEQ(A a, B b) WHERE b.v > a.v AND b.type = a.type", "a1=1 a2=3 a3=2")
    assert made.take(b(v=9)) == []
    assert made.take(b(v=3, type="A")) == [0, 2]


def test_what_left_the_buffer_is_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookups, "_PURGE_AT", 4)
    found = lookup("SEQ(A a, B b) WHERE b.v > a.v")
    assert found is not None
    made = Waiting(found, [Book([]), Book([])])
    for place, event in enumerate(written("a1=1 a2=1 a3=1 a4=1 a5=1")):
        made.add(place, entry(event, place), 2)
    assert made.take(b(v=9)) == [2, 3, 4]
