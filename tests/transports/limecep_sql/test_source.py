"""Rows of a table become events, and a restart neither loses nor repeats one."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch, pause
from limecep.errors import RunFailure
from limecep_sql.config import SqlOptions, SqlSettings
from limecep_sql.source import SqlSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from limecep.contracts.context import Context

SINK_RECORDS = "SELECT record FROM alerts ORDER BY n"


@pytest.fixture
def opened(context: Context) -> Iterator[Callable[..., SqlSource]]:
    made: list[SqlSource] = []

    def open_(channel: str = "t", **settings: Any) -> SqlSource:
        options = SqlOptions(url="sqlite:///a.db", on_unavailable=settings.pop("on_unavailable", "retry"))
        made.append(SqlSource(channel, SqlSettings(every=20_000, **settings), options, context))
        made[-1].open()
        return made[-1]

    yield open_
    for source in made:
        source.close()


def polled(source: SqlSource, count: int) -> list[Any]:
    watch, found = Stopwatch(), list[Any]()
    while len(found) < count and watch.seconds < 10:
        found += source.poll(100, 0.1)
    return [json.loads(m.value) for m in found]


def test_a_row_is_a_json_object(opened: Any, sql: Any) -> None:
    sql("CREATE TABLE t (id INTEGER PRIMARY KEY, at DATETIME, v)")
    sql("INSERT INTO t VALUES (3, '2026-01-05 10:00', 1.5), (7, 'odd', NULL)")
    assert polled(opened(), 2) == [
        {"id": 3, "at": "2026-01-05 10:00", "v": 1.5},
        {"id": 7, "at": "odd", "v": None},
    ]


def test_it_may_begin_after_the_last_row(opened: Any, sql: Any) -> None:
    sql("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    sql("INSERT INTO t VALUES (1)")
    source = opened(start="latest")
    while not source.connected:
        source.poll(1, 0.05)
    sql("INSERT INTO t VALUES (2)")
    assert polled(source, 1) == [{"id": 2}]
    assert [m.position for m in source.replay(0, 1)] == ["t:2"]


def test_a_table_that_was_made_anew_is_told(opened: Any, sql: Any, context: Context) -> None:
    sql("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    sql("INSERT INTO t VALUES (5)")
    source = SqlSource("t", SqlSettings(every=20_000), SqlOptions(url="sqlite:///a.db"), context)
    source.seek(["t:7"])
    source.open()
    while not source.connected:
        source.poll(1, 0.05)
    source.close()
    assert [e[2]["highest"] for e in context.logger.entries if e[0] == "warning"] == [5]


def test_numbers_below_0_are_told(opened: Any, sql: Any) -> None:
    sql("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    sql("INSERT INTO t VALUES (-1)")
    with pytest.raises(RunFailure, match="has numbers below 0"):
        polled(opened(), 1)


def test_a_table_that_is_not_there_is_told(opened: Any) -> None:
    with pytest.raises(RunFailure, match=r"a\.db has no table 't'"):
        polled(opened(), 1)


def test_a_database_that_is_in_use_is_waited_for(opened: Any, sql: Any, tmp_path: Path) -> None:
    import sqlite3

    sql("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    sql("INSERT INTO t VALUES (1)")
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    source = opened()
    assert polled_nothing(source)
    assert not source.connected
    other.execute("ROLLBACK")
    other.close()
    assert polled(source, 1) == [{"id": 1}]


def polled_nothing(source: SqlSource) -> bool:
    return [*source.poll(10, 0.3)] == []


def test_kills_lose_and_repeat_nothing(sql: Any, tmp_path: Path) -> None:
    """From a table to a table, in one file: each match is there once."""
    rows = 600
    sql("PRAGMA journal_mode=WAL")
    sql("CREATE TABLE readings (id INTEGER PRIMARY KEY, type TEXT, ts REAL)")
    document = {
        "version": 1,
        "name": "tables",
        "connectors": {"db": {"type": "sql", "url": "sqlite:///a.db"}},
        "sources": {
            "s": {"from": "db", "channel": "readings", "every": "10ms", "as": {"field": "type"}, "id": "id",
                  "time": {"field": "ts", "format": "epoch_s"}, "max_future_skew": "off"}
        },
        "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 s", "slack": "none"}},
        "sinks": {
            "log": {"to": "db", "channel": "alerts"},
            "now": {"to": "db", "channel": "alerts_now", "mode": "upsert"},
        },
        "state": {"dir": "state"},
    }  # fmt: skip
    (tmp_path / "p.yaml").write_text(json.dumps(document))
    command = [sys.executable, "-m", "limecep", "run", str(tmp_path / "p.yaml"), "--quiet"]
    wrote, kills = 0, 0
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    watch = Stopwatch()
    try:
        while watch.seconds < 60:
            assert running.poll() is None
            # Little by little, so that each kill is in the middle of it.
            if wrote < rows and count_of(sql) >= wrote // 2:
                for _ in range(50):
                    wrote += 1
                    second = wrote % 2 == 0
                    at = (wrote + 1) // 2 * 10 + second / 2
                    sql("INSERT INTO readings VALUES (?, ?, ?)", wrote, "AB"[second], at)
            found = count_of(sql)
            if kills < 2 and found > 80 * (kills + 1):
                running.kill()
                running.wait()
                kills += 1
                running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if wrote >= rows and found >= rows // 2:
                break
            pause(0.01)
        running.terminate()
        assert running.wait(20) == 0
    finally:
        running.kill()
        running.wait()
    assert kills == 2
    told = [json.loads(record)["events"]["a"][0]["id"] for (record,) in sql(SINK_RECORDS)]
    assert sorted(map(int, told)) == [*range(1, rows, 2)]
    assert sql("SELECT count(*), max(revision) FROM alerts_now") == [(rows // 2, 1)]


def count_of(sql: Any) -> int:
    try:
        [(count,)] = sql("SELECT count(*) FROM alerts")
    except Exception:
        return 0
    return int(count)
