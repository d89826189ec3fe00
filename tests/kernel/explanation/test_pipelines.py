"""The description of a pipeline: of each pattern the plan, the components, and what they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.explanation.pipelines import describe
from limecep.runtime.assembly import Assembly

if TYPE_CHECKING:
    from limecep.explanation.pipelines import PatternDescription
    from limecep.registry import Registry

SECOND = 1_000_000
SOURCE = {"type": "file", "channel": "a.csv", "as": "A", "time": "t", "every": "1s"}


def described(registry: Registry, patterns: dict[str, Any], **more: Any) -> list[PatternDescription]:
    document = {
        "version": 1,
        "params": {"low": 1, "high": 9, "other": 5},
        "sources": {"a": SOURCE},
        "patterns": patterns,
        **more,
    }
    config = load_dict(document, registry).config
    assert config is not None
    detectors = Assembly(config, registry, ManualClock(), structlog.get_logger()).detectors()
    return describe(config, detectors, registry.specs("engine"))


def pattern(query: str, **more: Any) -> dict[str, Any]:
    return {"p": {"query": f"PATTERN {query}", "lateness": {"type": "bound", "within": "0s"}, **more}}


def test_each_pattern_has_its_own_in_their_order(installed: Registry) -> None:
    query = "PATTERN SEQ(A a) WITHIN 1 s"
    found = described(installed, {"q": {"query": query}, "p": {"query": query, "engine": "nfa"}})
    assert [d.config.name for d in found] == ["q", "p"]
    assert [d.results for d in found] == ["maximal", "all"]


def test_only_parameters_that_the_query_names_are_told(installed: Registry) -> None:
    [with_some] = described(installed, pattern("SEQ(A a) WHERE a.v > $low AND a.v < $high WITHIN 1 s"))
    assert with_some.params == {"low": 1, "high": 9}
    [without] = described(installed, pattern("SEQ(A a) WITHIN 1 s"))
    assert without.params == {}


def test_the_policies_are_told_by_kind(installed: Registry) -> None:
    [found] = described(installed, pattern("SEQ(A a) WITHIN 1 s", slack="none"))
    assert {kind: c.spec.name for kind, c in found.components.items()} == {
        "lateness": "bound",
        "slack": "none",
        "recompute": "exact",
        "results": "corrected",
    }


@pytest.mark.parametrize(("engine", "power"), [("maximal", 1), ("nfa", 2)])
def test_an_engine_of_all_matches_has_more_of_them(installed: Registry, engine: str, power: int) -> None:
    [found] = described(installed, pattern("SEQ(A a, A+ b[]) WITHIN 1 s", engine=engine))
    assert found.growth.power == power
    assert [w.code for w in found.warnings] == ["growing-match" if engine == "maximal" else "many-matches"]
    assert all(a.evaluation for a in found.plan.alternatives)


@pytest.mark.parametrize(
    ("lateness", "retention", "kept"),
    [
        ("0s", {}, 52),
        ("0s", {"time": "20s"}, 35),
        ("0s", {"time": "5m"}, 52),
        (None, {"time": "20s"}, 35),
    ],
)
def test_events_are_buffered_as_long_as_the_pattern_and_retention_keep_them(
    installed: Registry, lateness: str | None, retention: dict[str, Any], kept: int
) -> None:
    policy = "accept" if lateness is None else {"type": "bound", "within": lateness}
    patterns = pattern("SEQ(A a, A b) WITHIN 10 s", lateness=policy)
    [found] = described(installed, patterns, retention=retention)
    assert [b.type for b in found.buffered] == ["A"]
    assert found.buffered[0].kept == kept
    assert found.kept.span == (None if lateness is None else 30 * SECOND)
