"""Detection as a function of DataFrames: what is live in the end is what one process finds."""

from __future__ import annotations

import json
import random
import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.errors import ConfigurationError, RunFailure
from limecep_expand.folding import live
from limecep_spark_runner import detect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

pytestmark = pytest.mark.spark

README = Path(__file__).parents[3] / "plugins/limecep_spark_runner/README.md"
EXAMPLE = Path(__file__).parents[3] / "examples/spark"

SOURCE = {"as": {"field": "type"}, "id": "id", "time": "t"}
PIPELINE: dict[str, Any] = {
    "version": 1,
    "name": "detected",
    "sources": {"readings": {"type": "spark", "channel": "readings", **SOURCE}},
    "patterns": {
        "rise": {
            "query": "PATTERN SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v WITHIN 30 seconds PARTITION BY k",
            "lateness": "accept",
        },
        "trailing": {
            "query": "PATTERN SEQ(C a, NOT B b) WITHIN 7 seconds PARTITION BY k",
            "lateness": "accept",
        },
        "every": {"query": "PATTERN SEQ(A a, D d) WITHIN 3 seconds", "engine": "nfa", "lateness": "accept"},
    },
}
COLUMNS = "type string, id string, t string, k string, v int"


@pytest.fixture
def session(spark: Any) -> Iterator[Any]:
    session = spark.newSession()
    session.conf.set("spark.sql.shuffle.partitions", "2")
    session.conf.set("spark.sql.session.timeZone", "Europe/Athens")
    return session


