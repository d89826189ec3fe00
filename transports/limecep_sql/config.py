"""Options of SQL. Listing plugins imports this module, and not what checks options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from limecep import option
from limecep.problems import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlOptions:
    """The connector: where the database is."""

    url: str = option(
        help="The database, as SQLAlchemy writes it: sqlite:///FILE, below the folder of the pipeline's "
        "file, or postgresql://USER:PASSWORD@HOST/NAME.",
        example="postgresql://limecep:${file:/run/secrets/db}@localhost/plant",
    )
    on_unavailable: Literal["retry", "fail"] = option(
        "retry",
        help="What to do where the database cannot be reached, at the start or later: retry until it is "
        "there again, or fail: end the run.",
    )
    retry_max: int = option(
        30_000_000,
        help="The longest wait between two tries; waits grow from half a second.",
        unit="duration",
        example="30s",
    )

    def __post_init__(self) -> None:
        if self.retry_max < 500_000:
            raise ValueError("'retry_max' must be at least 500ms")
        try:
            from limecep_sql.address import url_problem
        except ImportError:
            # What is missing is told where the component is named.
            return
        if said := url_problem(self.url):
            raise ValueError(f"'url' {said}")

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong with the name of a table."""
        schema, dot, name = channel.rpartition(".")
        if not name or (dot and not schema):
            said = f"'{channel}' is no table: write TABLE, or SCHEMA.TABLE"
            return [Problem(code="bad-channel", message=said)]
        return []


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlTableOptions(SqlOptions):
    """A table for look-ups, whose rows a database has. Its channel is a table, instead of a query."""

    query: str = option(
        "",
        help="The query that gives the rows, where 'channel' names no table.",
        example="SELECT machine, max FROM limits",
    )
    unread: Literal["warn", "fail"] = option(
        "warn",
        help="What to make of a database that cannot be read while the file is checked: warn, or fail: "
        "refuse the file.",
    )

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong with the name of a table, and with the query instead."""
        if bool(channel) != bool(self.query.strip()):
            return SqlOptions.vet(self, channel) if channel else []
        said = "the rows are those of a table or of a query: give 'channel' or 'query'"
        return [Problem(code="bad-channel", message=said + (", not both" if channel else ""))]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlSettings:
    """What a source of a table adds to the keys of every source."""

    by: str = option(
        "id",
        help="The column that grows: whole numbers, no two alike, later rows with higher ones.",
        example="id",
    )
    column: str = option(
        "",
        help="The column that holds a message, for the codec. Default: the whole row, as a JSON object.",
        example="payload",
    )
    every: int = option(
        1_000_000, help="How often new rows are looked for.", unit="duration", example="200ms"
    )
    start: Literal["earliest", "latest"] = option(
        "earliest",
        help="Where to begin without a position in the state: at the first row, or after the last one.",
    )
    gaps: int = option(
        5_000_000,
        help="How long a missing number is waited for, as a transaction that took it may commit later than "
        "others: as long as transactions may take. With SQLite nothing is waited for.",
        unit="duration",
        example="30s",
    )

    def __post_init__(self) -> None:
        if not self.by:
            raise ValueError("'by' must be the name of a column")
        if self.every < 10_000:
            raise ValueError("'every' must be at least 10ms")
        if self.gaps < 0:
            raise ValueError("'gaps' must be 0s or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlSinkSettings:
    """What a sink that writes a table adds to the keys of every sink."""

    mode: Literal["append", "upsert"] = option(
        "append", help="append: a row a record. upsert: a row a match, as it is now."
    )
    retracted: Literal["delete", "mark"] = option(
        "delete",
        help="With upsert, what becomes of a match that is taken back: its row is deleted, or stays, with "
        "'retract' as its op.",
    )
    create: bool = option(True, help="Create the table where there is none.")
