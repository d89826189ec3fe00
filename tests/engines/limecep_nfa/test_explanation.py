"""The engine says how large its automaton is, and whether runs are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.spec import NoOptions
from limecep.testing.bench import Bench
from limecep_nfa.engine import NfaEngine

if TYPE_CHECKING:
    from limecep.model.pattern import Select


@pytest.mark.parametrize(
    ("query", "select", "begins", "kept"),
    [
        ("SEQ(A a, B+ b[], C{2} c[])", "stam", "an automaton of 4 states", True),
        ("SEQ(A a, B+ b[], C{2} c[])", "stnm", "an automaton of 3 states", True),
        ("SEQ(A a, B+ b[]) WHERE avg(b.v) > 3", "stnm", "an automaton of 2 states", True),
        ("SEQ(A a, B+ b[]) WHERE avg(b.v) > 3", "stam", "an automaton of 2 states", False),
        ("A a", "sc", "an automaton of 1 state;", True),
    ],
)
def test_it_says_whether_runs_are_kept(query: str, select: Select, begins: str, kept: bool) -> None:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p", select=select)
    engine = Bench(plan, lambda plan, context: NfaEngine(plan, NoOptions(), context)).engine
    assert isinstance(engine, NfaEngine)
    [said] = engine.explain()
    assert said.startswith(begins)
    assert ("runs go on from one end event to the next" in said) is kept
