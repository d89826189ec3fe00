"""What of a pipeline workers cannot do is said before anything runs, at its place."""

from __future__ import annotations

from typing import Any

import pytest

from limecep import component
from limecep.config.loader import load_dict
from limecep.contracts.slack import SlackPolicy
from limecep.host import Host
from limecep_results.config import ThrottleOptions

KEYED = "PATTERN SEQ(A a, B b) WITHIN 1 second PARTITION BY k"
ABSENT = "PATTERN SEQ(A a, NOT B b) WITHIN 1 second PARTITION BY k"
SOURCE = {
    "type": "file",
    "channel": "s.jsonl",
    "as": {"field": "x"},
    "id": "id",
    "time": {"field": "t", "format": "epoch_s"},
}
BOUND = {"type": "bound", "within": "10s"}


def said(pattern: dict[str, Any], **more: Any) -> Any:
    """The problems of a pipeline that are about workers: place, severity and message."""
    document: dict[str, Any] = {
        "version": 1,
        "runner": {"type": "local", "workers": 2},
        "sources": {"s": SOURCE},
        "patterns": {"p": {"query": KEYED, "lateness": BOUND, **pattern}},
        "sinks": {"out": {"type": "none"}},
        **more,
    }
    problems = load_dict(document, Host.load().registry).problems
    return [
        (p.place and p.place.file, p.severity, p.message)
        for p in problems
        if p.code in ("not-with-workers", "other-with-workers")
    ]


def test_keys_and_bounded_lateness_are_divided_without_a_word() -> None:
    assert said({}) == []


def test_with_state_late_events_find_older_ones_in_the_journal() -> None:
    ((_, severity, message),) = said({"lateness": "accept"}, state={"dir": "state"})
    assert severity == "warning"
    assert "older events than those in memory and the journal of the state" in message


@pytest.mark.parametrize(
    ("pattern", "more", "place", "severity", "message"),
    [
        (
            {"query": KEYED.removesuffix(" PARTITION BY k")},
            {},
            "patterns.p",
            "warning",
            "has no PARTITION BY: the first worker detects all of it",
        ),
        ({"lateness": "accept"}, {}, "runner.workers", "warning", "workers read no source again"),
        (
            {"derive": {"as": "Found"}},
            {},
            "patterns.p.derive",
            "error",
            "no event in common that only one of them knows: pattern 'p' derives 'Found'",
        ),
        (
            {"query": ABSENT},
            {"sources": {"s": SOURCE, "t": {**SOURCE, "follow": True}}},
            "sources.t",
            "error",
            "cannot agree how far time has come for pattern 'p': source 't' may be idle",
        ),
        (
            {"results": {"type": "corrected", "final": True, "horizon": "9s"}, "lateness": "score"},
            {},
            "patterns.p.lateness",
            "error",
            "the lateness policy 'score' may move its horizon back",
        ),
    ],
)
def test_what_cannot_be_divided_is_said_at_its_place(
    pattern: dict[str, Any], more: dict[str, Any], place: str, severity: str, message: str
) -> None:
    found = said(pattern, **more)
    assert any(p == place and s == severity and message in m for p, s, m in found), found


@pytest.mark.parametrize(
    ("pattern", "sources"),
    [
        # Nothing holds back the time of one source.
        ({"query": ABSENT}, {"s": {**SOURCE, "follow": True}}),
        ({"query": ABSENT}, {"s": {**SOURCE, "follow": True, "idle_after": "off"}, "t": SOURCE}),
        # Nothing waits for time.
        ({}, {"s": {**SOURCE, "follow": True}, "t": SOURCE}),
        ({"query": ABSENT.removesuffix(" PARTITION BY k")}, {"s": {**SOURCE, "follow": True}, "t": SOURCE}),
    ],
)
def test_live_sources_are_divided_where_no_silence_moves_what_waits(
    pattern: dict[str, Any], sources: dict[str, Any]
) -> None:
    assert [s for s in said(pattern, sources=sources) if s[1] == "error"] == []


def test_a_result_policy_that_decides_across_keys_is_not_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    results = {"results": {"type": "throttle", "matches": 1, "per": "10s"}}
    assert said(results) == []
    monkeypatch.setattr(ThrottleOptions, "across_keys", True, raising=False)
    ((place, severity, message),) = said(results)
    assert (place, severity) == ("patterns.p.results", "error")
    assert message == "workers divide the keys, and the result policy 'throttle' decides across them"


def test_what_only_this_process_can_import_is_not_divided() -> None:
    class Here(SlackPolicy):
        """Waits."""

        def __init__(self, plan: Any, options: Any, context: Any) -> None: ...

        def wait(self, statistics: Any) -> int:
            return 0

    document = {
        "version": 1,
        "runner": {"type": "local", "workers": 2},
        "sources": {"s": SOURCE},
        "patterns": {"p": {"query": KEYED, "lateness": BOUND, "slack": "here"}},
    }
    [problem] = load_dict(document, Host.load().with_plugins(Here).registry).problems
    assert problem.message.startswith("workers cannot import 'test_what_only_this_process_can_import")

    @component("function")
    def here(x: float) -> float:
        """A number."""
        return x

    query = KEYED.replace("WITHIN", "WHERE here(a.v) > 3 WITHIN")
    document["patterns"] = {"p": {"query": query, "lateness": BOUND, "slack": "none"}}
    loaded = load_dict(document, Host.load().with_plugins(here).registry)
    [problem] = loaded.problems
    assert problem.message.startswith("workers cannot import 'test_what_only_this_process_can_import")
    assert str(problem.place) == "patterns.p.query"
