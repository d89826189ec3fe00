"""The table whose rows a query gives."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from limecep.clock import Stopwatch, pause
from limecep.errors import RunFailure
from limecep_sql.database import Database
from limecep_sql.errands import GLANCE_SECONDS, Errands
from limecep_sql.rows import as_json

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep_sql.config import SqlTableOptions

#: How long a check waits for the database, in seconds.
CHECK_SECONDS = 3


class SqlTable:
    """The rows of a query, or of a table (`limecep.contracts.table`). Nothing that the query does to the
    database lasts: it is read in a transaction that is rolled back."""

    def __init__(self, channel: str, options: SqlTableOptions, context: Context) -> None:
        self._name = channel
        self._query = options.query
        # A check waits for nothing.
        self._waits = options.on_unavailable == "retry" and not context.checking
        self._context = context
        self._database = Database(options, context, CHECK_SECONDS if context.checking else None)

    def rows(self) -> list[dict[str, Any]]:
        """The rows, with values as a source of rows has them."""
        errands = Errands(f"limecep {self._context.label}")
        tries = 0
        try:
            while True:
                try:
                    return errands.run(self._read, self._glance)
                except SQLAlchemyError as error:
                    trouble = self._database.trouble(error)
                    if not trouble.again or not self._waits:
                        raise RunFailure(trouble.words) from None
                tries += 1
                if tries == 1:
                    said = "the database cannot be read, and is tried again"
                    self._context.logger.warning(said, error=trouble.words)
                watch, wait = Stopwatch(), self._database.wait(tries)
                while watch.seconds < wait:
                    pause(min(GLANCE_SECONDS, wait))
                    self._glance()
        finally:
            errands.close()
            self._database.close()

    def _glance(self) -> None:
        self._context.raise_if_stopped(f"{self._context.label} was not read")

    def _read(self) -> list[dict[str, Any]]:
        database = self._database
        # SQLite would make one.
        if database.file is not None and not Path(database.file).exists():
            raise RunFailure(f"there is no file {database.shown}")
        with database.engine.connect() as connection:
            if self._query:
                # As it stands: neither a colon nor a percent sign in it means anything.
                found = connection.execution_options(no_parameters=True).exec_driver_sql(self._query)
            else:
                found = connection.execute(_all(database.table(connection, self._name)))
            if not found.returns_rows:
                raise RunFailure("'query' gives no rows: write a SELECT")
            names = list(found.keys())
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise RunFailure(f"'query' gives two columns '{twice[0]}': name them apart, with AS")
            return [msgspec.json.decode(as_json(names, row)) for row in found]


def _all(table: sa.Table) -> sa.Select[Any]:
    # Without their types: the driver's own values are what JSON is made of.
    columns: list[sa.ColumnClause[Any]] = [sa.column(c.name) for c in table.columns]
    return sa.select(*columns).select_from(table)
