"""Fields that transforms name and records have not are told."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.config.loader import load_dict
from limecep.host import Host

REGISTRY = Host.load().registry


def problems(*through: dict[str, Any], **sink: Any) -> list[str]:
    query = "PATTERN SEQ(A a, !A x, A+ b[]) WITHIN 1 s PARTITION BY x RETURN a.v AS v"
    document = {
        "version": 1,
        "sources": {"s": {"type": "file", "channel": "x.jsonl", "as": "A", "time": "t"}},
        "patterns": {"fire": {"query": query}},
        "sinks": {"out": {"type": "stdout", "through": list(through), **sink}},
    }
    found = load_dict(document, REGISTRY, environment={}).problems
    return [p.message.partition(" names ")[2].partition(",")[0] for p in found if p.code == "unknown-field"]


ADD = {"type": "add", "fields": {"site": "athens"}}
MESSAGE = {"type": "message", "text": "{op}", "field": "said"}


@pytest.mark.parametrize(
    ("through", "sink", "told"),
    [
        ([{"type": "keep", "fields": ["key", "valus", "values.v"]}], {}, ["'valus'", "'values.v'"]),
        ([{"type": "keep", "fields": ["site", "key.x"]}], {}, ["'site'", "'key.x'"]),
        ([{"type": "message", "text": "{key.x} {key.y} {key}"}], {}, ["'key.y'"]),
        ([{"type": "keep", "fields": ["key"]}], {"of": "late"}, ["'key'"]),
        (
            [{"type": "message", "text": "{patern} {x.v} {count(c)} {first(d).v} {last(op).v}"}],
            {},
            ["'patern'", "'x'", "'c'", "'d'", "'op'"],
        ),
    ],
)
def test_a_field_that_no_record_has_is_told(
    through: list[dict[str, Any]], sink: dict[str, Any], told: list[str]
) -> None:
    assert problems(*through, **sink) == told


@pytest.mark.parametrize(
    ("through", "sink"),
    [
        ([{"type": "keep", "fields": ["key", "values", "events", "delay", "repeat"]}], {}),
        ([ADD, MESSAGE, {"type": "mask", "fields": ["v"]}, {"type": "keep", "fields": ["site", "said"]}], {}),
        ([{"type": "keep", "fields": ["reason", "event", "raw"]}], {"of": "late"}),
        ([{"type": "message", "text": "{{no}} {a.v} {count(b)} {b[2].v:.1f} {key.x}"}], {}),
    ],
)
def test_a_field_that_is_there_is_not_told(through: list[dict[str, Any]], sink: dict[str, Any]) -> None:
    assert problems(*through, **sink) == []
