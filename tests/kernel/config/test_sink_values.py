"""Values that are not there, or should not be, are told."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.config.loader import load_dict
from limecep.host import Host

REGISTRY = Host.load().registry


def problems(channel: str, query: str = "RETURN a.room AS room", **sink: Any) -> list[tuple[str, str]]:
    plain = "PATTERN SEQ(A a) WITHIN 1 s"
    document = {
        "version": 1,
        "sources": {"s": {"type": "file", "channel": "x.jsonl", "as": "A", "time": "t"}},
        "patterns": {"fire": {"query": f"{plain} {query}"}, "plain": {"query": plain}},
        "connectors": {"b": {"type": "mqtt", "url": "mqtt://localhost"}},
        "sinks": {"out": {"to": "b", "channel": channel, **sink}},
    }
    return [(p.code, p.message) for p in load_dict(document, REGISTRY, environment={}).problems]


@pytest.mark.parametrize(
    ("channel", "sink", "said"),
    [
        ("a/{values.room}", {}, "for pattern 'plain'"),
        ("a/{values.rom}", {"patterns": ["fire"]}, "'{values.rom}' is never filled in for pattern 'fire'"),
        ("a/{values.room}", {"of": "late"}, "only updates have values"),
        ("a/{key.k}", {"patterns": ["plain"]}, "'plain', whose PARTITION BY does not name 'k'"),
    ],
)
def test_a_value_that_is_never_there_is_told(channel: str, sink: dict[str, Any], said: str) -> None:
    ((code, message),) = problems(channel, **sink)
    assert code == "unfilled-gap"
    assert said in message


def test_a_value_that_is_there_is_not_told() -> None:
    query = "PARTITION BY k, s.id RETURN a.room AS room"
    assert problems("a/{values.room}/{key.k}/{key.s.id}/{key}", query, patterns=["fire"]) == []


def test_a_value_of_what_is_to_be_hidden_is_told() -> None:
    masks: dict[str, Any] = {"patterns": ["fire"], "through": [{"type": "mask", "fields": ["room"]}]}
    assert problems("a", **masks) == []
    ((code, message),) = problems("a", query="RETURN upper(a.room) AS place, a.other AS other", **masks)
    assert code == "unhidden-value"
    assert "returns 'place', which is computed of 'room'" in message


def test_a_value_in_a_text_that_no_pattern_returns_is_told() -> None:
    text = {"type": "message", "text": "{values.room} is {values.maen:.1f}, {{values.no}}"}
    ((code, message),) = problems("a", patterns=["fire"], through=[text])
    assert (code, "'{values.maen}'" in message) == ("unfilled-gap", True)
