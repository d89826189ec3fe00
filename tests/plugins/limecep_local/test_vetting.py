"""What of a pipeline workers cannot do is said before anything runs, at its place."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.config.loader import load_dict
from limecep.host import Host

KEYED = "PATTERN SEQ(A a, B b) WITHIN 1 second PARTITION BY k"
BOUND = {"type": "bound", "within": "10s"}


def said(pattern: dict[str, Any], source: dict[str, Any] | None = None, **more: Any) -> Any:
    """The problems of a pipeline that are about workers: place, severity and message."""
    document = {
        "version": 1,
        "runner": {"type": "local", "workers": 2},
        "sources": {
            "s": {"type": "file", "channel": "s.jsonl", "as": {"field": "x"}, "id": "id"}
            | {"time": {"field": "t", "format": "epoch_s"}}
            | (source or {})
        },
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


@pytest.mark.parametrize(
    ("pattern", "source", "more", "place", "severity", "message"),
    [
        ({}, {}, {"state": {"dir": "state"}}, "state", "error", "2 workers keep no state"),
        ({}, {"follow": True}, {}, "sources.s", "error", "read recordings only"),
        (
            {"query": KEYED.removesuffix(" PARTITION BY k")},
            {},
            {},
            "patterns.p",
            "warning",
            "has no PARTITION BY: the first worker detects all of it",
        ),
        ({"lateness": "accept"}, {}, {}, "runner.workers", "warning", "workers read no source again"),
        (
            {},
            {"idle_after": "5s"},
            {},
            "sources.s.idle_after",
            "error",
            "source 's' may be idle",
        ),
        (
            {"results": {"type": "corrected", "final": True, "horizon": "9s"}, "lateness": "score"},
            {},
            {},
            "patterns.p.lateness",
            "error",
            "the lateness policy 'score' may move its horizon back",
        ),
    ],
)
def test_what_cannot_be_divided_is_said_at_its_place(
    pattern: dict[str, Any],
    source: dict[str, Any],
    more: dict[str, Any],
    place: str,
    severity: str,
    message: str,
) -> None:
    found = said(pattern, source, **more)
    assert any(p == place and s == severity and message in m for p, s, m in found), found
