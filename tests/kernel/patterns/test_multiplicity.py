"""Counting: how many alternatives have an assignment live."""

from __future__ import annotations

from limecep.contracts.tables import PLAIN, Form
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.match import Match
from limecep.patterns.multiplicity import Counting
from limecep.plan.compiler import compile_plan

ONE, OTHER = compile_plan(parse("PATTERN OR(SEQ(A a, B b), SEQ(B b, A a)) WITHIN 1 h"), name="p").alternatives


def matches(start: int) -> tuple[Match, Match]:
    """One assignment, found by two alternatives."""
    a, b = Event("A", f"a{start}", start, ordinal=start), Event("B", "b9", 9, ordinal=9)
    return Match(ONE, ((a,), (b,))), Match(OTHER, ((b,), (a,)))


def test_only_the_first_that_comes_and_the_last_that_goes_make_a_difference() -> None:
    counting = Counting(PLAIN)
    here, there = matches(1)
    key = here.assignment()
    assert counting.change([here], []) == ({key: here}, {})
    assert counting.change([there], []) == ({}, {})
    assert len(counting) == 1
    assert counting.change([], [here]) == ({}, {})
    assert counting.change([], [there]) == ({}, {key: there})
    assert len(counting) == 0


def test_what_comes_and_goes_at_once_makes_none() -> None:
    counting = Counting(PLAIN)
    here, there = matches(1)
    assert counting.change([here, there], []) == ({here.assignment(): here}, {})
    assert counting.change([there], [here, there]) == ({}, {})
    gone, _ = matches(2)
    assert counting.change([gone], [gone]) == ({}, {})
    assert len(counting) == 1


def test_what_starts_before_a_time_is_forgotten() -> None:
    counting = Counting(PLAIN)
    counting.change([matches(1)[0], matches(2)[0], matches(3)[0]], [])
    counting.forget(2)
    assert sorted(since for _, since in counting.live.values()) == [2, 3]


def test_an_entry_is_read_back_as_it_was() -> None:
    forms: list[Form] = []  # type: ignore[type-arg]

    class Noting:
        def table(self, name: str, form: Form, held: object = None) -> dict:  # type: ignore[type-arg]
            forms.append(form)
            return {}

    counting = Counting(Noting())  # type: ignore[arg-type]
    counting.change(matches(1), [])
    ((key, live),) = counting.live.items()
    assert live == (2, 1)
    written = forms[0].write(key, live)
    assert forms[0].read([[[name, [*events]] for name, events in written[0]], *written[1:]], {}) == (
        key,
        live,
    )
