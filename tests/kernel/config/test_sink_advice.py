"""Sinks that do not do what they seem to are told of."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.config.loader import load_dict
from limecep.host import Host

REGISTRY = Host.load().registry
FILE = {"type": "file", "channel": "x.jsonl", "as": "A", "time": "t"}
BROKER = {
    "type": "mqtt",
    "url": "mqtt://h",
    "client_id": "c",
    "channel": "a",
    "as": "A",
    "time": "t",
    "id": "n",
}


def told(sources: dict[str, Any], **sink: Any) -> list[str]:
    document = {
        "version": 1,
        "name": "p",
        "sources": sources,
        "patterns": {
            "fire": {"query": "PATTERN SEQ(A a, A+ b[]) WITHIN 1 s", "results": {"emit": "complete"}}
        },
        "sinks": {"out": {"type": "stdout", **sink}},
    }
    found = load_dict(document, REGISTRY, environment={})
    assert found.config is not None, found.problems
    return [
        f"{p.code}: {p.message}" for p in found.problems if p.code in ("recorded-repeat", "untold-events")
    ]


@pytest.mark.parametrize(
    ("sources", "at_once"),
    [
        ({"s": FILE}, True),
        ({"s": FILE, "t": FILE | {"channel": "y.jsonl", "speed": "max"}}, True),
        ({"s": FILE | {"speed": 10}}, False),
        ({"s": FILE | {"follow": True}}, False),
        ({"s": FILE, "b": BROKER}, False),
        ({}, False),
    ],
)
def test_nothing_is_told_again_of_recordings_that_are_read_at_once(
    sources: dict[str, Any], at_once: bool
) -> None:
    found = told(sources, repeat={"every": "10m"})
    assert [text.partition(":")[0] for text in found] == ["recorded-repeat"] * at_once
    assert told(sources) == []


@pytest.mark.parametrize(
    ("events", "text", "gaps"),
    [
        ("full", "{a.room} {last(b).v}", ""),
        ("ids", "{pattern} {key.room} {a} {a.id} {count(b)} {first(b).id} {note.x} {{a.room}}", ""),
        ("ids", "{a.room} at {last(b).v:.1f}, {b[1].v}, {a.room}", "{a.room}, {last(b).v:.1f}, {b[1].v}"),
        ("none", "{pattern} {a} {count(b)} {last(b)}", "{a}, {count(b)}, {last(b)}"),
    ],
)
def test_what_a_message_shows_of_events_is_in_the_records(events: str, text: str, gaps: str) -> None:
    found = told({"s": FILE}, events=events, through=[{"type": "message", "text": text}])
    has = {"ids": "the ids of events alone (events: ids)", "none": "no events (events: none)"}
    said = (
        f"untold-events: 'message' of sink 'out' shows nothing for {gaps}: its records have {has.get(events)}"
    )
    assert found == ([said] if gaps else [])


def test_other_transforms_show_nothing_of_events() -> None:
    assert told({"s": FILE}, events="none", through=[{"type": "mask", "fields": ["room"]}]) == []
