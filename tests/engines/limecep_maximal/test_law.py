"""What next-match with conditions asks of each step, and whether runs can tell it."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep_maximal.law import Law
from limecep_maximal.strands import UNBOUNDED


def law(query: str) -> Law:
    return Law(compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p").alternatives[0])


GROUP = "SEQ(A a, B+ b, C c, D d) WHERE {}"


@pytest.mark.parametrize(
    ("where", "kind", "step"),
    [
        ("b[i+1].v > b[i].v", "pairs", 1),
        ("sum(b.v) > 3", "closing", 1),
        ("last(b).v > a.v", "closing", 1),
        ("b[1].v > a.v", "entering", 1),
        ("b.v > a.v", "joining", 1),
        ("b[i].v > avg(b[..i-1].v)", "staying", 1),
        ("c.v > a.v", "entering", 2),
        ("c.v > last(b).v", "entered", 2),
        ("d.v > c.v", "entering", 3),
    ],
)
def test_a_condition_stands_where_it_is_decided(where: str, kind: str, step: int) -> None:
    made = law(GROUP.format(where))
    kinds = ("pairs", "closing", "joining", "entering", "staying", "entered")
    placed = {(name, k) for name in kinds for k in range(made.size) if getattr(made, name)[k]}
    assert placed == {(kind, step)}
    assert made.applies


@pytest.mark.parametrize(
    ("query", "applies"),
    [
        ("SEQ(A a, B+ b, C c)", True),
        ("SEQ(A a, B? b, C c)", False),
        ("A* a", True),
        (GROUP.format("d.v > last(b).v"), False),
        (GROUP.format("c.v > last(b).v"), True),
        ("SEQ(A a, B+ b, C+ c) WHERE c[1].v > last(b).v", True),
        ("SEQ(A a, B+ b, C+ c) WHERE c.v > last(b).v", False),
        ("SEQ(A a, B+ b, C+ c) WHERE sum(c.v) > sum(b.v)", False),
        ("SEQ(A+ a, B b) WHERE a[i].v > avg(a[..i-1].v)", False),
        ("SEQ(A+ a, B b, C c) WHERE b.v > last(a).v", True),
        ("SEQ(A+ a, B b, C c) WHERE b.v > sum(a.v)", False),
        ("SEQ(A+ a, B b) WHERE b.v > sum(a.v)", True),
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", True),
        ("SEQ(A a, !X x, B b, C c) WHERE x.v = c.v", False),
        ("SEQ(A a, !X x, B b, C c) WHERE x.v = b.v", True),
        ("SEQ(!X x, A a, B b) WHERE x.v = a.v", False),
        ("SEQ(A a, B+ b, !X x, C c) WHERE x.v = last(b).v", True),
        ("SEQ(A a, B+ b, C c, !X x, D d) WHERE x.v = last(b).v", False),
        ("SEQ(A a, B b, !X x) WHERE x.v = a.v", True),
        ("SEQ(A a, B b, !X x) WHERE x.v = b.v", True),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = b.v", True),
        ("SEQ(A+ a, B b, C c, !X x) WHERE x.v = c.v", False),
        ("SEQ(!C c, A a, B b, !X x) WHERE x.v = b.v", False),
        ("SEQ(A a, B+ b, C c, !X x) WHERE x.v = c.v AND c.v > last(b).v", False),
        ("SEQ(A a, B+ b, !Y y, C c, !X x) WHERE x.v = c.v AND y.v = last(b).v", False),
        ("SEQ(A a, B+ b, !X x) WHERE x.v = last(b).v", True),
        ("SEQ(A+ a, B+ b, !X x) WHERE x.v = sum(b.v)", True),
        ("SEQ(A+ a, B+ b, !X x) WHERE x.v = last(b).v AND x.w = a[1].v", False),
    ],
)
def test_runs_tell_the_truth_where_no_later_step_looks_at_how_long_a_group_is(
    query: str, applies: bool
) -> None:
    assert bool(law(query).applies) is applies


def test_it_says_of_each_step_how_many_it_takes() -> None:
    made = law("SEQ(A a, B+ b, C{2,4} c)")
    assert (made.single, made.least, made.most) == ([True, False, False], [1, 1, 2], [1, UNBOUNDED, 4])
    assert (made.growing, made.last) == (True, 2)
    assert (law("SEQ(A a, B b)").growing, law("SEQ(A a, B b)").last) == (False, 0)


@pytest.mark.parametrize(
    ("query", "rooted", "shared"),
    [
        ("SEQ(A a, B+ b, C c) WHERE sum(b.v) > 3", False, [True, True, True]),
        ("SEQ(A a, B+ b, C c) WHERE b.v > a.v", True, [True, False, True]),
        ("SEQ(A a, B+ b, C c) WHERE sum(b.v) > a.v", True, [True, False, True]),
        ("SEQ(A a, B+ b, C c) WHERE b[i].v > avg(b[..i-1].v)", False, [True, True, True]),
        ("SEQ(A a, B b, C c) WHERE c.v > b.v", False, [True, True, True]),
        ("SEQ(A a, !X x, B b) WHERE x.v = a.v", True, [True, True]),
        ("SEQ(A+ a, !X x, B b) WHERE x.v = last(a).v", False, [True, True]),
    ],
)
def test_it_says_whether_a_run_has_one_start_and_groups_are_shared(
    query: str, rooted: bool, shared: list[bool]
) -> None:
    made = law(query)
    assert (made.rooted, made.shared) == (rooted, shared)


@pytest.mark.parametrize(
    ("where", "chosen", "chained"),
    [
        ("b[i+1].v > b[i].v", True, True),
        ("b[i+1].v > b[i].v AND b.v > a.v", True, False),
        ("b.v > a.v", True, False),
        ("sum(b.v) > 1", False, False),
        ("b[1].v > a.v", False, False),
    ],
)
def test_it_says_what_decides_which_events_join_a_group(where: str, chosen: bool, chained: bool) -> None:
    made = law(GROUP.format(where))
    assert (made.chosen[1], made.chained[1]) == (chosen, chained)


def test_a_place_in_a_group_closes_it_too() -> None:
    made = law(GROUP.format("b[2].v > a.v"))
    assert [c.text for c in made.staying[1]] == [c.text for c in made.closing[1]] == ["b[2].v > a.v"]
    assert made.opening[1] == ()


@pytest.mark.parametrize(
    ("query", "waits"),
    [
        ("SEQ(A a, B b, C c) WHERE c.v = b.v", True),
        ("SEQ(A a, B b, C c) WHERE c.v > b.v", False),
        ("SEQ(A a, B+ b, C c) WHERE c.v = b[1].v", True),
        ("SEQ(A a, B+ b, C c) WHERE c.v = b.v", True),
        ("SEQ(A a, B+ b, C c) WHERE c.v = last(b).v", False),
        ("SEQ(A a, B+ b, C c) WHERE c.v = last(b).v AND b[i+1].v = b[i].v", True),
        ("SEQ(A a, B+ b, C c) WHERE c.v = last(b).v AND b[i+1].w = b[i].w", False),
        ("SEQ(A a, B+ b) WHERE b[1].v = a.v", False),
    ],
)
def test_an_end_event_finds_what_it_completes_by_an_equality(query: str, waits: bool) -> None:
    assert (law(query).waits_for() is not None) is waits


def test_negated_steps_are_known_by_their_gap() -> None:
    made = law("SEQ(!X x, A+ a, !Y y, B b, !Z z) WHERE y.v = last(a).v")
    assert made.gaps == [[0], [1], [2]]
    assert made.measured == [False, True, False]
    assert (made.leads, made.trails) == (True, [2])


@pytest.mark.parametrize(
    ("query", "settled"),
    [
        ("SEQ(A{3,} a, !B n) WHERE n.v = a[1].v", True),
        ("SEQ(A+ a, !B n) WHERE n.v = last(a).v AND last(a).v > a[1].v", True),
        ("SEQ(A+ a, !B n) WHERE n.v = a.v AND a[i+1].v = a[i].v", True),
        ("SEQ(A+ a, !B n) WHERE n.v = a.v", False),
        ("SEQ(A+ a, !B n) WHERE n.v = a[2].v", False),
        ("SEQ(A+ a, !B n) WHERE n.v = sum(a.v)", False),
        ("SEQ(A+ a, !B n) WHERE n.v = a[1].v AND a[i+1].v >= a[i].v", False),
        ("SEQ(A+ a, !B n) WHERE n.v = a[1].v AND sum(a.v) > 3", False),
        ("SEQ(A{1,3} a, !B n) WHERE n.v = a[1].v", False),
        ("SEQ(A+ a, C c, !B n) WHERE n.v = a[1].v", False),
    ],
)
def test_the_ends_of_the_only_group_may_settle_it(query: str, settled: bool) -> None:
    assert law(query).settled is settled


@pytest.mark.parametrize(
    ("query", "applies", "regroups"),
    [
        ("SEQ(A+ a, B b, !X x) WHERE x.v = b.v", True, True),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = a[1].v", True, True),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = last(a).v AND a[i+1].v = a[i].v", True, True),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = last(a).v", False, False),
        ("SEQ(A+ a, B b, !X x) WHERE x.v > 1", True, False),
        ("SEQ(A a, B b, !X x) WHERE x.v = b.v", True, False),
        ("SEQ(A+ a, B b, C c, !X x) WHERE x.v = c.v", False, False),
        ("SEQ(A+ a, B+ b, !X x) WHERE x.v = a[1].v", False, False),
    ],
)
def test_what_follows_the_end_may_choose_the_group_of_the_start(
    query: str, applies: bool, regroups: bool
) -> None:
    made = law(query)
    assert (made.applies, made.regroups) == (applies, regroups)
