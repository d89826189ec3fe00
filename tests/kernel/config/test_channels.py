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
        ("a//b", "c//d", [("warning", "odd-channel", 3)]),
    ],
)
def test_sources_and_sinks_are_asked(
    source: str, sink: str, found: list[tuple[str, str, int]], check: Check
) -> None:
    loaded = check(PIPELINE.format(source=source, sink=sink))
    said = [(p.severity, p.code, p.place.line if p.place else 0) for p in loaded.problems]
    assert said == found
    also = [place.line for p in loaded.problems for place in p.also if place is not None]
    assert also == ([5] if source == "a//b" and sink == "c//d" else [])
    assert (loaded.config is None) == any(severity == "error" for severity, _, _ in found)


@pytest.mark.parametrize(
    ("sink", "there"),
    [
        ("{to: b, channel: a/b}", True),
        ("{to: b, channel: a/c}", False),
        # Wildcards are the connector's to understand, and so are gaps, whatever fills them.
        ('{to: b, channel: "wild/{pattern}"}', True),
        ('{type: broker, url: "mq://h", channel: a/b}', True),
        ('{type: broker, url: "mq://other", channel: a/b}', False),
        ("{to: b, channel: a/b, of: late}", True),
    ],
)
def test_a_sink_that_feeds_a_source_is_warned_of(sink: str, there: bool, check: Check) -> None:
    text = PIPELINE.format(source="a/b", sink="x").replace('{to: b, channel: "x"}', sink)
    text = text.replace("sources: {", "sources: {w: {from: b, channel: wild/*, as: B, time: t, id: id}, ")
    loaded = check(text)
    assert loaded.config is not None
    echoes = [p for p in loaded.problems if p.code == "echo"]
    assert [p.severity for p in echoes] == (["warning"] if there else [])
    if there:
        assert "reads what sink 'o' sends" in echoes[0].message
        assert echoes[0].place is not None
        assert echoes[0].place.line == 5
