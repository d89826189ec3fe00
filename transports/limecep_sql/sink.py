"""The sink that writes a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import sqlalchemy as sa
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError

from limecep.clock import Stopwatch, pause
from limecep.errors import RunFailure
from limecep_sql import columns
from limecep_sql.database import Database, Trouble
from limecep_sql.errands import GLANCE_SECONDS, Errands

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_sql.config import SqlOptions, SqlSinkSettings

#: Without batches, so many records at most are written in one transaction.
FULL_RECORDS = 1_000
#: The table that says which batch each sink has written last.
DELIVERED = "limecep_delivered"


class SqlSink:
    """Writes a row for each record, or for each match (`limecep.contracts.sink`).

    A batch that the kernel names is one transaction, in which its name is noted, too. So after a crash the
    sink knows whether it has it.
    """

    counts_only: ClassVar[bool] = False

    def __init__(
        self, channel: str, settings: SqlSinkSettings, options: SqlOptions, context: Context
    ) -> None:
        schema, _, self._plain = channel.rpartition(".")
        self._schema = schema or None
        self._name = channel
        self._settings = settings
        self._upsert = settings.mode == "upsert"
        self._fails = options.on_unavailable == "fail"
        self._context = context
        self._database = Database(options, context)
        self._errands = Errands(f"limecep {context.label}")
        self._encode = context.encoder.encode
        self._table: sa.Table | None = None
        self._delivered = sa.Table(
            DELIVERED,
            sa.MetaData(),
            sa.Column("sink", sa.String(255), primary_key=True),
            sa.Column("batch", sa.String(255)),
            schema=self._schema,
        )
        self._me = f"{context.pipeline}/{context.label}/{channel}"
        self._batch: str | None = None
        self._records: list[Record] = []
        self._opened = False

    def open(self) -> None:
        """Connects, and creates the table where there is none. Where the database is not there, that is done
        later.

        Raises:
            RunFailure: The table cannot be written, or the database is not to be waited for.
        """
        self._opened = True
        trouble = self._errands.run(lambda: self._attempt(lambda connection: None), lambda: None)
        if isinstance(trouble, Trouble):
            self._check(trouble)
            self._context.logger.warning("the database cannot be written yet", error=trouble.words)

    def begin(self, batch: str) -> bool:
        """False if this batch was written, from before a crash."""
        self._batch = batch
        return self._done(lambda connection: self._last(connection) != batch) is True

    def send(self, records: Sequence[Record]) -> None:
        """Takes records, and writes them when there are many.

        Raises:
            RunFailure: The database refuses, or is not to be waited for.
        """
        self._records += records
        if self._batch is None and len(self._records) >= FULL_RECORDS:
            self.flush()

    def flush(self) -> None:
        """Writes what was sent, and returns when it is committed.

        Raises:
            RunFailure: The database refuses, or is not to be waited for.
        """
        records, batch = self._records, self._batch
        if records or batch is not None:
            self._done(lambda connection: self._write(connection, records, batch))
        self._records, self._batch = [], None

    def close(self) -> None:
        """Flushes, and ends the connection.

        Raises:
            RunFailure: Not everything was written.
        """
        opened, self._opened = self._opened, False
        try:
            if opened:
                self.flush()
        finally:
            self._errands.close()
            self._database.close()

    def _done(self, work: Callable[[sa.Connection], Any]) -> Any:
        """Has something done in a transaction, as often as it takes."""
        tries = 0
        while True:
            found = self._errands.run(lambda: self._attempt(work), self._glance)
            if not isinstance(found, Trouble):
                if tries:
                    self._context.logger.info("the database is written again", database=self._database.shown)
                return found
            self._check(found)
            tries += 1
            self._context.counters["retries"] += 1
            if tries == 1:
                self._context.logger.warning(
                    "the database cannot be written, and is tried again", error=found.words
                )
            watch, wait = Stopwatch(), self._database.wait(tries)
            while watch.seconds < wait:
                self._glance()
                pause(min(GLANCE_SECONDS, wait))

    def _check(self, trouble: Trouble) -> None:
        if self._fails or not trouble.again:
            raise RunFailure(trouble.words)

    def _glance(self) -> None:
        self._context.raise_if_stopped(
            f"{self._database.shown} did not take the last {len(self._records)} records"
        )

    # -- in the thread of errands --------------------------------------------------------------------------

    def _attempt(self, work: Callable[[sa.Connection], Any]) -> Any:
        """Does something in a transaction; gives what it gives, or the trouble with it."""
        try:
            if self._table is None:
                self._table = self._prepared()
            with self._database.engine.begin() as connection:
                return work(connection)
        except SQLAlchemyError as error:
            return self._database.trouble(error)

    def _prepared(self) -> sa.Table:
        """The table, created where there is none.

        Raises:
            RunFailure: It cannot be written.
        """
        wanted = [self._delivered]
        if self._settings.create:
            wanted.append(
                columns.made(self._plain, self._schema, self._context.returned, upsert=self._upsert)
            )
        for table in wanted:
            try:
                with self._database.engine.begin() as connection:
                    table.create(connection, checkfirst=True)
            except ProgrammingError:
                # Another sink may have created it meanwhile.
                with self._database.engine.connect() as connection:
                    if not sa.inspect(connection).has_table(table.name, table.schema):
                        raise
        with self._database.engine.connect() as connection:
            table = self._database.table(connection, self._name)
        if said := columns.problem(table, self._context.returned, upsert=self._upsert):
            raise RunFailure(f"{self._database.shown}: {said}")
        return table

    def _last(self, connection: sa.Connection) -> str | None:
        """The batch that was written last."""
        known = self._delivered.columns
        return connection.scalar(sa.select(known.batch).where(known.sink == self._me))

    def _write(self, connection: sa.Connection, records: Sequence[Record], batch: str | None) -> None:
        if batch is not None and self._last(connection) == batch:
            # The connection was lost while it was committed.
            return
        table = self._table
        assert table is not None
        rows = [(record, columns.row(table, record, self._encode(record))) for record in records]
        if self._upsert:
            # Each match as it is after the last of its records.
            latest = {made["match_id"]: (record, made) for record, made in rows if made["match_id"]}
            gone = sa.delete(table).where(table.columns.match_id == sa.bindparam("of"))
            if latest:
                connection.execute(gone, [{"of": match} for match in latest])
            kept = self._settings.retracted == "mark"
            rows = [(r, made) for r, made in latest.values() if kept or r["op"] != "retract"]
        if rows:
            connection.execute(sa.insert(table), [made for _, made in rows])
        if batch is not None:
            known = self._delivered
            connection.execute(sa.delete(known).where(known.columns.sink == self._me))
            connection.execute(sa.insert(known), {"sink": self._me, "batch": batch})