def drawn(seed: int, count: int) -> list[dict[str, Any]]:
    """Random events in no order of time, with copies, without keys, and without ids."""
    chosen = random.Random(seed)
    events = [
        {
            "type": chosen.choice("ABCD"),
            "id": str(n),
            "t": f"2026-01-05T10:{n // 180:02}:{n // 3 % 60:02}.{chosen.randrange(10**6):06}Z",
            "k": chosen.choice(["x", "y", "z", None]),
            "v": chosen.randrange(5),
        }
        for n in range(count)
    ]
    events += [{**e, "id": None} for e in events[:3]]
    events += chosen.sample(events, count // 20)
    chosen.shuffle(events)
    return events


def net(records: Iterable[str]) -> dict[str, list[str]]:
    """What is live at the end, by pattern: the contents of the matches."""
    found = live([r.encode() for r in records], "log")
    return {name: sorted(m.record["content"] for m in matches) for name, matches in found.items() if matches}


def found_locally(events: list[dict[str, Any]], folder: Path) -> tuple[dict[str, list[str]], list[Any]]:
    """What one process finds in a file of these events, and the errors of what gave none."""
    (folder / "events.jsonl").write_text("\n".join(map(json.dumps, events)))
    source = {"type": "file", "channel": "events.jsonl", **SOURCE}
    sinks = {
        "out": {"type": "file", "path": "out.jsonl"},
        "late": {"type": "file", "path": "late.jsonl", "of": "late"},
    }
    pipeline = Pipeline.from_dict({**PIPELINE, "sources": {"readings": source}, "sinks": sinks}, root=folder)
    pipeline.run()
    pipeline.close()
    late = [json.loads(line) for line in (folder / "late.jsonl").read_text().splitlines()]
    return net((folder / "out.jsonl").read_text().splitlines()), sorted(r["error"] for r in late)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_table_gives_what_one_process_finds(seed: int, session: Any, tmp_path: Path) -> None:
    events = drawn(seed, 500)
    table = session.createDataFrame(events, COLUMNS).withColumn("t", _instant())
    updates = detect(table.repartition(3), PIPELINE)
    rows = updates.collect()
    right, errors = found_locally(events, tmp_path)
    assert set(right) == {"rise", "trailing", "every"}
    assert net(r["record"] for r in rows if r["op"] != "late") == right
    assert sorted(r["late"]["error"] for r in rows if r["op"] == "late") == errors != []
    # Columns say what the record says, with times that are times.
    row = next(r for r in rows if r["pattern"] == "rise")
    record = json.loads(row["record"])
    assert row["key"] == record["key"]
    assert [e["id"] for e in row["events"]["b"]] == [e["id"] for e in record["events"]["b"]]
    assert json.loads(row["events"]["a"][0]["payload"]) == record["events"]["a"][0]["payload"]
    assert (row["match"], row["revision"], row["content"]) == (
        record["match"],
        record["revision"],
        record["content"],
    )
    assert row["start"].microsecond == row["events"]["a"][0]["time"].microsecond
    assert row["start"].timestamp() == pytest.approx(_epoch(record["start"]), abs=1e-6)


def test_a_stream_gives_a_stream(session: Any, tmp_path: Path) -> None:
    events = drawn(3, 300)
    # Later ones of no pattern let time pass for all that waits: it is known once a micro-batch is over.
    ends = [{"type": "Z", "id": f"z{n}", "t": f"2026-01-06T10:00:0{n}Z", "k": "x", "v": 0} for n in range(2)]
    for n, some in enumerate([events[0::3], events[1::3], events[2::3], ends[:1], ends[1:]]):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / f"in/{n}.json").write_text("\n".join(map(json.dumps, some)))
    stream = session.readStream.schema(COLUMNS).option("maxFilesPerTrigger", 1).json(f"{tmp_path}/in")
    updates = detect(stream, PIPELINE, source="readings")
    assert updates.isStreaming
    query = (
        updates.writeStream.format("parquet")
        .option("checkpointLocation", f"{tmp_path}/checkpoint")
        .option("path", f"{tmp_path}/updates")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    assert not any(o.numRowsDroppedByWatermark for p in query.recentProgress for o in p.stateOperators)
    # A table has no order, but revisions have.
    rows = session.read.parquet(f"{tmp_path}/updates").orderBy("match", "revision").collect()
    right, errors = found_locally([*events, *ends], tmp_path)
    assert net(r["record"] for r in rows if r["op"] != "late") == right
    assert sorted(r["late"]["error"] for r in rows if r["op"] == "late") == errors != []


@pytest.mark.parametrize("id", [["k", "id"], ["id"]], ids=["the id tells the key", "one place"])
def test_rows_of_a_table_may_revise_and_withdraw_others(id: list[str], session: Any) -> None:
    rows = [
        ("A", "1", "2026-01-05T10:00:00Z", "x", 1, 1, None),
        ("D", "2", "2026-01-05T10:00:01Z", "x", 1, 7, None),
        ("D", "2", "2026-01-05T10:00:09Z", "x", 9, 3, None),
        ("D", "3", "2026-01-05T10:00:02Z", "x", 1, 1, None),
        ("D", "3", None, "x", None, 2, "d"),
    ]
    table = session.createDataFrame(rows, f"{COLUMNS}, rev int, op string").repartition(3)
    revise = {"version": "rev", "withdrawn": {"field": "op", "is": "d"}}
    source = {**PIPELINE["sources"]["readings"], "id": id, "revise": revise}
    query = "PATTERN SEQ(A a, D d) WITHIN 3 seconds PARTITION BY k"
    patterns = {"p": {"query": query, "lateness": "accept"}}
    updates = detect(table, {**PIPELINE, "sources": {"readings": source}, "patterns": patterns}).collect()
    standing = {r["match"]: r for r in sorted(updates, key=lambda r: r["revision"])}.values()
    (match,) = [r for r in standing if r["op"] != "retract"]
    (event,) = match["events"]["d"]
    assert event["id"] == ("x/2" if len(id) > 1 else "2")
    assert json.loads(event["payload"])["rev"] == 7


def test_what_is_too_late_by_a_column_of_arrivals_is_told(session: Any) -> None:
    rows = [("A", "a1", 1, 1, "x"), ("B", "b9", 9, 2, "x"), ("B", "b2", 2, 3, "x")]
    table = session.createDataFrame(rows, "type string, id string, t int, at int, k string")
    seconds = {"format": "epoch_s"}
    source = {**SOURCE, "time": {"field": "t", **seconds}, "arrival": {"field": "at", **seconds}}
    pipeline = {
        "version": 1,
        "sources": {"readings": {"type": "spark", "channel": "readings", **source}},
        "patterns": {
            "p": {
                "query": "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY k",
                "lateness": {"type": "accept", "within": "3s"},
            }
        },
    }
    (row,) = detect(table, pipeline).collect()
    assert (row["op"], row["late"]["reason"], row["late"]["event"]["id"]) == ("late", "extremely_late", "b2")
    assert row["late"]["position"].startswith("readings/")


def test_a_column_of_messages_is_read_by_the_codec(session: Any) -> None:
    rows = [(b"a,1,A,x", "t", 0, 7), (b"b,3,B,x", "t", 0, 8), (b"c,4", "t", 0, 9)]
    table = session.createDataFrame(rows, "value binary, topic string, partition int, offset bigint")
    source = {
        "type": "spark",
        "channel": "readings",
        "message": "value",
        "as": {"field": "type"},
        "id": "id",
        "time": {"field": "t", "format": "epoch_s"},
    }
    pipeline = {
        "version": 1,
        "connectors": {"lake": {"type": "spark"}},
        "sources": {
            "readings": {k: v for k, v in source.items() if k != "type"}
            | {"from": "lake", "format": {"type": "csv", "columns": ["id", "t", "type", "k"]}}
        },
        "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY k"}},
    }
    rows = detect(table.coalesce(1), pipeline).collect()
    assert [r["events"]["b"][0]["id"] for r in rows if r["op"] == "emit"] == ["b"]
    assert [r["late"]["position"] for r in rows if r["op"] == "late"] == ["t:0:9"]


