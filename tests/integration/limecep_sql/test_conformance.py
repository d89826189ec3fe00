"""Tables of PostgreSQL bring messages in and take records out as every transport does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg
import pytest

from limecep.clock import Stopwatch, pause
from limecep.testing.table import TableConformance
from limecep.testing.transport import Outgoing, SinkConformance, SourceConformance
from limecep_sql.config import SqlOptions, SqlSettings, SqlSinkSettings, SqlTableOptions
from limecep_sql.sink import SqlSink
from limecep_sql.source import SqlSource
from limecep_sql.table import SqlTable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from limecep.contracts.context import Context
    from limecep.contracts.sink import Sink
    from limecep.contracts.source import Source
    from limecep.output.record import Record

pytestmark = pytest.mark.postgresql


class Served:
    @pytest.fixture(autouse=True)
    def _server(self, postgresql: Any) -> None:
        self.server = postgresql

    def disturbed(self) -> AbstractContextManager[None] | None:
        cut: AbstractContextManager[None] = self.server.cut()
        return cut

    def restarted(self) -> bool:
        self.server.stop()
        self.server.start()
        return True


class TestSource(Served, SourceConformance):
    # These wait long, and are tried on SQLite.
    test_what_comes_after_a_silence_comes_soon = None
    test_what_is_silent_does_not_hold_up_the_rest = None
    log = True
    # The state does.
    remembers = False

    def make_channel(self) -> str:
        name = f"t{uuid4().hex}"
        with psycopg.connect(self.server.url) as connection:
            connection.execute(f"CREATE TABLE {name} (id bigserial PRIMARY KEY, message bytea)")
        return name

    def make_source(self, channel: str, context: Context) -> Source:
        options = SqlOptions(url=self.server.proxied, retry_max=500_000)
        return SqlSource(channel, SqlSettings(column="message", every=20_000), options, context)

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        with psycopg.connect(self.server.url) as connection, connection.cursor() as cursor:
            rows = [(m.value,) for m in messages]
            cursor.executemany(f"INSERT INTO {channel} (message) VALUES (%s)", rows)


class TestSink(Served, SinkConformance):
    test_memory_is_bounded = None
    ordered = True

    def make_channel(self) -> str:
        return f"t{uuid4().hex}"

    def make_sink(self, channel: str, context: Context) -> Sink:
        options = SqlOptions(url=self.server.proxied, retry_max=500_000)
        return SqlSink(channel, SqlSinkSettings(), options, context)

    def received(self, channel: str, count: int) -> list[Record]:
        watch = Stopwatch()
        came: list[Record] = []
        with psycopg.connect(self.server.url) as connection:
            while len(came) < count and watch.seconds < 5:
                rows = connection.execute(f"SELECT record FROM {channel} ORDER BY n")
                came = [json.loads(r) for (r,) in rows]
                pause(0.01)
        return came


class TestTable(Served, TableConformance):
    samples = (
        {"machine": "press-1", "max": 80.5, "since": "2026-01-01T00:00:00+00:00", "tags": ["a"], "on": True},
        {"machine": "100%:x", "max": None, "since": None, "tags": {"b": 1}, "on": None},
    )
    absent = "nowhere"

    @pytest.fixture(autouse=True)
    def _limits(self, _server: None) -> None:
        columns = 'n serial, machine text, max numeric, since timestamptz, tags jsonb, "on" bool'
        row = 'INSERT INTO limits (machine, max, since, tags, "on") VALUES (%s, %s, %s, %s, %s)'
        with psycopg.connect(self.server.url) as connection:
            connection.execute("DROP TABLE IF EXISTS limits")
            connection.execute(f"CREATE TABLE limits ({columns})")
            connection.execute(row, ("press-1", "80.50", "2026-01-01T00:00:00Z", '["a"]', True))
            connection.execute(row, ("100%:x", None, None, '{"b": 1}', None))

    def make_table(self, channel: str, context: Context) -> SqlTable:
        query = "" if channel else 'SELECT machine, max, since, tags, "on" FROM limits ORDER BY n'
        url = f"{self.server.url}?options=-c%20timezone%3DUTC"
        return SqlTable(channel, SqlTableOptions(url=url, query=query), context)
