"""The states of an automaton, and how runs get from one to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep_nfa.automaton import Automaton, build

if TYPE_CHECKING:
    from limecep.model.pattern import Select


def automaton(query: str, select: Select = "stam") -> Automaton:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p")
    return build(plan.alternatives[0], select)


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
     ("count(b) > 2 AND d.v > a.v", [True, True, True, False], [False, True, True, False]),
     ("last(b).v > c.v", [False] * 4, [False] * 4),
     ("b[1].v > a.v", [False] * 4, [False] * 4),
     ("c.v > b[1].v", [False, True, False, False], [False] * 4)],
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


@pytest.mark.parametrize(
    ("query", "ranges", "demanded"),
    [
        # Nothing is asked of it: it is shared as it grows.
        ("SEQ(A a, B+ b[], C c)", [False, True, False], [False] * 3),
        ("SEQ(A a, B{2,4} b[], C c)", [False, True, False], [False, True, False]),
        ("SEQ(A a, B+ b[], C c) WHERE avg(b.v) > 3", [False, True, False], [False, True, False]),
        ("SEQ(A a, B+ b[], C c) WHERE b[1].v > a.v AND c.v > last(b).v", [False, True, False], [False] * 3),
        # Another step looks at all of it.
        ("SEQ(A a, B+ b[], C c) WHERE avg(b.v) > c.v", [False, True, False], [False] * 3),
        # Some events may be left out.
        ("SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v AND count(b) > 2", [False] * 3, [False] * 3),
        ("SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v", [False] * 3, [False] * 3),
        ("SEQ(A a, B+ b[], C c) WHERE b[2].v > 3", [False] * 3, [False] * 3),
    ],
)
def test_a_group_that_takes_every_event_is_a_range(
    query: str, ranges: list[bool], demanded: list[bool]
) -> None:
    made = automaton(query, "stnm")
    assert [*made.ranges] == ranges
    assert [states[0].demand is not None for states in made.by_step] == demanded
    assert not any(automaton(query, "stam").ranges)


@pytest.mark.parametrize(
    ("where", "least", "most", "conditions"),
    [
        ("count(b) >= 3 AND 7 > count(b)", 3, 6, []),
        ("count(b) <= 1", 2, 1, []),
        ("avg(b.v) > 3 AND count(b) < 9", 2, 8, ["avg(b.v) > 3"]),
    ],
)
def test_how_many_events_a_range_has_is_a_demand(
    where: str, least: float, most: float, conditions: list[str]
) -> None:
    demand = automaton(f"SEQ(A a, B{{2,}} b[], C c) WHERE {where}", "stnm").by_step[1][0].demand
    assert demand is not None
    assert (demand.least, demand.most) == (least, most)
    assert [c.text for c in demand.conditions] == conditions


@pytest.mark.parametrize(
    ("query", "alike"),
    [
        ("SEQ(A+ a[], B b) WHERE a.x = b.x", [(("x",),), ()]),
        ("SEQ(A+ a[], B b) WHERE a.x > b.x", [(), ()]),
        # Where b takes nothing, that is true of any group.
        ("SEQ(A+ a[], B? b) WHERE a.x = b.x", [(), ()]),
    ],
)
def test_what_a_later_step_equals_is_equal_in_all_events_of_a_group(
    query: str, alike: list[tuple[tuple[str, ...], ...]]
) -> None:
    assert [s.alike for s in automaton(query, "stnm").states] == alike
