"""Finite sources as one stream, in the order in which a run takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import structlog

from limecep.clock import ManualClock, Stopwatch
from limecep.embedding.pipelines import Assembly, Host, load_dict
from limecep.embedding.recordings import recorded
from limecep.errors import RunFailure

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.embedding.recordings import Came

REGISTRY = Host.load().registry
LINES = {
    "one": ["1 2026-01-01T00:00:01Z", "4 2026-01-01T00:00:04Z"],
    "two": ["2 2026-01-01T00:00:02Z", "3 2026-01-01T00:00:03Z", "no"],
}


def came(folder: Path, **more: object) -> list[Came]:
    sources = {}
    source = {"type": "file", "as": "A", "id": "id", "time": "t"}
    for name, lines in LINES.items():
        records = [line.split() for line in lines]
        text = [f'{{"id": "{r[0]}", "t": "{r[1]}"}}' if len(r) == 2 else r[0] for r in records]
        (folder / f"{name}.jsonl").write_text("\n".join(text))
        sources[name] = {**source, "channel": f"{name}.jsonl", **more}
    document = {
        "version": 1,
        "name": "p",
        "sources": sources,
        "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}},
        "sinks": {"none": {"type": "none"}},
    }
    config = load_dict(document, REGISTRY, root=folder).checked()
    return list(recorded(Assembly(config, REGISTRY, ManualClock(), structlog.get_logger()).feeds()))


def test_they_are_merged_by_arrival(tmp_path: Path) -> None:
    assert [e.id for c in came(tmp_path) for e in c.fed.events] == ["1", "2", "3", "4"]


def test_records_that_give_no_event_and_the_end_of_each_source_are_told(tmp_path: Path) -> None:
    found = came(tmp_path)
    assert [i.source for c in found for i in c.fed.invalid] == ["two"]
    assert sorted(name for c in found for name in c.ended) == ["one", "two"]


def test_a_pace_is_not_kept(tmp_path: Path) -> None:
    watch = Stopwatch()
    came(tmp_path, speed=1)
    assert watch.seconds < 2.5


def test_a_file_that_is_not_there_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LINES, "one", [])
    with pytest.raises(RunFailure, match=r"gone\.jsonl"):
        came(tmp_path, channel="gone.jsonl")
