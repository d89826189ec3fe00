"""Tables of SQLite bring messages in and take records out as every transport does."""

from __future__ import annotations

import json
import sqlite3
from itertools import count
from typing import TYPE_CHECKING

import pytest

from limecep.clock import Stopwatch, pause
from limecep.testing.transport import Outgoing, SinkConformance, SourceConformance
from limecep_sql.config import SqlOptions, SqlSettings, SqlSinkSettings
from limecep_sql.sink import SqlSink
from limecep_sql.source import SqlSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.contracts.context import Context
    from limecep.contracts.sink import Sink
    from limecep.contracts.source import Source
    from limecep.output.record import Record

OPTIONS = SqlOptions(url="sqlite:///a.db")


class TestSource(SourceConformance):
    log = True
    # The state does.
    remembers = False

    @pytest.fixture(autouse=True)
    def _database(self, tmp_path: Path) -> None:
        self.path = tmp_path / "a.db"
        self.names = (f"t{n}" for n in count())

    def make_channel(self) -> str:
        name = next(self.names)
        with sqlite3.connect(self.path) as connection:
            connection.execute(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, message BLOB)")
        return name

    def make_source(self, channel: str, context: Context) -> Source:
        return SqlSource(channel, SqlSettings(column="message", every=20_000), OPTIONS, context)

    def make_unreachable(self, context: Context) -> Source | None:
        options = SqlOptions(url="postgresql://127.0.0.1:1/x")
        return SqlSource("nowhere", SqlSettings(), options, context)

    def publish(self, channel: str, messages: Sequence[Outgoing]) -> None:
        with sqlite3.connect(self.path, timeout=10) as connection:
            connection.executemany(
                f"INSERT INTO {channel} (message) VALUES (?)", [(m.value,) for m in messages]
            )


class TestSink(SinkConformance):
    ordered = True

    @pytest.fixture(autouse=True)
    def _database(self, tmp_path: Path) -> None:
        self.path = tmp_path / "a.db"
        self.names = (f"t{n}" for n in count())

    def make_channel(self) -> str:
        return next(self.names)

    def make_sink(self, channel: str, context: Context) -> Sink:
        return SqlSink(channel, SqlSinkSettings(), OPTIONS, context)

    def received(self, channel: str, count: int) -> list[Record]:
        watch = Stopwatch()
        came: list[Record] = []
        while len(came) < count and watch.seconds < 5:
            with sqlite3.connect(self.path, timeout=10) as connection:
                came = [
                    json.loads(r) for (r,) in connection.execute(f"SELECT record FROM {channel} ORDER BY n")
                ]
            pause(0.01)
        return came
