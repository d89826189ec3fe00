"""The engine says which way it goes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import SilentLogger
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from limecep.model.pattern import Select


@pytest.mark.parametrize(
    ("query", "select", "ways"),
    [
        ("SEQ(A a, B+ b[], C c)", "stnm", ["plain"]),
        ("SEQ(A a, B* b[], C c)", "stnm", ["tight"]),
        ("SEQ(A a, B+ b[], C c)", "stam", ["tight"]),
        ("SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v", "stam", ["pinned"]),
        ("SEQ(A a, !B b, C c) WHERE b.x = a.x", "stam", ["joined"]),
        ("SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v", "stnm", ["runs"]),
        ("SEQ(A a, B+ b[], C c) WHERE avg(b.v) > 3", "stam", ["relaxed"]),
        ("SEQ(A a, B+ b[], C c) WHERE avg(b.v) > 3", "stnm", ["runs"]),
        ("SEQ(A a, B+ b[], C+ c[], D d) WHERE avg(b.v) > avg(c.v)", "stnm", ["search"]),
        ("SEQ(A a, B+ b[], C c)", "sc", ["contiguous"]),
        ("OR(SEQ(A a, B b), SEQ(A a, B* b[]))", "stnm", ["plain", "tight"]),
    ],
)
def test_each_alternative_has_its_way(query: str, select: Select, ways: list[str]) -> None:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p", select=select)
    context = Context(label="p", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    said = MaximalEngine(plan, MaximalOptions(), context).explain()
    assert [text.partition(": ")[0] for text in said] == ways
