"""What a transport itself finds wrong with a channel is told where the channel stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Check

PIPELINE = """\
version: 1
connectors: {{b: {{type: broker, url: "mq://h"}}}}
sources: {{s: {{from: b, channel: "{source}", as: A, time: t, id: id}}}}
patterns: {{p: {{query: PATTERN SEQ(A a) WITHIN 1 s}}}}
sinks: {{o: {{to: b, channel: "{sink}"}}}}
"""


@pytest.mark.parametrize(
    ("source", "sink", "found"),
    [
        ("a/b", "c/d", []),
        ("a b", "c/d", [("error", "bad-channel", 3)]),
        ("a//b", "c/d", [("warning", "odd-channel", 3)]),
        ("a/b", "c d", [("error", "bad-channel", 5)]),
        ("a//b", "c//d", [("warning", "odd-channel", 3), ("warning", "odd-channel", 5)]),
    ],
)
def test_sources_and_sinks_are_asked(
    source: str, sink: str, found: list[tuple[str, str, int]], check: Check
) -> None:
    loaded = check(PIPELINE.format(source=source, sink=sink))
    said = [(p.severity, p.code, p.place.line if p.place else 0) for p in loaded.problems]
    assert said == found
    assert (loaded.config is None) == any(severity == "error" for severity, _, _ in found)
