"""Sinks that feed the pipeline's own sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from limecep import ComponentSpec, option
from limecep.config.loader import load_dict
from limecep.registry import Registry

if TYPE_CHECKING:
    from conftest import Check

PIPELINE = """\
version: 1
connectors: {{b: {{type: broker, url: "mq://h"}}}}
sources: {{s: {{from: b, channel: a/b, as: A, time: t, id: id}}}}
patterns: {{p: {{query: PATTERN SEQ(A a) WITHIN 1 s}}}}
sinks: {{o: {sink}}}
"""


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
    text = PIPELINE.format(sink=sink).replace(
        "sources: {", "sources: {w: {from: b, channel: wild/*, as: B, time: t, id: id}, "
    )
    loaded = check(text)
    assert loaded.config is not None
    echoes = [p for p in loaded.problems if p.code == "echo"]
    assert [p.severity for p in echoes] == (["warning"] if there else [])
    if there:
        assert "reads what sink 'o' sends" in echoes[0].message
        assert echoes[0].place is not None
        assert echoes[0].place.line == 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    url: str = option(help="Where the broker is.")
    labels: list[str] = option([], help="What it is told of the client.")


@pytest.mark.parametrize(("channel", "there"), [("a", True), ("b", False)])
def test_a_broker_without_wildcards_brings_back_the_same_channel_alone(
    registry: Registry, channel: str, there: bool
) -> None:
    plain = [
        ComponentSpec(kind=kind, name="plain", factory="nowhere:Nothing", summary="For tests.", options=Plain)
        for kind in ("source", "sink")
    ]
    document = {
        "version": 1,
        "connectors": {"b": {"type": "plain", "url": "h"}},
        "sources": {"s": {"from": "b", "channel": "a", "as": "A", "time": "t", "id": "id"}},
        "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}},
        "sinks": {"o": {"type": "plain", "url": "h", "labels": ["o"], "channel": channel}},
    }
    found = load_dict(document, Registry([*registry.specs(), *plain])).problems
    assert [p.code for p in found] == ["echo"] * there
