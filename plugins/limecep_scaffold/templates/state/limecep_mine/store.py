"""A file to whose end each batch is written: the state is what all batches say, one after the other."""

from __future__ import annotations

import fcntl
import os
import zlib
from typing import IO, TYPE_CHECKING, Any

import msgspec

from limecep.api import Row, RunFailure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limecep.api import Context
    from limecep_mine.config import MineOptions

#: What a file begins with. Another layout gets another one.
MAGIC = b"mine 1\n"

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


class MineStore:
    """All is in memory, too. The file is written anew when it is opened, so that it does not grow for
    ever."""

    def __init__(self, options: MineOptions, context: Context) -> None:
        self._folder = context.root / options.dir
        self._path = self._folder / "state.log"
        self._lock: IO[bytes] | None = None
        self._file: IO[bytes] | None = None
        self._clear()

    def _clear(self) -> None:
        self._rows: dict[int, Row] = {}
        self._segments: list[tuple[int, int, bytes]] = []
        self._batch: list[tuple[Any, ...]] = []

    # -- opening and closing -------------------------------------------------------------------------------

    def open(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._take_lock()
            self._clear()
            if self._path.exists():
                self._read()
            self._write_anew()
        except OSError as e:
            self.close()
            raise self._failure(e) from None

    def peek(self) -> None:
        self._check_there()
        self._clear()
        self._read()

    def close(self) -> None:
        for file in (self._file, self._lock):
            if file is not None:
                file.close()
        self._file = self._lock = None
        self._clear()

    def reset(self) -> None:
        self._check_there()
        try:
            self._take_lock()
            self._path.unlink()
        except OSError as e:
            raise self._failure(e) from None
        finally:
            self.close()

    def figures(self) -> dict[str, Any]:
        return {
            "path": str(self._folder),
            "bytes": self._path.stat().st_size if self._path.exists() else 0,
        }

    # -- reading and writing -------------------------------------------------------------------------------

    def rows(self, name: str | None = None) -> Iterator[Row]:
        numbers = sorted(number for number, row in self._rows.items() if name in (None, row.name))
        for number in numbers:
            if number in self._rows:
                yield self._rows[number]

    def put(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._do("put", *row)

    def delete(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._do("delete", number)

    def append(self, first: int, last: int, value: bytes) -> None:
        self._do("append", first, last, value)

    def segments(self, low: int, high: int) -> Iterator[bytes]:
        return iter([value for first, last, value in self._segments if last >= low and first <= high])

    def trim(self, before: int) -> None:
        self._do("trim", before)

    def commit(self, *, durable: bool = True) -> None:
        if self._file is None:
            raise RunFailure(f"the state {self._folder} is not open")
        batch, self._batch = self._batch, []
        try:
            self._file.write(_framed(batch))
            self._file.flush()
            if durable:
                os.fsync(self._file.fileno())
        except OSError as e:
            raise self._failure(e) from None

    # ------------------------------------------------------------------------------------------------------

    def _do(self, *change: Any) -> None:
        """Makes a change, and keeps it for the commit."""
        self._batch.append(change)
        self._apply(change)

    def _apply(self, change: Any) -> None:
        what, *values = change
        if what == "put":
            self._rows[values[0]] = Row(*values)
        elif what == "delete":
            self._rows.pop(values[0], None)
        elif what == "append":
            self._segments.append(tuple(values))
        else:
            self._segments = [segment for segment in self._segments if segment[1] >= values[0]]

    def _read(self) -> None:
        """Does again what all batches say, up to the first that is not whole: a crash has left it."""
        data = self._path.read_bytes()
        if not data.startswith(MAGIC):
            raise RunFailure(f"{self._path} is no state of this version")
        at = len(MAGIC)
        while at + 8 <= len(data):
            size, check = (int.from_bytes(data[at + i : at + i + 4], "big") for i in (0, 4))
            body = data[at + 8 : at + 8 + size]
            if len(body) < size or zlib.crc32(body) != check:
                break
            for change in _decode(body):
                self._apply(change)
            at += 8 + size

    def _write_anew(self) -> None:
        everything: list[tuple[Any, ...]] = [("put", *row) for row in self._rows.values()]
        everything += [("append", *segment) for segment in self._segments]
        fresh = self._path.with_suffix(".new")
        self._file = fresh.open("wb")
        self._file.write(MAGIC + _framed(everything))
        self._file.flush()
        os.fsync(self._file.fileno())
        fresh.rename(self._path)

    def _check_there(self) -> None:
        if not self._path.exists():
            raise RunFailure(f"there is no state in {self._folder}")

    def _take_lock(self) -> None:
        lock = (self._folder / "lock").open("wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise RunFailure(f"the state {self._folder} is in use by another process") from None
        self._lock = lock

    def _failure(self, error: OSError) -> RunFailure:
        return RunFailure(f"the state {self._folder} cannot be kept: {error.strerror}")


def _framed(batch: list[tuple[Any, ...]]) -> bytes:
    """A batch with its size and a checksum."""
    body = _encode(batch)
    return len(body).to_bytes(4, "big") + zlib.crc32(body).to_bytes(4, "big") + body
