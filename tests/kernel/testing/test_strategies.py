"""Random patterns and streams: valid, varied, and as narrow as asked."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, seed, settings

from limecep.language.parser import parse
from limecep.model.event import Event, sort_key
from limecep.model.expression import Aggregate, Attribute, Current
from limecep.model.pattern import Choice, Conjunction, Pattern, Step
from limecep.model.table import columns_in
from limecep.plan.compiler import compile_plan
from limecep.testing.functions import FUNCTIONS
from limecep.testing.oracle import all_matches, identity
from limecep.testing.oracle.conditions import conjuncts, named
from limecep.testing.oracle.structure import lines
from limecep.testing.strategies import FEATURES, patterns, streams
from limecep.testing.tables import TABLES

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def drawn(strategy: SearchStrategy[Any], n: int) -> list[Any]:
    values: list[Any] = []

    @seed(3)
    @settings(max_examples=n, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def draw(value: Any) -> None:
        values.append(value)

    draw()
    return values


@pytest.fixture(scope="module")
def many() -> list[Pattern]:
    return drawn(patterns(), 300)


def features(pattern: Pattern) -> set[str]:
    """What a pattern has, as far as it shows."""
    found = set()
    if isinstance(pattern.structure, Choice):
        found.add("or")
        parts = [p for s in pattern.structure.alternatives for p in s.parts]  # type: ignore[union-attr]
    else:
        parts = list(pattern.structure.parts)
    if any(isinstance(p, Conjunction) for p in parts):
        found.add("and")
    steps = [s for p in parts for s in ((p,) if isinstance(p, Step) else p.steps)]
    for step in steps:
        if step.negated:
            found.add("negation")
        if len(step.types) > 1:
            found.add("types")
        if step.quantifier.minimum == 0:
            found.add("optional")
        elif step.quantifier.maximum != 1:
            found.add("kleene")
    if pattern.partition:
        found.add("partition")
    for conjunct in conjuncts(pattern.where):
        for r in named(conjunct):
            if isinstance(r, Aggregate):
                found.add("running" if r.running else "final")
            elif isinstance(r, Attribute) and isinstance(r.index, Current) and r.index.offset:
                found.add("adjacent")
        found.update("table" for _ in columns_in(conjunct))
    return found


def test_every_pattern_compiles_and_prints_back(many: list[Pattern]) -> None:
    for pattern in many:
        compile_plan(pattern, name="p")
        assert parse(str(pattern), FUNCTIONS.get, TABLES) == pattern


def test_every_feature_comes_up_often(many: list[Pattern]) -> None:
    counts = Counter(f for p in many for f in features(p))
    plain = ("or", "and", "negation", "types", "optional", "kleene", "partition")
    for name in (*plain, "running", "final", "table"):
        assert counts[name] >= 10, (name, counts)


def test_negated_steps_stand_at_the_start_between_and_at_the_end(many: list[Pattern]) -> None:
    places = set()
    for pattern in many:
        for line in lines(pattern, {}):
            for negation in line.negations:
                size = len(line.steps)
                places.add("start" if not negation.after else "end" if negation.after == size else "between")
    assert places == {"start", "between", "end"}


@pytest.mark.parametrize(
    "narrow", [frozenset(), frozenset({"kleene", "running"}), frozenset({"or", "optional"})]
)
def test_patterns_keep_to_the_features_asked_for(narrow: frozenset[Any]) -> None:
    for pattern in drawn(patterns(features=narrow), 75):
        assert features(pattern) <= narrow


def test_features_are_named() -> None:
    assert {"kleene", "negation", "null", "logic"} <= FEATURES


def test_streams_are_in_order_with_distinct_ids() -> None:
    found: list[list[Event]] = drawn(streams(), 200)
    assert max(map(len, found)) == 10
    assert sum(len(events) > 6 for events in found) > 60
    for events in found:
        assert events == sorted(events, key=sort_key)
        assert len({identity(e) for e in events}) == len(events)
    assert any(a.t_gen == b.t_gen for events in found for a, b in pairwise(events))


def test_many_random_pairs_have_matches() -> None:
    pairs = zip(drawn(patterns(), 200), drawn(streams(), 200), strict=False)
    assert sum(bool(all_matches(p, s, select="stam")) for p, s in pairs) > 50
