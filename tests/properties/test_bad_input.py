"""Records broken in every way, through a whole pipeline: none stops the stream, each has one counted outcome,
and what gave no event is told with its reason and its place."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from hypothesis import example, given, settings
from hypothesis import strategies as st

from limecep.host import Host
from limecep.runtime.pipeline import Pipeline

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))
REGISTRY = Host.load().registry


@pytest.fixture(autouse=True)
def _silent() -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())


#: What stands at the end of every input, and is found whatever came before.
LAST = [
    {"type": "A", "id": "last a", "t": 2_000_000_000, "v": 1, "key": "k"},
    {"type": "B", "id": "last b", "t": 2_000_000_001, "v": 2, "key": "k"},
]
QUERY = """\
PATTERN SEQ(A a, A* more[], B b)
WHERE a.v < b.v AND NOT b.v = 'x' AND more[i+1].v - a.v > abs(more[i].v) AND sum(more.v) % 2 != a.w.x
  OR a.id = 'last a' AND b.id = 'last b'
WITHIN 10 seconds
"""


def run(channel: str, data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What a pipeline reports that reads this, and its late output."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / channel).write_bytes(data)
        source = {
            "type": "file",
            "channel": channel,
            "as": {"field": "type"},
            "id": "id",
            "time": {"field": "t", "format": "epoch_s"},
            "key": "key",
        }
        document = {
            "version": 1,
            "sources": {"in": source},
            "patterns": {"p": {"query": QUERY, "lateness": "accept"}},
            "sinks": {
                "out": {"type": "file", "path": "out"},
                "late": {"type": "file", "path": "late", "of": "late"},
            },
        }
        pipeline = Pipeline.from_dict(document, root=root, registry=REGISTRY)
        pipeline.run()
        pipeline.close()
        for line in (root / "out").read_bytes().splitlines():
            assert json.loads(line)["op"]
        return pipeline.report(), [json.loads(line) for line in (root / "late").read_bytes().splitlines()]


def accounted(report: dict[str, Any], late: list[dict[str, Any]], data: bytes, channel: str) -> int:
    """How many records were read, all of them accounted for."""
    events = dict(report["events"])
    read: int = events.pop("read")
    assert read == sum(events.values())
    assert len(late) == events["invalid"]
    lines = data.split(b"\n")
    for record in late:
        assert record["reason"] == "invalid"
        assert record["error"]
        assert record["source"] == "in"
        name, _, number = record["position"].rpartition(":")
        assert name == channel
        text = lines[int(number) - 1].decode("utf-8", errors="replace")
        assert text.startswith(record["raw"].removesuffix("..."))
    return read


# Strategies

_ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["A", "B", "nan", "-0", "1e400", 10**30, "2026-01-05", 1_999_999_999.25, 5, "5"])
)
_VALUES = st.recursive(
    _ATOMS,
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=3), v, max_size=3),
    max_leaves=5,
)
_FIELDS = st.sampled_from(["type", "id", "t", "v", "w", "key", "w.x", "odd"])
_SOUND = st.builds(
    lambda type, id, t, v: {"type": type, "id": str(id), "t": t, "v": v, "w": {"x": 0}, "key": "k"},
    st.sampled_from("AB"),
    st.integers(0, 10**9),
    st.integers(1_999_999_980, 1_999_999_999),
    st.integers(-3, 3),
)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """A sound record, or one of which some fields are anything, or missing."""
    record = dict(draw(_SOUND))
    for field in draw(st.lists(_FIELDS, max_size=3)):
        if draw(st.booleans()):
            record[field] = draw(_VALUES)
        else:
            record.pop(field, None)
    return record


_BYTES = st.sampled_from(
    [
        *(bytes([b]) for b in b"\x00\xff\xc3\"\\\r{}[], \t';"),
        b"\xef\xbb\xbf",
        b"\\ud800",
        b"1e999",
        b"[" * 2000,
        b"9" * 5000,
    ]
)


@st.composite
def damaged(draw: st.DrawFn, line: bytes) -> bytes:
    """A line cut, or with bytes put in; at times not at all."""
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(line)))
        line = (
            line[:start] + draw(_BYTES | st.just(b"")) + line[start + draw(st.sampled_from([0, 1, 5, 500])) :]
        )
    return line


def _json(record: object) -> bytes:
    return json.dumps(record).encode()


JSON_LINES = st.lists(
    records().map(_json).flatmap(damaged)
    | st.lists(records(), max_size=3).map(_json)
    | _VALUES.map(_json)
    | st.binary(max_size=20).map(lambda b: b.replace(b"\n", b"")),
    max_size=12,
)  # fmt: skip


def _records_in(line: bytes) -> int:
    """How many records a line of JSON holds, be they readable or not."""
    text = line.removeprefix(b"\xef\xbb\xbf")
    if not text.strip():
        return 0
    try:
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        try:
            # What is not JSON and read all the same: NaN and Infinity.
            value = json.loads(text)
        except (ValueError, RecursionError):
            return 1
    return len(value) if isinstance(value, list) else 1


@settings(max_examples=EXAMPLES // 4, deadline=None)
@given(JSON_LINES)
@example([b"[" * 100_000])
@example([b'{"type":"A","id":"1","t":' + b"9" * 5000 + b"}"])
@example([b'{"type":"A","id":"1","t":1999999990,"v":"\\ud800"}', b"\xff" * 10])
@example([b"x" * 2_000_000])
@example([b'[{"type":"A","id":"1","t":1},{"type":"A","id":"2","t":Infinity}]'])
def test_json_broken_in_every_way(lines: list[bytes]) -> None:
    data = b"\n".join([*lines, *map(_json, LAST)])
    report, late = run("in.jsonl", data)
    assert accounted(report, late, data, "in.jsonl") == sum(map(_records_in, data.split(b"\n")))
    assert report["patterns"]["p"]["live"] >= 1


def _csv(record: dict[str, Any]) -> bytes:
    cells = [str(record.get(name, "")) for name in ("type", "id", "t", "v", "key")]
    return ",".join(cells).replace("\n", " ").encode("utf-8", errors="replace")


CSV_LINES = st.lists(
    records().map(_csv).flatmap(damaged) | st.binary(max_size=20).map(lambda b: b.replace(b"\n", b"")),
    max_size=12,
)


@settings(max_examples=EXAMPLES // 4, deadline=None)
@given(CSV_LINES)
@example([b'A,1,1999999990,"never closed,k', b"A,2,1999999991,2,k"])
@example([b'"' * 70_001])
def test_csv_broken_in_every_way(lines: list[bytes]) -> None:
    data = b"\n".join([b"type,id,t,v,key", *lines, *map(_csv, LAST)])
    report, late = run("in.csv", data)
    read = accounted(report, late, data, "in.csv")
    if b'"' not in data:
        # A blank line is no record.
        assert read == sum(bool(line.decode("utf-8", "replace").strip()) for line in data.split(b"\n")) - 1
    assert report["patterns"]["p"]["live"] >= 1


@settings(max_examples=EXAMPLES // 6, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["in.jsonl", "in.csv"]))
def test_any_bytes_at_all(data: bytes, channel: str) -> None:
    report, late = run(channel, data)
    accounted(report, late, data, channel)
