"""What a pipeline read, as one pattern saw it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep.embedding.pipelines import Host, load_dict
from limecep.errors import ConfigurationError
from limecep_why_not.memory import Memory, remembered

if TYPE_CHECKING:
    from pathlib import Path


def read(folder: Path, rows: list[dict[str, Any]], source: Any = None, **pattern: Any) -> Memory:
    (folder / "log.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    document = {
        "version": 1,
        "sources": {
            "log": {
                "type": "file",
                "channel": str(folder / "log.jsonl"),
                "as": {"field": "type"},
                "time": {"field": "t", "format": "epoch_s"},
                "id": "id",
                **(source or {}),
            }
        },
        "patterns": {"p": {"query": "PATTERN SEQ(A a, !X x, B b) WITHIN 10 seconds", **pattern}},
        "sinks": {"o": {"type": "none"}},
    }
    loaded = load_dict(document, Host.load().registry)
    config = loaded.checked()
    return remembered(config, loaded.registry, config.patterns[0], structlog.get_logger())


def row(text: str, **more: Any) -> dict[str, Any]:
    return {"type": text[0].upper(), "id": text, "t": int(text[1:]), **more}


def test_events_count_once_by_time(tmp_path: Path) -> None:
    memory = read(tmp_path, [row("a5"), row("b3"), row("a5"), row("z9")])
    assert [e.id for e in memory.events] == ["b3", "a5"]
    assert memory.refused == []


def test_what_is_too_late_is_refused_with_its_score(tmp_path: Path) -> None:
    lateness = {"type": "bound", "within": "10s"}
    memory = read(tmp_path, [row("a50"), row("b30")], lateness=lateness)
    assert [e.id for e in memory.events] == ["a50"]
    [refused] = memory.refused
    assert (refused.event.id, refused.score, refused.threshold) == ("b30", 20.0, 10.0)


def test_what_was_told_of_each_match_is_kept(tmp_path: Path) -> None:
    memory = read(tmp_path, [row("a1"), row("b3"), row("a21"), row("b22"), row("x2")])
    assert sorted((t.op, t.cause, t.event) for t in memory.told.values()) == [
        ("emit", "in_order", "b22"),
        ("retract", "negation", "x2"),
    ]


def test_of_what_is_revised_the_last_statement_counts(tmp_path: Path) -> None:
    revise = {"revise": {"version": "n", "withdrawn": {"field": "gone", "is": [True]}}}
    rows = [row("a1", n=1, v=1), row("a1", n=2, v=2), row("b2", n=1), row("b2", n=2, gone=True)]
    memory = read(tmp_path, rows, revise)
    assert [(e.id, e.payload["v"]) for e in memory.events] == [("a1", 2)]


def test_a_pattern_on_others_is_sent_below(tmp_path: Path) -> None:
    document = {
        "version": 1,
        "sources": {"s": {"type": "file", "channel": str(tmp_path / "x.jsonl"), "as": "A", "time": "t"}},
        "patterns": {
            "low": {"query": "PATTERN SEQ(A a) WITHIN 1 second", "derive": {"as": "L"}},
            "high": {"query": "PATTERN SEQ(L l) WITHIN 1 second"},
        },
        "sinks": {"o": {"type": "none"}},
    }
    (tmp_path / "x.jsonl").write_text("")
    loaded = load_dict(document, Host.load().registry)
    config = loaded.checked()
    high = next(p for p in config.patterns if p.name == "high")
    with pytest.raises(ConfigurationError, match="which pattern 'low' derives: ask about 'low'"):
        remembered(config, loaded.registry, high, structlog.get_logger())
