"""The table whose rows a query gives."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event, Pipeline
from limecep.config.loader import load_dict
from limecep.errors import RunFailure, Stopped
from limecep.host import Host
from limecep.testing.table import TableConformance
from limecep_sql.config import SqlTableOptions
from limecep_sql.table import SqlTable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from limecep.api import Context
    from limecep.config.loader import Loaded

URL = "sqlite:///a.db"
QUERY = "SELECT machine, max, note FROM limits WHERE note LIKE '%:x' ORDER BY machine"


@pytest.fixture(autouse=True)
def limits(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("CREATE TABLE limits (machine TEXT, max REAL, since TEXT, note TEXT)")
        rows = [
            ("press-1", 80, "2026-01-01T00:00:00Z", "a:x"),
            ("press-1", 70, "2026-01-05T00:00:00Z", "b"),
            ("press-2", None, "2026-01-01T00:00:00Z", "100%:x"),
        ]
        connection.executemany("INSERT INTO limits VALUES (?, ?, ?, ?)", rows)


class TestQuery(TableConformance):
    samples = (
        {"machine": "press-1", "max": 80.0, "note": "a:x"},
        {"machine": "press-2", "max": None, "note": "100%:x"},
    )

    @pytest.fixture(autouse=True)
    def _root(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(type(self), "root", tmp_path)

    def make_table(self, channel: str, context: Context) -> SqlTable:
        return SqlTable(channel, SqlTableOptions(url=URL, query="" if channel else QUERY), context)


class TestTable(TestQuery):
    channel = "limits"
    absent = "limit"
    samples = (
        {"machine": "press-1", "max": 80.0, "since": "2026-01-01T00:00:00Z", "note": "a:x"},
        {"machine": "press-1", "max": 70.0, "since": "2026-01-05T00:00:00Z", "note": "b"},
        {"machine": "press-2", "max": None, "since": "2026-01-01T00:00:00Z", "note": "100%:x"},
    )


def rows(context: Context, **options: Any) -> list[dict[str, Any]]:
    return SqlTable("", SqlTableOptions(url=options.pop("url", URL), **options), context).rows()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT max, max FROM limits", "two columns 'max'.*AS"),
        ("UPDATE limits SET max = 1", "gives no rows: write a SELECT"),
        ("SELECT maxi FROM limits", "a.db: no such column: maxi"),
        ("SELEC", "syntax error"),
    ],
)
def test_a_query_that_gives_no_rows_says_why_and_changes_nothing(
    query: str, said: str, context: Context, sql: Callable[..., list[tuple[object, ...]]]
) -> None:
    with pytest.raises(RunFailure, match=said):
        rows(context, query=query)
    assert sql("SELECT sum(max) FROM limits") == [(150.0,)]


def test_no_file_is_made_where_there_is_none(context: Context, tmp_path: Path) -> None:
    with pytest.raises(RunFailure, match=r"there is no file b\.db"):
        rows(context, url="sqlite:///b.db", query="SELECT 1 AS a")
    assert not (tmp_path / "b.db").exists()


def test_a_run_waits_for_the_database_until_it_is_asked_to_end(context: Context) -> None:
    asked: list[str] = []

    def ask(undone: str = "") -> None:
        asked.append(undone)
        if len(asked) > 8:
            raise Stopped(undone)

    context.raise_if_stopped = ask
    warned: list[dict[str, Any]] = []
    context.logger.warning = lambda text, **values: warned.append(values)
    away = {"url": "postgresql://limecep:s3cret@127.0.0.1:1/x", "query": "SELECT 1 AS a"}
    with pytest.raises(Stopped, match="sql was not read"):
        rows(context, **away)
    assert len(warned) == 1
    assert "s3cret" not in str(warned)
    with pytest.raises(RunFailure, match=r"postgresql://127\.0\.0\.1:1/x: .*refused"):
        rows(context, **away, on_unavailable="fail")


def loaded(folder: Path, condition: str = "a.v > limits[a.machine].max", **table: Any) -> Loaded:
    document = {
        "version": 1,
        "tables": {"limits": {"from": "sql", "url": URL, "key": "machine", **table}},
        "patterns": {"p": {"query": f"PATTERN SEQ(A a) WHERE {condition} WITHIN 1 s"}},
    }
    return load_dict(document, Host.load().registry, root=folder)


def said(found: Loaded) -> list[tuple[str, str]]:
    return [(p.severity, p.message) for p in found.problems if p.code != "no-sources"]


def test_a_check_knows_the_columns_and_rows(tmp_path: Path) -> None:
    query = "SELECT machine, max, since FROM limits"
    assert said(loaded(tmp_path, query=query, from_time="since")) == []
    found = said(loaded(tmp_path, "a.v > limits[a.machine].maxi", query=query, from_time="since"))
    assert found == [("error", "table 'limits' has no column 'maxi'")]


def test_what_a_check_cannot_read_is_a_warning_unless_it_is_to_fail(tmp_path: Path) -> None:
    away = {"url": "postgresql://u:s3cret@127.0.0.1:1/x", "query": "SELECT machine, max FROM limits"}
    for more, severity in (({}, "warning"), ({"unread": "fail"}, "error")):
        ((how, text),) = said(loaded(tmp_path, **away, **more))
        assert how == severity
        assert text.startswith("table 'limits' cannot be read: postgresql://127.0.0.1:1/x: ")
        assert "s3cret" not in text


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ({}, "give 'channel' or 'query'"),
        ({"query": "SELECT 1", "channel": "limits"}, "give 'channel' or 'query', not both"),
        ({"channel": "a."}, "'a.' is no table"),
    ],
)
def test_it_is_told_a_table_or_a_query(table: dict[str, str], text: str, tmp_path: Path) -> None:
    assert any(
        severity == "error" and text in message for severity, message in said(loaded(tmp_path, **table))
    )


def test_rows_hold_from_their_time_on(tmp_path: Path) -> None:
    found = loaded(tmp_path, query="SELECT machine, max, since FROM limits", from_time="since")
    pipeline = Pipeline.from_config(found.checked(), Host.load().registry)
    day = 24 * 3600 * 10**6
    begin = 1_767_225_600_000_000 + 3 * day
    events = [
        Event("A", "1", begin, begin, "s", {"machine": "press-1", "v": 75}),
        Event("A", "2", begin + 2 * day, begin + 2 * day, "s", {"machine": "press-1", "v": 75}),
        Event("A", "3", begin + 3 * day, begin + 3 * day, "s", {"machine": "press-2", "v": 75}),
    ]
    assert [update.match.end.id for update in pipeline.feed(events)] == ["2"]
