"""Who hosts the kernel finds what that needs in one place, under names that stay."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import structlog

from limecep import Pipeline
from limecep.clock import ManualClock
from limecep.embedding.pipelines import Assembly, Host, Renderer, load_dict
from limecep.encoding import to_json

if TYPE_CHECKING:
    from limecep.model.update import Update

REGISTRY = Host.load().registry
SOURCE = {"type": "file", "channel": "came.jsonl", "as": {"field": "type"}, "id": "id", "time": "t"}
QUERY = "PATTERN SEQ(A a, B+ b[]) WITHIN 5 seconds PARTITION BY k"
CAME = """\
{"type":"A","id":1,"t":"2026-01-01T00:00:00Z","k":1}
{"type":"B","id":2,"t":"2026-01-01T00:00:03Z","k":1}
{"type":"B","id":3,"t":"2026-01-01T00:00:02Z","k":1}
"""


@pytest.mark.parametrize("module", ["pipelines", "documents", "commands"])
def test_what_is_promised_is_there_and_nothing_else(module: str) -> None:
    embedding = import_module(f"limecep.embedding.{module}")
    # What has an @ in front is pytest's, which rewrites assertions in whatever is installed beside them.
    there = {name for name in vars(embedding) if not name.startswith(("__", "@"))} - {"annotations"}
    assert there == set(embedding.__all__)
    assert len(embedding.__all__) == len(there)


def test_a_pipeline_made_ready_elsewhere_finds_what_it_finds_in_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("came.jsonl").write_text(CAME)
    document = {
        "version": 1,
        "sources": {"s": SOURCE},
        "patterns": {"rise": {"query": QUERY, "lateness": "accept"}},
        "sinks": {"out": {"type": "file", "channel": "out.jsonl"}},
    }
    config = load_dict(document, REGISTRY).checked()
    updates: list[Update] = []
    assembly = Assembly(config, REGISTRY, ManualClock(), structlog.get_logger())
    detection = assembly.detection(updates.append)
    for feed in assembly.feeds():
        for fed, _ in feed.whole():
            detection.feed(fed.events)
    detection.finish()

    pipeline = Pipeline.from_dict(document, registry=REGISTRY)
    pipeline.run()
    pipeline.close()
    written = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [record["op"] for record in written] == ["emit", "correct"]
    render = Renderer().render
    assert [json.loads(to_json(render(update))) for update in updates] == written