def test_values_are_columns_of_their_kinds(session: Any) -> None:
    rows = [("A", "1", "2026-01-05T10:00:00Z", "x", 1), ("C", "2", "2026-01-05T10:00:01Z", "x", 2)]
    table = session.createDataFrame(rows, COLUMNS)
    query = (
        "PATTERN SEQ(A a, C c) WITHIN 9 s PARTITION BY k "
        "RETURN a.v AS first, avg(c.v) AS mean, c.k AS k, a.v > 3 AS high, count(a) AS n, a.none AS none"
    )
    updates = detect(table, {**PIPELINE, "patterns": {"p": {"query": query}}})
    kinds = {f.name: f.dataType.simpleString() for f in updates.schema["values"].dataType.fields}
    assert kinds == {
        "first": "bigint", "mean": "double", "k": "string", "high": "boolean", "n": "bigint",
        "none": "string",
    }  # fmt: skip
    (row,) = updates.collect()
    assert row["values"].asDict() == {
        "first": 1, "mean": 2.0, "k": "x", "high": False, "n": 1, "none": None,
    }  # fmt: skip
    assert row["values_before"] is None


def test_columns_may_differ_in_nothing_but_case(session: Any) -> None:
    rows = [("A", "1", "2026-01-05T10:00:00Z", "x", 1), ("C", "2", "2026-01-05T10:00:01Z", "x", 2)]
    table = session.createDataFrame(rows, COLUMNS).selectExpr("*", "v + 1 AS V")
    pattern = {
        "query": "PATTERN SEQ(A a, C c) WHERE a.V = c.v WITHIN 9 s PARTITION BY k",
        "lateness": "accept",
    }
    (row,) = detect(table, {**PIPELINE, "patterns": {"p": pattern}}).collect()
    payload = '{"type":"C","id":"2","t":"2026-01-05T10:00:01Z","k":"x","v":2,"V":3}'
    assert (row["op"], row["events"]["c"][0]["payload"]) == ("emit", payload)


