"""Warnings of absences that are compared with groups: where engine `maximal` has to enumerate."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import ManualClock
from limecep.config.compared_absences import costly_absences
from limecep.contracts.context import Context
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import SilentLogger
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from limecep.model.pattern import Select


@pytest.mark.parametrize(
    ("query", "select", "variable"),
    [
        ("SEQ(A+ a, !X x) WHERE x.v = a[1].v", "stnm", ""),
        ("SEQ(A+ a, !X x) WHERE x.v = sum(a.v)", "stnm", ""),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = b.v", "stnm", ""),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = a[1].v", "stnm", ""),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = last(a).v AND a[i+1].v = a[i].v", "stnm", ""),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = last(a).v", "stnm", "a"),
        ("SEQ(A+ a, B b, !X x) WHERE x.v = sum(a.v)", "stnm", "a"),
        ("SEQ(A+ a, B+ b, C c, !X x) WHERE x.v = c.v", "stnm", "a"),
        ("SEQ(A a, B+ b, C c, !X x) WHERE x.v = c.v", "stnm", ""),
        ("SEQ(A a, B+ b, C c, !X x) WHERE x.v = last(b).v", "stnm", "b"),
        ("SEQ(A a, B+ b, !X x) WHERE x.v = a.v", "stnm", ""),
        ("SEQ(A a, B+ b, !X x) WHERE x.v = last(b).v", "stnm", ""),
        ("SEQ(A+ a, B+ b, !X x) WHERE x.v = sum(b.v)", "stnm", ""),
        ("SEQ(A+ a, B+ b, !X x) WHERE x.v = a[1].v", "stnm", "a"),
        ("SEQ(A a, B+ b, !X x) WHERE x.v = last(b).v", "stam", "b"),
        ("SEQ(A a, B b, !X x) WHERE x.v = b.v", "stnm", ""),
        ("SEQ(A a, B+ b, !X x, C c) WHERE x.v = last(b).v", "stnm", ""),
        ("SEQ(A+ a, B+ b, !X x, C c) WHERE x.v = last(a).v", "stnm", "a"),
        ("SEQ(A a, B b, !X x) WHERE x.v = a.v", "stam", ""),
        ("SEQ(A+ a, !X x) WHERE x.v = a[1].v AND count(a) >= 3", "stam", ""),
        ("SEQ(A+ a, !X x) WHERE x.v = last(a).v AND a[i+1].v = a[i].v", "stam", ""),
        ("SEQ(A+ a, !X x) WHERE x.v = last(a).v AND a[i+1].v > a[i].v", "stam", "a"),
        ("SEQ(A+ a, !X x) WHERE x.v = a.v", "stam", "a"),
        ("SEQ(A a, B+ b, !X x) WHERE x.v = a.v", "stam", ""),
        ("SEQ(A a, B+ b, !X x, C c) WHERE x.v = last(b).v", "stam", "b"),
    ],
)
def test_it_warns_where_groups_are_enumerated(query: str, select: Select, variable: str) -> None:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p", select=select)
    pattern: Any = SimpleNamespace(name="p")
    said = dict(costly_absences(pattern, plan))
    assert list(said) == ([variable] if variable else [])
    if variable:
        assert said[variable].code == "costly-condition"
        assert f"'{plan.alternatives[0].negations[0].compared[0]}'" in said[variable].message
    context = Context(label="p", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    (way,) = MaximalEngine(plan, MaximalOptions(), context).explain()
    assert way.startswith("search") is bool(variable)


def test_strict_contiguity_leaves_nothing_to_try() -> None:
    query = "PATTERN SEQ(A+ a, B b, !X x) WHERE x.v = last(a).v WITHIN 10 s"
    plan = compile_plan(parse(query), name="p", select="sc")
    assert list(costly_absences(SimpleNamespace(name="p"), plan)) == []  # type: ignore[arg-type]


def test_it_warns_of_a_group_once() -> None:
    query = "PATTERN SEQ(A+ a, B b, !X x, !Y y) WHERE x.v = last(a).v AND y.v = sum(a.v) WITHIN 10 s"
    plan = compile_plan(parse(query), name="p")
    found = list(costly_absences(SimpleNamespace(name="p"), plan))  # type: ignore[arg-type]
    assert [variable for variable, _ in found] == ["a"]


def test_it_says_nothing_of_what_no_condition_is_about() -> None:
    plan = compile_plan(parse("PATTERN SEQ(AND(A a, NOT B n, C+ c[])) WITHIN 5 s"), name="p", select="stam")
    assert any(n.inside for a in plan.alternatives for n in a.negations)
    assert list(costly_absences(SimpleNamespace(name="p"), plan)) == []  # type: ignore[arg-type]
