"""What a match waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.plugins.limecep_why.conftest import Asked

BOUND = "lateness: {type: bound, within: 2s}"


def waited(asked: Asked, query: str, events: str, more: str = "slack: none") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = asked.told(asked.run(query, events, more=more)[0])["waited"]
    return found


def test_a_match_that_is_told_at_once_waits_for_nothing(asked: Asked) -> None:
    [wait] = waited(asked, "SEQ(A a, B b) WITHIN 9 s", "a1 b5")
    assert wait["for"] == []
    assert (wait["after_event_seconds"], wait["after_arrival_seconds"]) == (1196.0, 0.0)


@pytest.mark.parametrize(
    ("query", "events", "more", "reasons"),
    [
        (
            "SEQ(A a, !X x) WITHIN 5 s",
            "a1 b7",
            "slack: none",
            [
                "event time to pass 2026-01-05T10:00:06Z, start plus window: until then X x could come",
                "event time came there with B b7 of 2026-01-05T10:00:07Z, arrival #2",
            ],
        ),
        (
            "SEQ(A a, B+ b[]) WITHIN 5 s",
            "a1 b2 b3 c9",
            "results: {type: corrected, emit: complete}",
            [
                "event time to pass 2026-01-05T10:00:06Z, start plus window: until then b could take more "
                "(emit: complete)",
                "event time came there with C c9 of 2026-01-05T10:00:09Z, arrival #4",
            ],
        ),
        (
            "SEQ(A a, B b) WITHIN 5 s",
            "a1 b2 c9",
            f"results: {{type: corrected, emit: final}}\n    {BOUND}",
            ["all events that the lateness policy might still accept and that could change it (emit: final)"],
        ),
        (
            "SEQ(A a, B b) WITHIN 5 s",
            "a1 b2 c9",
            "results: {type: corrected, emit: slack}\n    slack: {type: fixed, wait: 1s}",
            ["the slack after late events (emit: slack)"],
        ),
        (
            "SEQ(A a, !X x) WITHIN 5 s",
            "a1",
            "slack: none",
            [
                "event time to pass 2026-01-05T10:00:06Z, start plus window: until then X x could come",
                "event time came there by the end of the input",
            ],
        ),
    ],
)
def test_the_reasons_are_told(query: str, events: str, more: str, reasons: list[str], asked: Asked) -> None:
    told = waited(asked, query, events, more)[0]["for"]
    assert told[: len(reasons)] == reasons


def test_a_correction_that_waited_for_slack_says_so(asked: Asked) -> None:
    query = "SEQ(A a, B+ b[], C c) WITHIN 30 s"
    found = waited(asked, query, "a1 b3 c9 b5 c20 c21 c22", "slack: {type: fixed, wait: 2s}")
    assert [(w["revision"], w["for"]) for w in found] == [
        (1, []),
        (2, ["2s for the slack for more late events"]),
    ]