def test_what_cannot_be_is_told(session: Any, tmp_path: Path) -> None:
    table = session.createDataFrame([("A", "1", "2026-01-05T10:00:00Z", "x", 1)], COLUMNS)
    source = PIPELINE["sources"]["readings"]

    def refused(said: str, more: Any = (), frame: Any = table, name: str = "", **changed: Any) -> None:
        sources = {"readings": {**source, **dict(more)}}
        with pytest.raises((RunFailure, ConfigurationError), match=said):
            detect(frame, {**PIPELINE, "sources": sources, **changed}, source=name)

    refused(
        "source 'readings': there is no 'when', which 'time' names; there are: type, id, t, k, v",
        {"time": "when"},
    )
    refused("without 'version' goes by the order of the input, which rows do not have", {"revise": {}})
    refused("source 'readings': there is no 'kind', which 'as' names", {"as": {"field": "kind"}})
    refused("source 'readings': there is no 'nr', which 'id' names", {"id": ["id", "nr"]})
    refused("'message' must name a column of text or bytes, not 'w': there is none", {"message": "w"})
    refused("'message' must name a column of text or bytes, not 'v': it holds int", {"message": "v"})
    refused("source 'readings': .*column.*w.*look at 'select'", {"select": "w"})
    refused("the pipeline has no source 'others'; there are: readings", name="others")
    refused(
        "more than one source: say which of readings, others the rows are",
        sources={"readings": source, "others": source},
    )
    refused("the pipeline has no source", sources={})
    refused(
        "the source|no 'time', and a table has none of its own",
        sources={"readings": {k: v for k, v in source.items() if k != "time"}},
    )
    refused("two columns named v: give them names by 'select'", frame=table.selectExpr("*", "v"))
    refused("no key 'patern'", patern=1)


def test_selected_are_rows_of_the_table_that_is_given(session: Any, tmp_path: Path) -> None:
    events = [
        ("A", "1", "2026-01-05T10:00:00Z", "x", 1),
        ("D", "2", "2026-01-05T10:00:01Z", "x", 1),
        ("D", "3", "2026-01-05T10:00:02Z", "x", 7),
    ]
    table = session.createDataFrame(events, COLUMNS)
    session.createDataFrame([(1,)], "one int").createOrReplaceTempView("input")
    patterns = {"p": PIPELINE["patterns"]["every"]}
    for select in (
        "SELECT * FROM input WHERE v = 1",
        "WITH\n low AS (SELECT * FROM input WHERE v < 7) SELECT * FROM low",
    ):
        source = {**PIPELINE["sources"]["readings"], "select": select}
        path = tmp_path / "p.yaml"
        path.write_text(json.dumps({**PIPELINE, "sources": {"readings": source}, "patterns": patterns}))
        (row,) = detect(table, path).collect()
        assert row["events"]["d"][0]["id"] == "2"
    # A view of that name stays what it was.
    assert session.table("input").columns == ["one"]


def _instant() -> Any:
    from pyspark.sql import functions as f

    return f.to_timestamp("t")


def _epoch(text: str) -> float:
    from datetime import datetime

    return datetime.fromisoformat(text).timestamp()


@pytest.mark.usefixtures("session")
def test_the_example_over_a_table_finds_what_the_files_give(tmp_path: Path) -> None:
    found = runpy.run_path(str(EXAMPLE / "table.py"))["found"]
    rows = found(f"{tmp_path}/vans").collect()
    right = [json.loads(line) for line in (EXAMPLE / "expected.jsonl").read_text().splitlines()]
    assert sorted((r["op"], r["content"]) for r in rows) == sorted((r["op"], r["content"]) for r in right)


@pytest.mark.usefixtures("session")
def test_the_readme_shows_what_comes_out(capsys: pytest.CaptureFixture[str]) -> None:
    section = README.read_text().partition("## Detection as a function")[2]
    code = section.partition("```python\n")[2].partition("```")[0]
    output = section.partition("```text\n")[2].partition("```")[0]
    exec(code, {})
    assert capsys.readouterr().out.strip() == output.strip()
