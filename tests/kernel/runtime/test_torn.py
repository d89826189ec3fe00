"""Runs with state end where the writer of their input has stopped for now; the next one reads on."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from limecep import Pipeline

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.registry import Registry

CSV = b'type,id,t,note\nA,a1,1,x\nB,b2,2,"two\nlines"\nA,a3,3,"""q"""\nB,b4,4,\n'
JSON_LINES = b"".join(b'{"type": "%s", "id": "%s%d", "t": %d}\n' % (k, k.lower(), n, n)
                      for n, k in enumerate([b"A", b"B", b"A", b"B"], 1))  # fmt: skip
RECORDS = [json.loads(line) for line in JSON_LINES.splitlines()]
#: As programs write it, without an end of the last line.
DOCUMENT = json.dumps({"head": {}, "items": RECORDS}, indent=1).encode()
TEXTS = {
    "e.csv": CSV,
    "e.jsonl": JSON_LINES,
    "e.json": DOCUMENT,
    "f.json": json.dumps({"items": RECORDS}).encode(),
    "u.csv": CSV.decode().encode("utf-16"),
}
FORMATS = {
    "e.json": {"type": "json", "path": "items"},
    "f.json": {"type": "json", "path": "items"},
    "u.csv": {"type": "csv", "encoding": "utf-16"},
}


def run(folder: Path, registry: Registry, channel: str, *, seconds: float | None = None, **more: Any) -> Any:
    source = {"type": "file", "channel": channel, "as": {"field": "type"}, "id": "id",
              "time": {"field": "t", "format": "epoch_s"}, **more.pop("source", {})}  # fmt: skip
    document = {
        "version": 1,
        "name": "torn",
        "sources": {"s": source},
        "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s", "lateness": "accept"}},
        "sinks": {"out": {"type": "file", "path": "out"}},
        "state": {"dir": "state"},
        **more,
    }
    pipeline = Pipeline.from_dict(document, root=folder, registry=registry)
    try:
        pipeline.run(duration_seconds=seconds)
    finally:
        pipeline.close()
    return pipeline.report()


def told(folder: Path) -> list[list[str]]:
    records = [json.loads(line) for line in (folder / "out").read_text().splitlines()]
    assert {r["op"] for r in records} == {"emit"}
    return [[e["id"] for group in r["events"].values() for e in group] for r in records]


@pytest.mark.parametrize("name", TEXTS)
def test_wherever_the_writer_has_stopped_the_next_run_reads_on(
    tmp_path: Path, installed: Registry, name: str
) -> None:
    text = TEXTS[name]
    source = {"format": FORMATS[name]} if name in FORMATS else {}
    for cut in range(1, len(text), 4 if name == "e.csv" else 13):
        folder = tmp_path / str(cut)
        folder.mkdir()
        for data in (text[:cut], text):
            (folder / name).write_bytes(data)
            report = run(folder, installed, name, source=source)
        assert told(folder) == [["a1", "b2"], ["a3", "b4"]], text[:cut]
        assert report["events"]["invalid"] == 0
        assert report["events"]["read"] == 4


def test_what_was_not_read_is_told_at_the_end(tmp_path: Path, installed: Registry) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_bytes(JSON_LINES + b'{"type": "A"')
    with capture_logs() as logs:
        report = run(tmp_path, installed, "?.jsonl")
    assert report["sources"]["s"]["torn_lines"] == 2
    assert (
        "2 lines without end are left for the next run; a file that grows no more is read to its end if its "
        "last line gets a line end"
    ) in [entry["event"] for entry in logs]
    (tmp_path / "c.csv").write_bytes(CSV[: CSV.index(b"lines")])
    with capture_logs() as logs:
        run(tmp_path, installed, "c.csv", state={"dir": "other"})
    assert "the input ends in a record, left for the next run" in [entry["event"] for entry in logs]


def test_a_gzip_file_is_complete(tmp_path: Path, installed: Registry) -> None:
    (tmp_path / "e.jsonl.gz").write_bytes(gzip.compress(JSON_LINES.rstrip()))
    for _ in range(2):
        report = run(tmp_path, installed, "e.jsonl.gz")
        assert report["events"]["read"] == 4
        assert "torn_lines" not in report["sources"]["s"]
    # Another part of it begins with a line of its own, or is another file.
    with gzip.open(tmp_path / "e.jsonl.gz", "ab") as file:
        file.write(b'\n{"type": "A", "id": "a5", "t": 5}')
    assert run(tmp_path, installed, "e.jsonl.gz")["events"]["read"] == 5


def test_without_state_a_last_line_without_end_is_read(tmp_path: Path, installed: Registry) -> None:
    (tmp_path / "e.jsonl").write_bytes(JSON_LINES.rstrip())
    report = run(tmp_path, installed, "e.jsonl", state=None)
    assert report["events"]["read"] == 4
    assert "torn_lines" not in report["sources"]["s"]


@pytest.mark.parametrize(("state", "said"), [({"dir": "state"}, "left for the next run"), (None, "not read")])
def test_of_a_file_that_is_followed_a_line_without_end_waits(
    tmp_path: Path, installed: Registry, state: Any, said: str
) -> None:
    more = {"source": {"follow": True}, "state": state, "seconds": 0.3}
    (tmp_path / "e.jsonl").write_bytes(JSON_LINES[:-5])
    with capture_logs() as logs:
        assert run(tmp_path, installed, "e.jsonl", **more)["events"]["read"] == 3
    assert [e["event"] for e in logs if "without end" in e["event"]] == [f"1 line without end is {said}"]
    (tmp_path / "e.jsonl").write_bytes(JSON_LINES)
    assert run(tmp_path, installed, "e.jsonl", **more)["events"]["read"] == 4
