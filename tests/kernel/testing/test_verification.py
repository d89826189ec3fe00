"""Engines beside the oracle, on what a pipeline has in memory."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline, component
from limecep.testing.streams import SECOND, disorder, stream, written
from limecep.testing.verification import MOST_EVENTS, Verified, verified
from limecep_maximal.config import MaximalOptions
from limecep_maximal.engine import MaximalEngine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.store.view import View

QUERIES = {
    "plain": "SEQ(A a, B b, C c) WHERE c.v > a.v",
    "groups": "SEQ(A+ a[], B+ b[], C c) WHERE b[i+1].v > b[i].v",
    "whole_groups": "SEQ(A a, B+ b[], C c) WHERE count(b) <= 2 AND sum(b.v) > 3",
    "growing": "SEQ(A a, B+ b[]) WHERE b[i].v > a.v",
    "optional": "SEQ(A a, B? b, C* c[])",
    "leading": "SEQ(!B n, A a, C c)",
    "between": "SEQ(A a, !B n, C+ c[], B b) WHERE n.v > a.v",
    "trailing": "SEQ(A a, B+ b[], !C n)",
    "orders": "SEQ(AND(A a, B b), C c)",
    "either": "OR(SEQ(A a, B b, A z), SEQ(A a, C+ c[]))",
}


@component("engine", name="forgetful", options=MaximalOptions)
class Forgetful:
    """Loses each match with a group of two or more."""

    results = "maximal"

    def __init__(self, *made: Any) -> None:
        self._sound = MaximalEngine(*made)

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        return (m for m in self._sound.matches(end, view) if all(len(g) < 2 for g in m.groups))

    def count(self, end: Event, view: View) -> None:
        return None


@component("engine", name="failing", options=MaximalOptions)
class Failing(Forgetful):
    """Raises where it is asked for the second time."""

    asked = False

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        if self.asked:
            raise ValueError("odd")
        self.asked = True
        return super().matches(end, view)


@component("engine", name="twice", options=MaximalOptions)
class Twice(Failing):
    """Gives each match twice where it is asked for the second time."""

    def matches(self, end: Event, view: View) -> Iterator[Match]:
        again = [*self._sound.matches(end, view)] * (1 + self.asked)
        self.asked = True
        return iter(again)


@component("engine", name="keeping", capabilities=frozenset({"rule"}))
class Keeping:
    """Has a rule that keeps what is no match."""

    results = "rule"
    rule = "none"

    def __init__(self, *made: Any) -> None: ...

    def matches(self, end: Event, view: View) -> tuple[Match, ...]:
        return ()

    def count(self, end: Event, view: View) -> None:
        return None

    def keeps(self, matches: Any) -> Any:
        return 5


def after(
    events: Iterable[Event], patterns: dict[str, dict[str, Any]], windows: int = 20
) -> dict[str, Verified]:
    """What verification says after a pipeline was fed events."""
    pipeline = Pipeline.from_dict(
        {"version": 1, "patterns": patterns}, plugins=[Forgetful, Failing, Twice, Keeping]
    )
    for event in events:
        pipeline.feed([event])
    pipeline.finish()
    assert pipeline.detection is not None
    return verified(pipeline.detection, windows)


@pytest.mark.parametrize("engine", ["maximal", "nfa"])
@pytest.mark.parametrize("select", ["stnm", "stam", "sc"])
def test_sound_engines_agree_whatever_the_pattern_and_the_disorder(select: str, engine: str) -> None:
    attributes = {"v": lambda random: random.randint(0, 4), "k": lambda random: random.randint(0, 1)}
    seed = Random().getrandbits(32)
    ordered = stream(seed, 300, gap=4 * SECOND, ties=0.2, attributes=attributes)
    events = disorder(ordered, seed, 0.2, 20 * SECOND)
    patterns = {
        f"{name}{len(by)}": {
            "query": f"PATTERN {query} WITHIN 8 s{by}", "select": select, "engine": engine, "slack": "none"
        }
        for name, query in QUERIES.items()
        for by in ("", " PARTITION BY k")
    }  # fmt: skip
    for name, told in after(events, patterns, windows=8).items():
        assert told.differences == [], f"{name}, seed {seed}"
        assert told.windows + told.empty, f"{name}, seed {seed}: {told}"


def test_a_lost_match_is_told_with_the_events_to_replay() -> None:
    pattern = {"query": "PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s", "engine": "forgetful"}
    told = after(written("a1 b2 b3 c4 a50 b51 c52 b90 c91"), {"p": pattern})["p"]
    assert (told.windows, told.matches, told.empty) == (2, 2, 1)
    [difference] = told.differences
    assert difference["end"]["id"] == "c4"
    assert difference["engine"] == []
    assert difference["oracle"] == [{"a": ["a1"], "b": ["b2", "b3"], "c": ["c4"]}]
    again = Pipeline.from_dict({"version": 1, "patterns": {"p": {**pattern, "engine": "maximal"}}})
    [update] = again.feed(difference["events"])
    assert [len(group) for group in update.match.groups] == [1, 2, 1]


def test_what_an_engine_raises_is_a_difference() -> None:
    pattern = {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "engine": "failing", "on_error": "disable"}
    [difference] = after(written("a1 b2"), {"p": pattern})["p"].differences
    assert difference["error"].startswith(f"raised ValueError: odd ({__file__}:")


def test_a_rule_that_keeps_nonsense_is_a_difference_in_words() -> None:
    pattern = {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "engine": "keeping"}
    [difference] = after(written("a1 b2"), {"p": pattern})["p"].differences
    assert difference["error"] == "gave 5 in 'keeps', where matches are due"


def test_a_match_that_is_given_twice_is_a_difference() -> None:
    pattern = {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "engine": "twice"}
    [difference] = after(written("a1 b2"), {"p": pattern})["p"].differences
    assert difference["engine"] == [{"a": ["a1"], "b": ["b2"]}] * 2
    assert difference["oracle"] == [{"a": ["a1"], "b": ["b2"]}]


def test_windows_that_are_too_large_are_counted() -> None:
    pattern = {"query": "PATTERN SEQ(A a, B+ b[], C c) WITHIN 30 s"}
    large = "a1 " + " ".join(f"b{n}" for n in range(2, 2 + MOST_EVENTS)) + " c20"
    told = after(written(f"{large} a60 b61 c62"), {"p": pattern})["p"]
    assert (told.windows, told.skipped) == (1, {"more than 14 events": 1})


def test_what_the_oracle_cannot_finish_is_counted() -> None:
    types = "(A OR B)"
    query = f"PATTERN SEQ({types}+ w[], {types}* x[], {types}* y[], {types}* z[]) WITHIN 30 s"
    told = after(written(" ".join(f"a{n}" for n in range(1, 14))), {"p": {"query": query, "select": "stam"}})[
        "p"
    ]
    assert told.skipped["more than 5,000 partial matches"]


def test_a_search_that_was_cut_short_is_no_difference() -> None:
    pattern = {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "select": "stam", "results": {"max_per_end": 2}}
    told = after(written("a1 a2 a3 a4 b5"), {"p": pattern})["p"]
    assert (told.differences, told.skipped) == ([], {"cut short at max_per_end, 2": 1})


def test_what_an_engine_picks_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    pattern = {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "select": "stam", "results": {"pick": "last"}}
    told = after(written("a1 a2 b3"), {"p": pattern})["p"]
    assert (told.differences, told.windows, told.matches) == ([], 1, 1)
    monkeypatch.setattr(MaximalEngine, "picked", lambda engine, end, view: [])
    [difference] = after(written("a1 a2 b3"), {"p": pattern})["p"].differences
    assert (difference["engine"], difference["oracle"]) == ([], [{"a": ["a2"], "b": ["b3"]}])
