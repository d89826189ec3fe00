"""Patterns that have many matches, in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.many_matches import multiplied
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.plan.growth import growth

if TYPE_CHECKING:
    from limecep.model.pattern import Select


@pytest.mark.parametrize(
    ("query", "select", "engines", "code", "says", "hints"),
    [
        ("SEQ(A a, B b, C c)", "stam", [], "many-matches", "n^3 matches", "select: stnm"),
        (
            "SEQ(A a, B+ b[])",
            "stam",
            ["best"],
            "exponential-matches",
            "choice of some",
            "engine: best",
        ),
        ("SEQ(A a, B+ b[])", "stnm", ["best"], "many-matches", "wherever b may end", "max_per_end: 7"),
    ],
)
def test_it_says_why_there_are_so_many_and_what_to_do(
    query: str, select: Select, engines: list[str], code: str, says: str, hints: str
) -> None:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 10 s"), name="p", select=select, max_per_end=7)
    pattern: Any = SimpleNamespace(name="p")
    problem = multiplied(pattern, plan, growth(plan, everything=True), engines)
    assert (problem.code, problem.severity) == (code, "warning")
    assert says in problem.message
    assert hints in str(problem.hint)
    assert "looked at to pick" not in problem.message
    picking = compile_plan(plan.pattern, name="p", select=select, pick="last")
    assert (
        "in a window, all of which are looked at to pick the last one: "
        in multiplied(pattern, picking, growth(picking, everything=True), engines).message
    )
