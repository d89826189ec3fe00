"""What only some ways of evaluation need is made for these."""

from __future__ import annotations

import pytest

from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench
from limecep.testing.streams import written
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine
from limecep_maximal.parts import Parts

PARTS = {"law", "pins", "edges", "rules"}


@pytest.mark.parametrize(
    ("query", "needed"),
    [
        ("SEQ(A a, B b, C c)", set()),
        ("SEQ(A a, B+ b[], C c)", set()),
        ("SEQ(A a, !D d, B? b, C c)", set()),
        ("SEQ(A a, B+ b[], C c) WHERE avg(b.v) > a.v", {"law"}),
        ("SEQ(A a, B? b, C c) WHERE b.v > a.v", {"law", "rules"}),
    ],
)
def test_a_pattern_has_the_parts_that_its_way_needs(query: str, needed: set[str]) -> None:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p", select="stnm")
    bench = Bench(plan, lambda plan, context: MaximalEngine(plan, MaximalOptions(), context))
    assert len(bench.run(written("a1=1 b2=2 c3=3"))) == 1
    assert isinstance(bench.engine, MaximalEngine)
    (evaluator,) = bench.engine._evaluators
    assert isinstance(evaluator, Parts)
    assert {name for name in PARTS if getattr(evaluator, f"_{name}") is not None} == needed
