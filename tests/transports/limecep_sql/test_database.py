"""What a database is, and what its errors mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy.exc import DataError, OperationalError

from limecep.errors import RunFailure
from limecep_sql.config import SqlOptions
from limecep_sql.database import Database, check_growing

if TYPE_CHECKING:
    from limecep.contracts.context import Context


@pytest.mark.parametrize(
    ("url", "kind", "said", "again"),
    [
        ("sqlite:///a.db", OperationalError, "database is locked", True),
        ("sqlite:///a.db", OperationalError, "no such column: x", False),
        ("postgresql://u:s3cret@h/x", OperationalError, "connection refused by s3cret", True),
        ("postgresql://h/x", OperationalError, "FATAL: password authentication failed for user", False),
        ("postgresql://h/x", DataError, "value too long", False),
    ],
)
def test_some_errors_go_away(context: Context, url: str, kind: Any, said: str, again: bool) -> None:
    database = Database(SqlOptions(url=url), context)
    words, may = database.trouble(kind("SELECT", {}, Exception(said)))
    assert may is again
    assert words == f"{database.shown}: {said.replace('s3cret', '***')}"


def test_waits_grow_to_the_longest(context: Context) -> None:
    database = Database(SqlOptions(url="sqlite:///a.db", retry_max=2_000_000), context)
    assert [round(database.wait(n) / 0.45) for n in (1, 2, 3, 50)] == pytest.approx([1, 2, 4, 4], abs=0.6)


def test_a_driver_that_is_not_there_is_told(context: Context) -> None:
    with pytest.raises(RunFailure, match="there is no driver for it"):
        Database(SqlOptions(url="oracle+nothing://h/x"), context)


@pytest.mark.parametrize(
    ("table", "settings", "said"),
    [
        ("reading", ("id", ""), "has no table 'reading': did you mean 'readings'?"),
        ("readings", ("ids", ""), "has no column 'ids', which 'by' names: did you mean 'id'?"),
        ("readings", ("id", "pay"), "has no column 'pay', which 'column' names"),
        ("readings", ("name", ""), "is no whole number"),
        ("readings", ("n", ""), "give it a unique index"),
        ("readings", ("u", ""), ""),
        ("readings", ("id", ""), ""),
        ("shown", ("n", ""), ""),
    ],
)
def test_a_table_must_grow_by_a_column(
    context: Context, sql: Any, table: str, settings: tuple[str, str], said: str
) -> None:
    sql("CREATE TABLE readings (id INTEGER PRIMARY KEY, name TEXT, n INTEGER, u INTEGER UNIQUE)")
    sql("CREATE VIEW shown AS SELECT n FROM readings")
    database = Database(SqlOptions(url="sqlite:///a.db"), context)
    with database.engine.connect() as connection:
        if not said:
            check_growing(connection, database.table(connection, table), *settings)
            return
        with pytest.raises(RunFailure) as caught:
            check_growing(connection, database.table(connection, table), *settings)
        assert said in str(caught.value)
