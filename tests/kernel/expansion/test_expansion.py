"""Every match of skip-till-any-match is in the expansion of the maximal ones, once."""

from __future__ import annotations

import os
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, seed, settings

from limecep.errors import LimecepError
from limecep.expansion import expand
from limecep.language.parser import parse
from limecep.plan.compiler import compile_plan
from limecep.testing.bench import Bench
from limecep.testing.oracle import all_matches, assignment
from limecep.testing.strategies import patterns, streams
from limecep.testing.streams import shown, written
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.pattern import Pattern
    from limecep.plan.plan import Alternative

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))


def maximal(pattern: Pattern, events: list[Event]) -> list[Match]:
    """The maximal matches of a stream in order, and where they grow at their end, what they grew from."""
    plan = compile_plan(pattern, name="p", select="stam")
    bench = Bench(plan, lambda plan, context: MaximalEngine(plan, MaximalOptions(), context))
    for event in events:
        bench.feed(event)
    found = [m for end in bench.ends for m in bench.matches(end)]
    Random(len(events)).shuffle(found)
    return found


def of(query: str, events: str) -> list[Match]:
    return maximal(parse(f"PATTERN {query}"), written(events))


def ids(matches: list[Match]) -> list[str]:
    return [" ".join(e.id for group in m.groups for e in group) for m in matches]


def _decides(alternative: Alternative) -> bool:
    """Whether no negation keeps it from being expanded."""
    fixed = all(s.quantifier.minimum == s.quantifier.maximum for s in alternative.steps)
    return fixed or not alternative.negations


def test_it_is_the_oracles_set_of_all_matches_and_the_count_is_its_size() -> None:
    drawn_from = 0 if "CI" in os.environ else Random().getrandbits(32)
    print(f"seed {drawn_from}")

    @seed(drawn_from)
    @settings(
        max_examples=EXAMPLES // 3, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(patterns() | patterns(conjunctions=True), streams(size=9, ties=3))
    def holds(pattern: Pattern, events: list[Event]) -> None:
        found = maximal(pattern, events)
        assume(all(_decides(m.alternative) for m in found))
        expansion = expand(found)
        given_ = [assignment(m.events()) for m in expansion]
        expected = all_matches(pattern, events, select="stam")
        assert len(given_) == len(set(given_)), f"{pattern}\n{shown(events)}\ngiven twice"
        assert set(given_) == expected, f"{pattern}\n{shown(events)}"
        assert expansion.count() == len(expected), f"{pattern}\n{shown(events)}"

    holds()


def test_a_group_of_twenty_five_is_counted_at_once_and_given_as_asked_for() -> None:
    stream = "a0 " + " ".join(f"b{i}" for i in range(1, 26)) + " c26"
    expansion = expand(of("SEQ(A a, B+ b[], C c) WITHIN 1000 s", stream))
    assert expansion.count() == 33_554_431
    first = list(islice(expansion, 3))
    assert ids(first)[0] == stream
    assert [len(m.groups[1]) for m in first] == [25, 24, 24]


@pytest.mark.parametrize("where", ["", "WHERE b[i+1].v > b[i].v"])
def test_what_matches_have_in_common_is_counted_once(where: str) -> None:
    """Of ten events two or three: all pairs are in several of the maximal matches, which have three."""
    stream = "a0 " + " ".join(f"b{i}={i}" for i in range(1, 11)) + " c40"
    matches = of(f"SEQ(A a, B{{2,3}} b[], C c) {where} WITHIN 1 h", stream)
    assert len(matches) == 120
    assert expand(matches).count() == 120 + 45


def test_nothing_is_done_before_it_is_asked_for() -> None:
    """The match has 2**40 parts, and the condition is about each as a whole."""
    stream = "a0 " + " ".join(f"b{i}={i}" for i in range(1, 41)) + " c50"
    expansion = expand(of("SEQ(A a, B+ b[], C c) WHERE count(b) >= 3 WITHIN 1 h", stream))
    (first,) = islice(expansion, 1)
    assert len(first.groups[1]) == 40


def test_a_negation_whose_bounds_stay_needs_no_more_events() -> None:
    matches = of("SEQ(A a, !X x, B b, C+ c[], D d) WITHIN 10 s", "a1 x2 a3 b4 c5 c6 d7")
    assert sorted(ids(list(expand(matches)))) == ["a3 b4 c5 c6 d7", "a3 b4 c5 d7", "a3 b4 c6 d7"]


@pytest.mark.parametrize(
    "query",
    ["SEQ(A+ a[], !X x, B b)", "SEQ(A a, !X x, B? b, C c)", "SEQ(!X x, A+ a[], B b)",
     "SEQ(A a, B+ b[], !X x)", "SEQ(A a, !X x, B b, C+ c[]) WHERE x.v > a.v"],
)  # fmt: skip
def test_a_negation_beside_what_may_be_left_out_is_refused(query: str) -> None:
    matches = of(f"{query} WITHIN 10 s", "a1=1 b2 c3")
    assert matches
    with pytest.raises(LimecepError, match="the negated step 'x'"):
        expand(matches)
