"""What is kept of live matches, by what a pattern needs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep.contracts.tables import PLAIN
from limecep.language.parser import parse
from limecep.patterns.live import live_of
from limecep.patterns.match_codec import MatchCodec
from limecep.plan.compiler import compile_plan
from limecep.store.lane import Ordering
from limecep.store.store import Store


@pytest.mark.parametrize(
    ("query", "results", "pick", "needs"),
    [
        ("SEQ(A a, B b)", "maximal", None, (0, False, False)),
        ("SEQ(A a, B b)", "maximal", "first", (0, False, False)),
        ("SEQ(A a, B+ b[])", "maximal", None, (1, False, False)),
        ("SEQ(A a, B+ b[])", "all", None, (0, False, False)),
        ("SEQ(A a, B+ b[])", "maximal", "first", (1, False, True)),
        ("SEQ(A a, B+ b[])", "all", "first", (0, False, False)),
        ("OR(A a, SEQ(A a, B b, !C c))", "all", None, (0, True, False)),
        ("OR(A a, SEQ(A a, B+ b[]))", "maximal", None, (2, True, False)),
        # Of the one that is picked there are no equals.
        ("OR(A a, SEQ(A a, B b, !C c))", "all", "last", (0, False, False)),
        ("OR(A a, SEQ(A a, B+ b[]))", "maximal", "last", (2, False, True)),
    ],
)
def test_a_pattern_has_what_it_needs(
    query: str, results: str, pick: Any, needs: tuple[int, bool, bool]
) -> None:
    plan = compile_plan(parse(f"PATTERN {query} WITHIN 9 us"), name="p", pick=pick)
    engine: Any = SimpleNamespace(results=results)
    codec = MatchCodec(plan, Store().subscribe(plan), Ordering(1))
    nets, counting, picking = live_of(plan, engine, PLAIN, codec)
    assert (len(nets), counting is not None, picking is not None) == needs
