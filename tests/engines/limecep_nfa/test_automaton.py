"""The states of an automaton, and how runs get from one to the next."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep_nfa.automaton import Automaton, build


def automaton(query: str) -> Automaton:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p")
    return build(plan.alternatives[0])


def drawn(query: str) -> list[str]:
    """The transitions of an automaton: `a2` is the second state of the step with the variable a."""
    made = automaton(query)
    names = [
        f"{step.variable}{n if len(states) > 1 else ''}"
        for step, states in zip(made.alternative.steps, made.by_step, strict=True)
        for n in range(1, len(states) + 1)
    ]
    return [
        f"{names[t.source] if t.source >= 0 else ''} {t.kind} {name}".strip()
        for name, state in zip(names, made.states, strict=True)
        for t in (*([state.begins] if state.begins else []), *state.transitions)
    ]


@pytest.mark.parametrize(
    ("query", "transitions"),
    [("SEQ(A a, B b)", ["begin a", "a proceed b"]),
     ("SEQ(A a, B+ b[], C c)", ["begin a", "a proceed b", "b take b", "b proceed c"]),
     ("SEQ(A? a, B b)", ["begin a", "begin b", "a proceed b"]),
     ("SEQ(A a, B* b[], C c)", ["begin a", "a proceed b", "b take b", "a proceed c", "b proceed c"]),
     ("SEQ(A{2} a[], B b)", ["begin a1", "a1 take a2", "a2 proceed b"]),
     ("SEQ(A{2,} a[], B b)", ["begin a1", "a1 take a2", "a2 take a2", "a2 proceed b"]),
     ("SEQ(A{1,2} a[], B b)", ["begin a1", "a1 take a2", "a1 proceed b", "a2 proceed b"]),
     ("SEQ(A a, B+ b[], C? c, D{2} d[])",
      ["begin a", "a proceed b", "b take b", "b proceed c", "b proceed d1", "c proceed d1", "d1 take d2"])],
)  # fmt: skip
def test_runs_begin_take_and_proceed(query: str, transitions: list[str]) -> None:
    assert drawn(query) == transitions


@pytest.mark.parametrize(
    ("query", "ends"),
    [("SEQ(A a, B b)", [False, True]),
     ("SEQ(A a, B? b)", [True, True]),
     ("SEQ(A a, B{2,3} b[])", [False, False, True, True]),
     ("SEQ(A* a[], B* b[])", [True, True])],
)  # fmt: skip
def test_a_run_that_has_enough_may_be_a_match(query: str, ends: list[bool]) -> None:
    assert [state.ends for state in automaton(query).states] == ends


@pytest.mark.parametrize(
    ("where", "splits", "before"),
    [("b[i].v > 3", [False] * 4, [False] * 4),
     ("b[i+1].v > b[i].v", [False] * 4, [False] * 4),
     ("c.v > d.v", [False] * 4, [False] * 4),
     ("b.v > a.v", [True, True, False, False], [False, True, False, False]),
     ("b[i].v > avg(b[..i-1].v)", [False, True, False, False], [False] * 4),
     ("count(b) > 2 AND d.v > a.v", [True] * 4, [False, True, True, True])],
)  # fmt: skip
def test_runs_go_apart_where_conditions_tell_them_from_each_other(
    where: str, splits: list[bool], before: list[bool]
) -> None:
    states = automaton(f"SEQ(A a, B+ b[], C c, D d) WHERE {where}").states
    assert [s.splits for s in states] == splits
    assert [s.splits_before for s in states] == before


def test_a_condition_on_two_events_in_a_row_is_part_of_the_transition() -> None:
    made = automaton("SEQ(A a, B b, C c) WHERE b.v > a.v AND c.v > a.v")
    assert [[len(t.near) for t in s.transitions] for s in made.states] == [[], [1], [0]]
    assert [[[c.text for c in t.decides] for t in s.transitions] for s in made.states] == [
        [],
        [[]],
        [["c.v > a.v"]],
    ]


def test_a_negated_step_between_two_events_is_in_the_gap_of_their_transition() -> None:
    made = automaton("SEQ(!X x, A a, !Y y, B? b, !Z z, C c, !X w)")
    assert [(t.source, t.gaps) for s in made.states for t in s.transitions] == [
        (0, (1,)),
        (0, (1, 2)),
        (1, (2,)),
    ]
