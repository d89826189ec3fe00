"""The runner of this process, by the command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

PIPELINE = """\
version: 1
runner: local
sources:
  all: {type: file, channel: events.jsonl, as: {field: type}, id: id, time: {field: t, format: epoch_s}}
patterns:
  p: {query: "PATTERN SEQ(A a, B b) WITHIN 10 seconds"}
sinks:
  out: {type: file, path: out.jsonl}
"""


def test_a_pipeline_runs_where_it_is_started(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(PIPELINE)
    (tmp_path / "events.jsonl").write_text('{"type":"A","id":"1","t":1}\n{"type":"B","id":"2","t":2}\n')
    assert cli.main(["run", str(tmp_path / "p.yaml"), "--quiet"]) == Exit.FINE
    (record,) = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert record["op"] == "emit"
