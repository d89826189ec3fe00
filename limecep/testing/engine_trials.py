"""How the suite for engines tries them: on which patterns and streams, and what the oracle says of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench
from limecep.testing.bounded import Bounded
from limecep.testing.cases import CASES, Case
from limecep.testing.oracle import Assignment, all_matches, maximal_matches, ruled_matches
from limecep.testing.random_tests import difference, for_all
from limecep.testing.strategies import FEATURES, Feature, patterns, streams

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pytest

    from limecep.contracts.context import Context
    from limecep.contracts.engine import Engine
    from limecep.model.event import Event
    from limecep.model.pattern import Pattern, Select
    from limecep.plan.plan import Plan

    #: Takes a bench on the pattern, and the stream; gives the net results.
    Drive = Callable[[Bench, list[Event]], set[Assignment]]

#: What the random patterns of one test are about, and how long its streams are.
FOCUS: dict[str, tuple[frozenset[Feature], int]] = {
    "everything": (FEATURES, 10),
    "plain": (frozenset(), 14),
    "groups": (frozenset({"kleene", "types", "and"}), 11),
    "optional": (frozenset({"kleene", "optional"}), 10),
    "negation": (frozenset({"negation", "optional", "each"}), 11),
    "neighbours": (frozenset({"kleene", "adjacent", "running", "each"}), 11),
    "conditions": (frozenset({"kleene", "cross", "position", "final", "null", "logic"}), 10),
    "functions": (frozenset({"kleene", "optional", "negation", "function"}), 10),
    "tables": (frozenset({"kleene", "optional", "negation", "or", "and", "table"}), 10),
}


class EngineTrials(Bounded):
    """An engine on random patterns and streams, beside the oracle.

    Attributes:
        selects: The selection policies that the engine knows.
        examples: How many random pairs of pattern and stream the main test tries for each policy; others try
            a part of that.
        seed: What the random pairs are drawn from; None as said above.
        features: What random patterns may have.
        cases: The small cases; add your own.
        elsewhere: See `limecep.testing.elsewhere.Traced`.
    """

    selects: ClassVar[tuple[Select, ...]] = ("stnm", "stam", "sc")
    examples: ClassVar[int] = 1000
    seed: ClassVar[int | None] = None
    features: ClassVar[frozenset[Feature]] = FEATURES
    cases: ClassVar[tuple[Case, ...]] = CASES
    elsewhere: ClassVar[Sequence[str]] = ()

    def make_engine(self, plan: Plan, context: Context) -> Engine:
        """A new engine for a plan."""
        raise NotImplementedError

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Spreads the tests over policies, cases and what patterns are about."""
        if "case" in metafunc.fixturenames:
            known = [c for c in self.cases if c.select in self.selects]
            metafunc.parametrize("case", known, ids=[f"{c.name}, {c.select}" for c in known])
        if "select" in metafunc.fixturenames:
            metafunc.parametrize("select", self.selects)
        if "focus" in metafunc.fixturenames:
            metafunc.parametrize("focus", list(FOCUS))

    def _agrees(
        self,
        select: Select,
        focus: str,
        examples: int,
        drive: Drive,
        *,
        sequenced: bool = False,
        conjunctions: bool = False,
    ) -> None:
        def body(pattern: Pattern, events: list[Event]) -> None:
            plan = compile_plan(pattern, name="random", select=select)
            bench = Bench(plan, self.make_engine, sequenced=sequenced)
            got = drive(bench, events)
            expected = self._expected(bench, pattern, events, select)
            assert got == expected, difference(pattern, select, events, expected, got)

        self._random(body, focus, examples, sequenced=sequenced, conjunctions=conjunctions)

    def _expected(
        self, bench: Bench, pattern: Pattern, events: list[Event], select: Select
    ) -> set[Assignment]:
        engine: Any = bench.engine
        if engine.results == "rule":
            return ruled_matches(pattern, events, engine.keeps, select=select)
        find = maximal_matches if engine.results == "maximal" else all_matches
        return find(pattern, events, select=select)

    def _random(
        self,
        body: Callable[[Pattern, list[Event]], None],
        focus: str,
        examples: int,
        *,
        sequenced: bool = False,
        conjunctions: bool = False,
    ) -> None:
        features, size = FOCUS[focus]
        drawn = (
            patterns(features=features & self.features, conjunctions=conjunctions),
            streams(size=size, sequenced=sequenced, ties=6 if conjunctions else 1),
        )
        for_all(body, *drawn, examples=examples, seed=self.seed)
