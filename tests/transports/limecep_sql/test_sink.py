"""Records become rows: all of them, or each match as it is now."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import RunFailure, Stopped
from limecep.testing.messages import records
from limecep_sql import sink as sinks
from limecep_sql.config import SqlOptions, SqlSinkSettings
from limecep_sql.sink import SqlSink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from limecep.contracts.context import Context


@pytest.fixture
def made(context: Context) -> Iterator[Callable[..., SqlSink]]:
    opened: list[SqlSink] = []

    def open_(channel: str = "t", **settings: Any) -> SqlSink:
        options = SqlOptions(url="sqlite:///a.db", on_unavailable=settings.pop("on_unavailable", "retry"))
        opened.append(SqlSink(channel, SqlSinkSettings(**settings), options, context))
        opened[-1].open()
        return opened[-1]

    yield open_
    for sink in opened:
        sink.close()


def test_every_record_is_a_row(made: Any, sql: Any) -> None:
    sink = made()
    sink.send(records(5))
    sink.flush()
    assert [json.loads(r) for (r,) in sql("SELECT record FROM t ORDER BY n")] == records(5)
    assert sql("SELECT match_id, revision, op, end_time FROM t WHERE n = 4") == [
        ("m0", 2, "correct", "2026-01-05T10:00:21Z")
    ]


@pytest.mark.parametrize(("retracted", "left"), [("delete", ["m0", "m2"]), ("mark", ["m0", "m1", "m2"])])
def test_or_a_match_is_a_row_as_it_is_now(made: Any, sql: Any, retracted: str, left: list[str]) -> None:
    sink = made(mode="upsert", retracted=retracted)
    back = {**records(2)[1], "op": "retract", "revision": 9}
    for part in (records(5), [back], records(6)[5:]):
        sink.send(part)
        sink.flush()
        # Sent again, they leave what is there.
        sink.send(part)
        sink.flush()
    assert [m for (m,) in sql("SELECT match_id FROM t ORDER BY match_id")] == left
    assert sql("SELECT revision, op FROM t WHERE match_id = 'm0'") == [(2, "correct")]


def test_a_batch_is_written_once(made: Any, sql: Any) -> None:
    sink = made()
    assert sink.begin("state:1")
    sink.send(records(2))
    sink.flush()
    sink.close()
    again = made()
    assert not again.begin("state:1")
    again.flush()
    assert again.begin("state:2")
    again.send(records(3)[2:])
    # Nothing of a batch is there before all of it is.
    assert sql("SELECT count(*) FROM t") == [(2,)]
    again.flush()
    assert sql("SELECT count(*) FROM t") == [(3,)]
    assert sql("SELECT batch FROM limecep_delivered") == [("state:2",)]


def test_a_batch_whose_commit_nobody_heard_of_is_not_written_again(
    made: Any, sql: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = made()
    sink.begin("state:1")
    sink.send(records(2))
    sink._errands.run(lambda: sink._attempt(lambda c: sink._write(c, records(2), "state:1")), lambda: None)
    sink.flush()
    assert sql("SELECT count(*) FROM t") == [(2,)]


def test_without_batches_memory_is_bounded(made: Any, sql: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sinks, "FULL_RECORDS", 4)
    sink = made()
    for record in records(9):
        sink.send([record])
    assert sql("SELECT count(*) FROM t") == [(8,)]


def test_a_table_of_the_users_own_is_written(made: Any, sql: Any) -> None:
    sql("CREATE TABLE t (op TEXT, end_time DATETIME, mine TEXT DEFAULT 'x')")
    sink = made(create=False)
    sink.send(records(1))
    sink.flush()
    assert sql("SELECT * FROM t") == [("emit", "2026-01-05 10:00:21.000000", "x")]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"create": False, "channel": "u"}, "has no table 'u'"),
        ({"mode": "upsert"}, "has no column 'match_id', which 'mode: upsert' needs"),
    ],
)
def test_a_table_that_cannot_be_written_is_told(made: Any, sql: Any, settings: Any, said: str) -> None:
    sql("CREATE TABLE t (op TEXT)")
    with pytest.raises(RunFailure, match=said):
        made(**settings)


def test_what_the_database_refuses_ends_the_run(made: Any, sql: Any) -> None:
    sql("CREATE TABLE t (op TEXT CHECK (op = 'emit'))")
    sink = made()
    sink.send(records(4))
    with pytest.raises(RunFailure, match=r"a\.db: CHECK constraint failed"):
        sink.flush()
    assert sql("SELECT count(*) FROM t") == [(0,)]
    sink._records.clear()


def test_a_database_in_use_is_waited_for_until_the_run_is_to_end(
    made: Any, sql: Any, context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    from limecep_sql import address

    monkeypatch.setattr(address, "CONNECT_SECONDS", 0.05)
    sink = made()
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    sink.send(records(2))

    def stop(undone: str = "") -> None:
        if context.counters["retries"]:
            raise Stopped(undone)

    context.raise_if_stopped = stop
    with pytest.raises(Stopped, match=r"a\.db did not take the last 2 records"):
        sink.flush()
    other.execute("ROLLBACK")
    other.close()
    context.raise_if_stopped = lambda undone="": None
    sink.flush()
    assert sql("SELECT count(*) FROM t") == [(2,)]
