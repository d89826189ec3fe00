"""Sources that Spark reads: tables and streams of messages, by the suite that every source passes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

pytest.importorskip("pyspark", reason="sources of type spark need: pip install 'limecep[spark]'")

import pyarrow as pa
import pyarrow.parquet as pq

from limecep import Pipeline
from limecep.errors import RunFailure
from limecep.testing.transport import SourceConformance
from limecep_spark.config import SparkSettings, SparkSourceOptions
from limecep_spark.source import SparkSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.contracts.context import Context
    from limecep.testing.transport import Outgoing

pytestmark = pytest.mark.spark

MESSAGES = pa.schema(
    [
        ("value", pa.binary()),
        ("key", pa.binary()),
        ("headers", pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))),
    ]
)
SCHEMA = "value BINARY, key BINARY, headers ARRAY<STRUCT<key: STRING, value: BINARY>>"


class Folders(SourceConformance):
    """Folders of Parquet files, with a message in each row."""

    keys = True
    headers = True

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, spark: Any) -> None:
        self._root = tmp_path

    def make_channel(self) -> str:
        name = uuid4().hex
        (self._root / name).mkdir()
        return name

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        rows = [
            {"value": m.value, "key": m.key, "headers": [{"key": k, "value": v} for k, v in m.headers]}
            for m in messages
        ]
        name = uuid4().hex
        # What is not whole yet begins with a dot, so that Spark passes over it.
        pq.write_table(pa.Table.from_pylist(rows, MESSAGES), self._root / channel / f".{name}")
        (self._root / channel / f".{name}").rename(self._root / channel / f"{name}.parquet")

    def settings(self, channel: str) -> SparkSettings:
        raise NotImplementedError

    def make_source(self, channel: str, context: Context) -> SparkSource:
        context.root = self._root
        return SparkSource(channel, self.settings(channel), SparkSourceOptions(format="parquet"), context)


class TestStream(Folders):
    """A stream of files."""

    def settings(self, channel: str) -> SparkSettings:
        return SparkSettings(message="value", schema=SCHEMA, stream=True, checkpoint=f"checkpoints/{channel}")


class TestTable(Folders):
    """A table."""

    live = False
    log = True

    def settings(self, channel: str) -> SparkSettings:
        return SparkSettings(message="value")

    def make_unreachable(self, context: Context) -> SparkSource:
        return self.make_source("nothing", context)


EVENTS = [
    {"type": "A", "id": "1", "t": "2026-01-05T10:00:00.000001Z", "k": "x", "v": 1.5},
    {"type": "B", "id": "2", "t": "2026-01-05T10:00:03Z", "k": "x", "v": 2.0},
    {"type": "C", "id": "3", "t": "2026-01-05T10:00:02Z", "k": "y", "v": None},
    {"type": "A", "id": "4", "t": "2026-01-05T10:00:05Z", "k": "x", "v": 3.0},
    {"type": "B", "id": "5", "t": "2026-01-05T10:00:06Z", "k": "x", "v": 2.5},
    {"type": "B", "id": "6", "t": "2026-01-05T10:00:07Z", "k": "x", "v": 4.0},
]
SCHEMA_OF_EVENTS = "type STRING, id STRING, t TIMESTAMP, k STRING, v DOUBLE"


def pipeline(folder: Path, **source: Any) -> Pipeline:
    """A pipeline whose only source has these keys besides how its records are understood."""
    read = {"as": {"field": "type"}, "id": "id", "time": "t"}
    return Pipeline.from_dict(
        {
            "version": 1,
            "sources": {"events": {**read, **source}},
            "patterns": {
                "rise": {
                    "query": "PATTERN SEQ(A a, B b) WHERE b.v > a.v WITHIN 5 seconds PARTITION BY k",
                    "lateness": "accept",
                }
            },
            "sinks": {
                "out": {"type": "file", "path": "out.jsonl"},
                "late": {"type": "file", "path": "late.jsonl", "of": "late"},
            },
        }
        | ({"state": {"dir": "state"}} if source.get("stream") else {}),
        root=folder,
    )


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def found(folder: Path) -> list[tuple[str, list[str]]]:
    """What a pipeline has said, by the last events of its matches."""
    return [(r["op"], [e["id"] for e in r["events"]["b"]]) for r in lines(folder / "out.jsonl")]


@pytest.mark.parametrize(
    ("format", "more"),
    [
        ("parquet", {}),
        ("json", {"schema": SCHEMA_OF_EVENTS}),
        ("csv", {"schema": SCHEMA_OF_EVENTS, "options": {"header": True}}),
    ],
)
def test_a_table_is_what_a_file_of_the_same_records_is(
    format: str, more: dict[str, Any], spark: Any, tmp_path: Path
) -> None:
    table = spark.createDataFrame(EVENTS, SCHEMA_OF_EVENTS.replace("TIMESTAMP", "STRING"))
    table = table.selectExpr("type", "id", "CAST(t AS TIMESTAMP) t", "k", "v").repartition(3)
    (tmp_path / "a {folder}").mkdir()
    table.write.option("header", True).format(format).save(f"{tmp_path}/a {{folder}}/events")
    here, there = tmp_path / "a {folder}", tmp_path / "file"
    there.mkdir()
    ordered = {"select": "SELECT * FROM input ORDER BY t", "type": "spark", "format": format, **more}
    made = pipeline(here, channel="events", **ordered)
    made.run()
    made.close()
    (there / "events.jsonl").write_text(
        "\n".join(json.dumps(e) for e in sorted(EVENTS, key=lambda e: e["t"]))
    )
    one = pipeline(there, channel="events.jsonl", type="file")
    one.run()
    one.close()
    assert made.report()["events"] == one.report()["events"]
    assert [r["content"] for r in lines(here / "out.jsonl")] == [
        r["content"] for r in lines(there / "out.jsonl")
    ]
    assert found(here) == [("emit", ["2"]), ("emit", ["6"])]


def test_an_archive_of_a_topic_has_any_order(spark: Any, tmp_path: Path) -> None:
    rows = [(json.dumps(e), "t", 0, 9 - n) for n, e in enumerate(EVENTS)]
    table = spark.createDataFrame(rows, "value STRING, topic STRING, partition INT, offset LONG")
    table.coalesce(1).write.parquet(f"{tmp_path}/in")
    ordered = "SELECT *\nFROM input ORDER BY offset DESC"
    made = pipeline(tmp_path, type="spark", format="parquet", channel="in", message="value", select=ordered)
    made.run()
    made.close()
    assert made.report()["events"]["read"] == len(EVENTS)
    assert found(tmp_path) == [("emit", ["2"]), ("emit", ["6"])]


def test_a_stream_goes_on_where_it_was_and_says_nothing_twice(spark: Any, tmp_path: Path) -> None:
    def add(name: str, events: list[dict[str, Any]]) -> None:
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / f"in/.{name}").write_text("\n".join(map(json.dumps, events)))
        (tmp_path / f"in/.{name}").rename(tmp_path / f"in/{name}.json")

    def run(count: int) -> None:
        made = pipeline(
            tmp_path,
            type="spark",
            format="json",
            channel="in",
            schema=SCHEMA_OF_EVENTS,
            stream=True,
            checkpoint="cp",
        )
        try:
            made.run(lambda: made.report()["events"]["read"] >= count, 60)
        finally:
            made.close()
        assert made.report()["events"]["read"] == count

    add("1", [*EVENTS[:2], {**EVENTS[0], "id": None}])
    run(3)
    assert found(tmp_path) == [("emit", ["2"])]
    add("2", EVENTS[3:])
    run(6)
    assert found(tmp_path) == [("emit", ["2"]), ("emit", ["6"])]
    (late,) = lines(tmp_path / "late.jsonl")
    assert (late["error"], late["position"]) == ("no id: 'id' is missing", "in:3")
    # State and checkpoint belong together.
    (tmp_path / "cp").rename(tmp_path / "gone")
    with pytest.raises(RunFailure, match="no checkpoint of Spark's does: use the 'checkpoint' of that run"):
        run(6)


def test_a_rate_never_ends(spark: Any, tmp_path: Path) -> None:
    made = Pipeline.from_dict(
        {
            "version": 1,
            "sources": {
                "ticks": {
                    "type": "spark",
                    "format": "rate",
                    "channel": "ticks",
                    "options": {"rowsPerSecond": 50},
                    "select": "value, value AS n, timestamp",
                    "stream": True,
                    "as": "Tick",
                    "id": "value",
                    "time": "timestamp",
                }
            },
            "patterns": {"two": {"query": "PATTERN SEQ(Tick a, Tick b) WHERE b.n = a.n + 1 WITHIN 1 second"}},
            "sinks": {"out": {"type": "none"}},
        },
        root=tmp_path,
    )
    made.run(lambda: made.report()["patterns"]["two"]["emitted"] > 20, 60)
    made.close()
    assert made.report()["patterns"]["two"]["emitted"] > 20


@pytest.mark.parametrize(
    ("said", "source"),
    [
        (
            "source 'events': there is no 'when', which 'time' names; there are: type, id, t, k, v",
            {"time": "when"},
        ),
        ("source 'events': Path does not exist: .*nothing", {"channel": "nothing"}),
        ("source 'events': .*nonsense.*is it spelled right", {"format": "nonsense"}),
        (
            "source 'events': Schema must be specified.*schema: id STRING",
            {"stream": True, "checkpoint": "cp"},
        ),
        (
            "source 'events': .*no_such_table.*to read files, name their 'format'",
            {"format": "", "channel": "no_such_table"},
        ),
        ("source 'events': .*look at 'select' and 'schema'", {"select": "SELECT w FROM input ORDER BY 1"}),
        ("source 'events': .*look at 'select' and 'schema'", {"schema": "id STRING TWICE"}),
        ("'message' must name a column of text or bytes, not 'w': there is none", {"message": "w"}),
    ],
)
def test_what_spark_cannot_read_is_told_with_what_to_do(
    said: str, source: dict[str, Any], spark: Any, tmp_path: Path
) -> None:
    spark.createDataFrame(EVENTS, SCHEMA_OF_EVENTS.replace("TIMESTAMP", "STRING")).write.parquet(
        f"{tmp_path}/in"
    )
    made = pipeline(tmp_path, **{"type": "spark", "format": "parquet", "channel": "in", **source})
    with pytest.raises(RunFailure, match=said) as failure:
        made.run()
    made.close()
    assert "\n" not in str(failure.value)


def test_what_goes_wrong_while_it_is_read_is_told(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/bad.parquet").write_bytes(b"PAR1 no parquet at all PAR1")
    for more in ({}, {"stream": True}):
        made = pipeline(
            tmp_path, type="spark", format="parquet", channel="in", schema=SCHEMA_OF_EVENTS, **more
        )
        with pytest.raises(RunFailure, match=r"source 'events': .*bad\.parquet") as failure:
            made.run()
        made.close()
        assert "\n" not in str(failure.value)
