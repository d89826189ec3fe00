"""The source of a table that grows."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from limecep.clock import Stopwatch
from limecep.contracts.source import Message
from limecep.errors import RunFailure
from limecep_sql.database import Database, check_growing
from limecep_sql.gaps import BEGINNING, Gaps
from limecep_sql.rows import as_json, as_message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.contracts.context import Context
    from limecep_sql.config import SqlOptions, SqlSettings

#: How many rows are read at a time, and how many wait at most until they are polled.
PAGE_ROWS = 1_000
WAITING_ROWS = 8_192
#: How long is waited for the thread to end, in seconds.
FAREWELL_SECONDS = 1.0


class SqlSource:
    """The rows of a table, in the order of a column that grows (`limecep.contracts.source`).

    A thread reads them ahead, and connects again. Positions are `table:number`.
    """

    ended = False

    def __init__(self, channel: str, settings: SqlSettings, options: SqlOptions, context: Context) -> None:
        self._name = channel
        self._settings = settings
        self._fails = options.on_unavailable == "fail"
        self._context = context
        self._database = Database(options, context)
        self._gaps = Gaps(0.0 if self._database.serial else settings.gaps / 1_000_000)
        self._watch = Stopwatch()
        self._changed = threading.Condition()
        self._messages: deque[Message] = deque()
        self._table: sa.Table | None = None
        #: After which number reading begins; None: not known yet. And how far it has come.
        self._begin = BEGINNING if settings.start == "earliest" else None
        self._sought = False
        self._last = self._polled = BEGINNING
        self._up = False
        self._failure = ""
        self._ending = False
        self._thread: threading.Thread | None = None

    def seek(self, positions: Sequence[str]) -> None:
        """Goes on after the last of these."""
        self._sought = True
        self._last = self._polled = max(int(p.rpartition(":")[2]) for p in positions)

    def open(self) -> None:
        """Begins to read, and does not wait."""
        if self._thread is None:
            name = f"limecep {self._context.label}"
            self._thread = threading.Thread(target=self._run, name=name, daemon=True)
            self._thread.start()

    @property
    def connected(self) -> bool:
        """Whether the table was read."""
        return self._up

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """Up to `limit` rows: what is there, after at most `timeout` seconds.

        Raises:
            RunFailure: The table cannot be read, and waiting will not help.
        """
        with self._changed:
            if timeout > 0 and not self._messages and not self._failure:
                self._changed.wait(timeout)
            taken = [self._messages.popleft() for _ in range(min(limit, len(self._messages)))]
            if taken:
                self._polled = int(taken[-1].position.rpartition(":")[2])
                self._changed.notify_all()
            elif self._failure:
                raise RunFailure(self._failure)
        return taken

    def commit(self, positions: Sequence[str]) -> None:
        """Nothing: the state knows where to go on."""

    def close(self) -> None:
        """Ends the connection."""
        thread, self._thread = self._thread, None
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        if thread is not None:
            thread.join(FAREWELL_SECONDS)
        self._database.close()

    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        """The rows polled so far. None where a run before this one began after the last row: nobody knows
        which that was.

        Raises:
            RunFailure: While it is read: it cannot be.
        """
        if self._settings.start == "latest" and self._sought:
            return None
        if self._begin is None or t_from > t_to:
            return ()
        return self._again(self._begin, self._polled)

    def _again(self, begin: int, end: int) -> Iterator[Message]:
        table = self._table
        while table is not None and begin < end:
            try:
                with self._database.engine.connect() as connection:
                    messages = self._page(connection, table, begin, end)
            except SQLAlchemyError as error:
                raise RunFailure(self._database.trouble(error).words) from None
            if not messages:
                return
            yield from messages
            begin = int(messages[-1].position.rpartition(":")[2])

    # -- in its own thread ---------------------------------------------------------------------------------

    def _run(self) -> None:
        tries = 0
        while not self._ending:
            try:
                with self._database.engine.connect() as connection:
                    self._read(connection)
            except RunFailure as failure:
                self._fail(str(failure))
            except SQLAlchemyError as error:
                trouble = self._database.trouble(error)
                tries = 1 if self._up else tries + 1
                self._up = False
                if not trouble.again or self._fails:
                    self._fail(trouble.words)
                    return
                if tries == 1:
                    self._context.logger.warning(
                        "the database cannot be read, and is tried again", error=trouble.words
                    )
                self._pause(self._database.wait(tries))
            except Exception as error:
                self._fail(f"{self._database.shown}: {type(error).__name__}: {error}")
            if self._failure:
                return

    def _read(self, connection: sa.Connection) -> None:
        """Reads until it is to end."""
        settings = self._settings
        table = self._database.table(connection, self._name)
        check_growing(connection, table, settings.by, settings.column)
        by = table.columns[settings.by]
        least = connection.scalar(sa.select(sa.func.min(by)))
        if least is not None and least < 0:
            raise RunFailure(f"table '{self._name}': column '{settings.by}' has numbers below 0")
        if self._begin is None:
            highest = connection.scalar(sa.select(sa.func.max(by)))
            self._begin = BEGINNING if highest is None else highest
            if not self._sought:
                self._last = self._begin
        self._table = table
        while not self._ending:
            highest = connection.scalar(sa.select(sa.func.max(by)))
            if highest is not None:
                self._gaps.seen(highest, self._watch.seconds)
            messages = self._page(connection, table, self._last, BEGINNING if highest is None else highest)
            # Else the next look would see what this one saw.
            connection.rollback()
            if not self._up:
                self._up = True
                self._context.logger.info("connected", database=self._database.shown, table=self._name)
            more = self._take(messages)
            if not more:
                self._pause(settings.every / 1_000_000)

    def _page(self, connection: sa.Connection, table: sa.Table, after: int, end: int) -> list[Message]:
        settings = self._settings
        by: sa.ColumnClause[Any] = sa.column(settings.by)
        # Without their types: the driver's own values are what JSON is made of.
        columns: list[sa.ColumnClause[Any]] = [sa.column(c.name) for c in table.columns]
        wanted = [by, sa.column(settings.column)] if settings.column else [by, *columns]
        names = [c.name for c in columns]
        rows = connection.execute(
            sa.select(*wanted).select_from(table).where(by > after, by <= end).order_by(by).limit(PAGE_ROWS)
        )
        now = self._context.clock.now()
        return [
            Message(
                as_message(row[1]) if settings.column else as_json(names, row[1:]),
                self._name,
                f"{self._name}:{row[0]}",
                now,
            )
            for row in rows
        ]

    def _take(self, messages: Sequence[Message]) -> bool:
        """Hands over what nothing can come before; says whether there may be more."""
        numbers = [int(m.position.rpartition(":")[2]) for m in messages]
        passed = self._gaps.passed
        whole = self._gaps.whole(self._last, numbers)
        if self._gaps.passed > passed and not self._database.serial:
            if not passed:
                self._context.logger.info(
                    "numbers are missing, and are waited for no more (later ones are counted)",
                    table=self._name,
                )
            self._context.counters["gaps"] += self._gaps.passed - passed
        if not whole:
            return False
        with self._changed:
            self._messages += messages[:whole]
            self._last = numbers[whole - 1]
            self._changed.notify_all()
            self._changed.wait_for(lambda: len(self._messages) < WAITING_ROWS or self._ending)
        return whole == PAGE_ROWS

    def _pause(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._ending, seconds)

    def _fail(self, words: str) -> None:
        with self._changed:
            self._failure = words
            self._changed.notify_all()
