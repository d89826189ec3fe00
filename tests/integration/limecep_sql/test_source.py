"""What a table of PostgreSQL has is read whole, whatever order its transactions commit in."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
import pytest

from limecep.clock import Stopwatch, SystemClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep.testing.messages import records
from limecep_sql.config import SqlOptions, SqlSettings, SqlSinkSettings
from limecep_sql.sink import SqlSink
from limecep_sql.source import SqlSource

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.postgresql


@pytest.fixture
def context() -> Context:
    return Context(
        label="sql", clock=SystemClock(), counters=Counter(), logger=SilentLogger(), pipeline=uuid4().hex
    )


@pytest.fixture
def table(postgresql: Any) -> str:
    name = f"t{uuid4().hex}"
    with psycopg.connect(postgresql.url) as connection:
        connection.execute(
            f"CREATE TABLE {name} (id serial PRIMARY KEY, at timestamptz, v numeric, doc jsonb, tags text[])"
        )
    return name


@pytest.fixture
def source(postgresql: Any, table: str, context: Context) -> Iterator[SqlSource]:
    settings = SqlSettings(every=20_000, gaps=1_000_000)
    made = SqlSource(table, settings, SqlOptions(url=postgresql.url), context)
    made.open()
    yield made
    made.close()


def polled(source: SqlSource, count: int, seconds: float = 10) -> list[Any]:
    watch, found = Stopwatch(), list[Any]()
    while len(found) < count and watch.seconds < seconds:
        found += source.poll(100, 0.05)
    return [json.loads(m.value) for m in found]


def test_values_of_all_kinds_are_json(postgresql: Any, table: str, source: SqlSource) -> None:
    with psycopg.connect(postgresql.url) as connection:
        connection.execute(
            f"INSERT INTO {table} (at, v, doc, tags) "
            """VALUES ('2026-01-05T10:00:00Z', 1.50, '{"a": [1]}', ARRAY['x'])"""
        )
    [row] = polled(source, 1)
    assert row.pop("at").startswith("2026-01-05T")
    assert row == {"id": 1, "v": 1.5, "doc": {"a": [1]}, "tags": ["x"]}


def test_a_transaction_that_commits_later_loses_nothing(
    postgresql: Any, table: str, source: SqlSource, context: Context
) -> None:
    slow, quick, undone = (psycopg.connect(postgresql.url) for _ in range(3))
    insert = f"INSERT INTO {table} (v) VALUES (1)"
    with slow, quick, undone:
        slow.execute(insert)
        quick.execute(insert)
        quick.commit()
        assert polled(source, 1, 0.4) == []
        slow.commit()
        assert [row["id"] for row in polled(source, 2)] == [1, 2]
        # A number whose transaction comes to nothing is not waited for longer than for any other.
        undone.execute(insert)
        undone.rollback()
        quick.execute(insert)
        quick.commit()
        watch = Stopwatch()
        assert [row["id"] for row in polled(source, 1)] == [4]
        assert watch.seconds > 0.8
    assert context.counters["gaps"] == 1


def test_records_are_rows_with_types(postgresql: Any, context: Context) -> None:
    name = f"t{uuid4().hex}"
    sink = SqlSink(name, SqlSinkSettings(mode="upsert"), SqlOptions(url=postgresql.url), context)
    sink.open()
    for _ in range(2):
        assert sink.begin("s:1") is (_ == 0)
        sink.send([] if _ else [*records(5), {**records(1)[0], "op": "retract", "revision": 3}])
        sink.flush()
    sink.close()
    with psycopg.connect(postgresql.url) as connection:
        rows = connection.execute(
            f"SELECT match_id, revision, op, record::jsonb->>'pattern', end_time - start_time = '18 s' "
            f"FROM {name} ORDER BY match_id"
        ).fetchall()
    assert rows == [("m1", 2, "correct", "p", True), ("m2", 1, "emit", "p", True)]


def test_a_database_that_does_not_exist_ends_the_run_at_once(postgresql: Any, context: Context) -> None:
    options = SqlOptions(url=postgresql.url.replace("/postgres", "/none").replace("@", ":s3cret@"))
    sink = SqlSink("t", SqlSinkSettings(), options, context)
    with pytest.raises(RunFailure, match=r'/none: .*database "none" does not exist') as caught:
        sink.open()
    assert "s3cret" not in str(caught.value)
    sink.close()
