"""What is said of odd databases."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import structlog
from structlog.testing import capture_logs

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.contracts.state import Row
from limecep_sqlite.config import SqliteOptions
from limecep_sqlite.store import _TABLES, SqliteStore

if TYPE_CHECKING:
    from pathlib import Path


def test_an_empty_file_is_told_and_a_whole_one_is_not(tmp_path: Path) -> None:
    def said() -> list[str]:
        logger = structlog.get_logger()
        context = Context(
            label="state", clock=ManualClock(), counters=Counter(), logger=logger, root=tmp_path
        )
        store = SqliteStore(SqliteOptions(dir="state"), context)
        with capture_logs() as logs:
            store.open()
        store.close()
        return [f"{entry['log_level']} {entry['event']}" for entry in logs]

    assert said() == said() == []
    (tmp_path / "state" / "state.db").write_bytes(b"")
    assert said() == ["warning the state is an empty file, and begins anew"]


def test_what_is_long_is_stored_compressed_and_read_as_it_was(tmp_path: Path) -> None:
    context = Context(
        label="state", clock=ManualClock(), counters=Counter(), logger=structlog.get_logger(), root=tmp_path
    )
    store = SqliteStore(SqliteOptions(dir="state"), context)
    store.open()
    values = [b"", b"\x00z", b"short", b"[1,2,3]" * 10_000, b"\x00" * 300]
    store.put(Row(n, "x", value) for n, value in enumerate(values, start=1))
    for value in values:
        store.append(1, 2, value)
    store.commit()
    assert [row.value for row in store.rows("x")] == values
    assert list(store.segments(0, 9)) == values
    assert store.figures()["bytes"] < 40_000
    store.close()


def test_a_database_without_compressed_values_goes_on(tmp_path: Path) -> None:
    context = Context(
        label="state", clock=ManualClock(), counters=Counter(), logger=structlog.get_logger(), root=tmp_path
    )
    folder = tmp_path / "state"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "state.db")) as before:
        before.executescript(f"{_TABLES} CREATE INDEX rows_by_name ON rows (name); PRAGMA user_version = 1;")
        before.execute("INSERT INTO rows VALUES (1, 'x', ?)", [b"[" * 500])
        before.commit()
    for version in (1, 2):
        with closing(sqlite3.connect(folder / "state.db")) as known:
            assert known.execute("PRAGMA user_version").fetchone() == (version,)
        store = SqliteStore(SqliteOptions(dir="state"), context)
        store.open()
        assert [row.value for row in store.rows("x")] == [b"[" * 500]
        store.put([Row(1, "x", b"[" * 500)])
        store.commit()
        store.close()
