"""The state store on SQLite in WAL mode: one writer, who waits for the disk once a commit."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import zlib
from typing import IO, TYPE_CHECKING, Any

from limecep.contracts.state import Row
from limecep.errors import RunFailure
from limecep.model.time import FOREVER
from limecep_sqlite.locking import hold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from limecep.contracts.context import Context
    from limecep_sqlite.config import SqliteOptions

#: The layout of the database, which it knows as its `user_version`, and that without compressed values, which
#: becomes the other.
VERSION, PLAIN_VERSION = 2, 1
#: How large the pages of the database are, and the log of changes before these go into it.
PAGE_BYTES, LOG_BYTES = 512, 16_000_000
#: From how many bytes on values are compressed, and what those begin with that are.
PACKED_BYTES = 256
_MARK = b"\x00z"
_POSIX = os.name == "posix"
#: How many rows are read at a time.
PAGE_ROWS = 1000

_TABLES = """
CREATE TABLE rows (number INTEGER PRIMARY KEY, name TEXT NOT NULL, value BLOB NOT NULL);
CREATE TABLE journal (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    value BLOB NOT NULL
);
CREATE INDEX journal_by_last ON journal (last, first);
"""


class SqliteStore:
    """Keeps rows and a journal in a folder (`limecep.contracts.state`): the database `state.db`, what SQLite
    puts beside it, and `lock`, which whoever has it open holds."""

    def __init__(self, options: SqliteOptions, context: Context) -> None:
        self._folder: Path = context.root / options.dir
        # As it is called from where the process runs.
        self._path = str(self._folder)
        self._database = self._folder / "state.db"
        self._logger = context.logger
        self._lock: IO[str] | None = None
        self._connection: sqlite3.Connection | None = None
        self._log: int | None = None
        self._longest = 0

    # -- opening and closing -------------------------------------------------------------------------------

    def open(self) -> None:
        """Opens the state, or begins one.

        Raises:
            RunFailure: It is in use, damaged, of another version, or cannot be written.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._take_lock()
        except (FileExistsError, NotADirectoryError):
            raise RunFailure(
                f"cannot keep state in {self._path}: there is a file where a folder must be"
            ) from None
        except OSError as error:
            raise RunFailure(f"cannot keep state in {self._path}: {error.strerror or error}") from None
        if self._database.exists() and not self._database.stat().st_size:
            # As a crash in its first moment leaves it; whoever had a state is to know.
            self._logger.warning("the state is an empty file, and begins anew", path=str(self._database))
        try:
            self._connection = connection = self._connect("rwc")
            # Of a new one: a commit of a few rows writes few of small pages, which spares flash.
            connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_BYTES // PAGE_BYTES}")
            if not self._check(connection):
                connection.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.commit()
        except sqlite3.Error as error:
            self.close()
            raise self._failure("opened", error) from None
        except RunFailure:
            self.close()
            raise

    def peek(self) -> None:
        """Opens the state to be looked at.

        Raises:
            RunFailure: There is none, it is damaged, or of another version.
        """
        self._check_there()
        try:
            self._connection = connection = self._connect("ro")
            # What is read is of one moment.
            connection.execute("BEGIN")
            self._check(connection)
        except sqlite3.Error as error:
            self.close()
            raise self._failure("read", error) from None

    def close(self) -> None:
        """Drops what was not committed, and lets go."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()
        log, self._log = self._log, None
        if log is not None:
            os.close(log)
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close()

    def reset(self) -> None:
        """Deletes the database, and the folder if nothing else is in it.

        Raises:
            RunFailure: There is none, it is in use, or it cannot be deleted.
        """
        self._check_there()
        try:
            self._take_lock()
            for suffix in ("-wal", "-shm", ""):
                self._database.with_name(self._database.name + suffix).unlink(missing_ok=True)
            # Windows deletes no file that is open, elsewhere nobody else may take it in between.
            if not _POSIX:
                self.close()
            (self._folder / "lock").unlink()
            with contextlib.suppress(OSError):
                self._folder.rmdir()
        except OSError as error:
            raise RunFailure(f"cannot delete the state {self._path}: {error.strerror or error}") from None
        finally:
            self.close()

    def figures(self) -> dict[str, Any]:
        """Where it is, and how large."""
        sizes = []
        for suffix in ("", "-wal"):
            with contextlib.suppress(OSError):
                sizes.append(self._database.with_name(self._database.name + suffix).stat().st_size)
        return {"path": self._path, "bytes": sum(sizes)}

    # -- reading and writing -------------------------------------------------------------------------------

    def rows(self, name: str | None = None) -> Iterator[Row]:
        """The rows with a name, or all, in the order of their numbers."""
        condition, values = ("name = ? AND ", [name]) if name is not None else ("", [])
        query = f"SELECT number, name, value FROM rows WHERE {condition} number > ? ORDER BY number LIMIT ?"
        last = 0
        while True:
            # A page at a time: so it does not matter what is written meanwhile.
            page = self._execute(query, [*values, last, PAGE_ROWS]).fetchall()
            yield from (Row(number, name, self._unpacked(value)) for number, name, value in page)
            if len(page) < PAGE_ROWS:
                return
            last = page[-1][0]

    def put(self, rows: Iterable[Row]) -> None:
        """Writes rows."""
        packed = [(number, name, _packed(value)) for number, name, value in rows]
        self._executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?)", packed)

    def delete(self, numbers: Iterable[int]) -> None:
        """Deletes rows."""
        self._executemany("DELETE FROM rows WHERE number = ?", [(number,) for number in numbers])

    def append(self, first: int, last: int, value: bytes) -> None:
        """Writes a segment of the journal."""
        self._longest = max(self._longest, last - first)
        self._executemany(
            "INSERT INTO journal (first, last, value) VALUES (?, ?, ?)", [(first, last, _packed(value))]
        )

    def segments(self, low: int, high: int) -> Iterator[bytes]:
        """The segments that have anything of a range."""
        # What ends later than the longest one that begins in the range need not be looked at.
        query = "SELECT number FROM journal WHERE last BETWEEN ? AND ? AND first <= ? ORDER BY number"
        last = min(high + self._longest, FOREVER)
        for (number,) in self._execute(query, [low, last, high]).fetchall():
            found = self._execute("SELECT value FROM journal WHERE number = ?", [number]).fetchone()
            if found is not None:
                yield self._unpacked(found[0])

    def trim(self, before: int) -> None:
        """Deletes segments that end before a time."""
        self._executemany("DELETE FROM journal WHERE last < ?", [(before,)])

    def commit(self, *, durable: bool = True) -> None:
        """Keeps what was written.

        Raises:
            RunFailure: It cannot be kept.
        """
        connection = self._opened()
        try:
            connection.commit()
            if durable:
                self._sync()
        except sqlite3.Error as error:
            raise self._failure("written", error) from None
        except OSError as error:
            raise RunFailure(f"the state {self._path} cannot be written: {error.strerror or error}") from None

    # ------------------------------------------------------------------------------------------------------

    def _sync(self) -> None:
        """Waits for the disk: all that is committed stands in the log of changes, or behind it. SQLite would
        do so with every commit or with none."""
        if self._log is None:
            path = self._database.with_name(self._database.name + "-wal")
            # Windows waits for a file only that may be written.
            self._log = os.open(path, os.O_RDWR)
            # The folder's own entries, too: Windows opens no folders.
            if _POSIX:
                folder = os.open(self._folder, os.O_RDONLY)
                os.fsync(folder)
                os.close(folder)
        os.fsync(self._log)

    def _connect(self, mode: str) -> sqlite3.Connection:
        uri = f"{self._database.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(uri, uri=True, timeout=5, check_same_thread=False)

    def _check(self, connection: sqlite3.Connection) -> bool:
        """Whether there is a database, and not an empty file. Finds how long segments are.

        Raises:
            RunFailure: It is of another version.
        """
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version not in (0, PLAIN_VERSION, VERSION):
            raise RunFailure(
                f"the state {self._path} has a database of version {version}, this limecep writes version "
                f"{VERSION}: use the limecep that wrote it, or begin anew: limecep state reset {self._path}"
            )
        if version:
            longest = connection.execute("SELECT MAX(last - first) FROM journal").fetchone()[0]
            self._longest = int(longest or 0)
        return version > 0

    def _check_there(self) -> None:
        if not self._database.is_file():
            raise RunFailure(f"there is no state in {self._path}")

    def _take_lock(self) -> None:
        lock = (self._folder / "lock").open("a+")
        try:
            hold(lock)
        except OSError:
            lock.seek(0)
            owner = lock.read().strip()
            lock.close()
            raise RunFailure(
                f"the state {self._path} is in use by process {owner or 'unknown'}: a pipeline runs once at "
                "a time, and each has a 'dir' of its own"
            ) from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        self._lock = lock

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            raise RunFailure(f"the state {self._path} is not open")
        return self._connection

    def _execute(self, query: str, values: list[Any]) -> sqlite3.Cursor:
        try:
            return self._opened().execute(query, values)
        except sqlite3.Error as error:
            raise self._failure("read", error) from None

    def _executemany(self, query: str, values: Iterable[Any]) -> None:
        try:
            self._opened().executemany(query, values)
        except sqlite3.Error as error:
            raise self._failure("written", error) from None

    def _unpacked(self, value: bytes) -> bytes:
        """A value as it was given.

        Raises:
            RunFailure: Nobody can have stored it so.
        """
        if not value.startswith(_MARK):
            return value
        try:
            return zlib.decompress(value[len(_MARK) :])
        except zlib.error as error:
            raise RunFailure(
                f"the state is damaged: {error}. To begin anew: limecep state reset {self._path}"
            ) from None

    def _failure(self, what: str, error: sqlite3.Error) -> RunFailure:
        # What SQLite says of damage is a DatabaseError and none of its special cases.
        damaged = type(error) is sqlite3.DatabaseError
        hint = f". To begin anew: limecep state reset {self._path}" if damaged else ""
        return RunFailure(f"the state {self._path} cannot be {what}: {error}{hint}")


def _packed(value: bytes) -> bytes:
    """A value as it is stored: what is not short is compressed, as flash wears out by what is written."""
    if len(value) < PACKED_BYTES and not value.startswith(_MARK):
        return value
    return _MARK + zlib.compress(value, 1)
