"""Records are written as JSON lines, whole ones only."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest
import structlog

from limecep import Pipeline
from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import ConfigurationError, RunFailure
from limecep_file.config import FileSinkOptions
from limecep_file.sinks import NoneSink, file_sink

if TYPE_CHECKING:
    from pathlib import Path


def context(root: Path) -> Context:
    return Context(
        label="sinks.out", clock=ManualClock(), counters=Counter(), logger=structlog.get_logger(), root=root
    )


def test_lines_are_appended_and_folders_made(tmp_path: Path) -> None:
    for n in (1, 2):
        sink = file_sink("x/y/out.jsonl", None, FileSinkOptions(), context(tmp_path))
        sink.open()
        sink.send([{"n": n, "bad": float("nan")}])
        sink.flush()
        sink.close()
        sink.close()
    text = (tmp_path / "x/y/out.jsonl").read_text()
    assert text == '{"n":1,"bad":null}\n{"n":2,"bad":null}\n'


@pytest.mark.parametrize("moved", [True, False])
def test_a_file_that_was_moved_away_or_deleted_is_begun_anew(moved: bool, tmp_path: Path) -> None:
    sink, file = file_sink("out.jsonl", None, FileSinkOptions(), context(tmp_path)), tmp_path / "out.jsonl"
    sink.open()
    sink.send([{"n": 1}])
    if moved:
        file.rename(tmp_path / "out.jsonl.1")
    else:
        file.unlink()
    sink.send([{"n": 2}])
    sink.close()
    assert file.read_text() == '{"n":2}\n'
    if moved:
        assert (tmp_path / "out.jsonl.1").read_text() == '{"n":1}\n'


def test_records_may_be_wrapped(tmp_path: Path) -> None:
    pipeline = Pipeline.from_dict(
        {
            "version": 1,
            "name": "kitchen",
            "sources": {"s": {"type": "file", "channel": "in.jsonl", "as": {"field": "type"}, "id": "id",
                              "time": {"field": "t", "format": "epoch_s"}}},
            "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s"}},
            "sinks": {
                "out": {"type": "file", "path": "out.jsonl", "envelope": "cloudevents", "events": "ids"},
                "late": {"type": "file", "path": "late.jsonl", "of": "late", "envelope": "cloudevents"},
            },
        },
        root=tmp_path,
    )  # fmt: skip
    lines = ['{"type": "A", "id": "1", "t": 1}', "{no JSON", '{"type": "B", "id": "2", "t": 2}']
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    pipeline.run()
    pipeline.close()
    [event] = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert (event["specversion"], event["type"]) == ("1.0", "limecep.match.emit")
    assert (event["source"], event["subject"]) == ("/limecep/kitchen", "p")
    assert event["data"]["events"] == {"a": ["1"], "b": ["2"]}
    [late] = [json.loads(line) for line in (tmp_path / "late.jsonl").read_text().splitlines()]
    assert (late["type"], late["data"]["position"]) == ("limecep.late.invalid", "in.jsonl:2")


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        (b"", b""),
        (b"\n", b"\n"),
        (b"a\n", b"a\n"),
        (b"a\ntorn", b"a\n"),
        (b"torn", b""),
        (b"a\n" + b"t" * 200_000, b"a\n"),
    ],
)
def test_a_torn_last_line_is_cut(tmp_path: Path, before: bytes, kept: bytes) -> None:
    path = tmp_path / "out"
    path.write_bytes(before)
    ctx = context(tmp_path)
    sink = file_sink("", None, FileSinkOptions(path="out"), ctx)
    sink.open()
    sink.send([{}])
    sink.close()
    assert path.read_bytes() == kept + b"{}\n"
    assert ctx.counters["torn_lines"] == (before != kept)


def test_a_file_that_cannot_be_written_ends_the_run_in_words(tmp_path: Path) -> None:
    sink = file_sink(str(tmp_path), None, FileSinkOptions(), context(tmp_path))
    with pytest.raises(RunFailure, match="cannot write"):
        sink.open()
    sink.close()
    full = file_sink("/dev/full", None, FileSinkOptions(), context(tmp_path))
    full.open()
    full.send([{}])
    with pytest.raises(RunFailure, match="No space left"):
        full.flush()
    with pytest.raises(RunFailure, match="No space left"):
        full.close()
    full.close()


def test_a_sink_without_a_file_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"sinks\.out does not say which file"):
        file_sink("", None, FileSinkOptions(), context(tmp_path))


def test_nothing_is_sent_to_a_sink_that_counts(tmp_path: Path) -> None:
    sink = NoneSink("", None, None, context(tmp_path))
    assert sink.counts_only
    sink.open()
    sink.send([])
    sink.close()


def test_what_is_no_file_is_not_synced(tmp_path: Path) -> None:
    sink = file_sink("/dev/null", None, FileSinkOptions(), context(tmp_path))
    sink.open()
    sink.send([{}])
    sink.flush()
    sink.close()
