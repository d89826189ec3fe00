"""Where bytes come from: a plain or gzip file, a pipe, a file that grows.

A feed has `read(timeout)`: bytes; `b""` if there are none yet; None if there will be none. `generation` goes
up when what follows is another file, or the same begun anew. `progress` is how many bytes were read and how
many there are, None where that cannot be told. `offset` is the place in the file that is read next, None
where `seek` cannot go to one. All raise OSError; gzip also EOFError and zlib.error, text in another encoding
UnicodeError.
"""

from __future__ import annotations

import codecs
import gzip
import os
import select
from typing import TYPE_CHECKING, Protocol

from limecep.clock import Stopwatch, pause

if TYPE_CHECKING:
    from pathlib import Path

#: How often a file that is followed is looked at, in seconds.
PERIOD_SECONDS = 0.05

#: Whether a pipe can be waited for with a timeout. Windows waits for sockets only: there a read of a pipe
#: lasts until something comes.
_CAN_WAIT = os.name == "posix"

#: What stands for bytes that are not in the encoding of their text: in UTF-8 it never occurs.
UNREADABLE = b"\xff"
_HANDLER = "limecep_file.unreadable"
codecs.register_error(_HANDLER, lambda error: ("\udcff", error.end))  # type: ignore[attr-defined]


class Feed(Protocol):
    """See the module."""

    generation: int

    @property
    def progress(self) -> tuple[int, int] | None:
        """How far it is."""

    @property
    def offset(self) -> int | None:
        """Where it is."""

    def seek(self, offset: int) -> None:
        """Goes there."""

    def read(self, timeout: float) -> bytes | None:
        """The next bytes."""

    def close(self) -> None:
        """Lets go of the file."""


class WholeFeed:
    """A file that is read to its end."""

    generation = 0

    def __init__(self, path: Path, chunk: int) -> None:
        self._chunk = chunk
        self._raw = path.open("rb", buffering=0)
        self._size = os.fstat(self._raw.fileno()).st_size
        self._packed = gzip.GzipFile(fileobj=self._raw) if path.name.lower().endswith(".gz") else None

    @property
    def progress(self) -> tuple[int, int] | None:
        return None if self._raw.closed else (self._raw.tell(), self._size)

    @property
    def offset(self) -> int | None:
        return None if self._packed is not None else self._raw.tell()

    def seek(self, offset: int) -> None:
        self._raw.seek(offset)

    def read(self, timeout: float) -> bytes | None:
        if self._packed is None:
            return self._raw.read(self._chunk) or None
        # `read` would go on to what is damaged, and give nothing of what came before it.
        return self._packed.read1(self._chunk) or None

    def close(self) -> None:
        if self._packed is not None:
            self._packed.close()
        self._raw.close()


class PipeFeed:
    """Standard input, a named pipe, a terminal: whatever brings bytes when it pleases."""

    generation = 0
    progress = None
    offset = None

    def __init__(self, descriptor: int, chunk: int, *, own: bool) -> None:
        self._descriptor = descriptor
        self._chunk = chunk
        self._own = own

    def seek(self, offset: int) -> None:
        raise OSError("a pipe is read once")

    def read(self, timeout: float) -> bytes | None:
        if _CAN_WAIT and not select.select([self._descriptor], [], [], timeout)[0]:
            return b""
        return os.read(self._descriptor, self._chunk) or None

    def close(self) -> None:
        if self._own:
            os.close(self._descriptor)
            self._own = False


class RecodedFeed:
    """The text of another feed in UTF-8, with `UNREADABLE` for bytes that are not in its encoding."""

    # What was decoded may end within a character.
    offset = None

    def __init__(self, feed: Feed, encoding: str) -> None:
        self.generation = feed.generation
        self._feed = feed
        self._make = codecs.getincrementaldecoder(encoding)
        self._decoder = self._make(_HANDLER)

    @property
    def progress(self) -> tuple[int, int] | None:
        return self._feed.progress

    def seek(self, offset: int) -> None:
        raise OSError("recoded text is read from its beginning")

    def read(self, timeout: float) -> bytes | None:
        data = self._feed.read(timeout)
        if self._feed.generation != self.generation:
            self.generation = self._feed.generation
            self._decoder = self._make(_HANDLER)
            return data
        # The input may end within a character.
        text = self._decoder.decode(data or b"", final=data is None)
        return text.encode("utf-8", "surrogateescape") or (None if data is None else b"")

    def close(self) -> None:
        self._feed.close()


class FollowFeed:
    """A file that grows: what is appended, and what comes in its place when it is renamed or cut (`tail
    -F`)."""

    progress = None
    offset = None

    def __init__(self, path: Path, chunk: int) -> None:
        self.generation = 0
        self._path = path
        self._chunk = chunk
        self._file = path.open("rb", buffering=0)

    def seek(self, offset: int) -> None:
        self._file.seek(offset)

    def read(self, timeout: float) -> bytes | None:
        watch = Stopwatch()
        while True:
            data = self._file.read(self._chunk)
            if data or self._begun_anew():
                return data
            left = timeout - watch.seconds
            if left <= 0:
                return b""
            pause(min(left, PERIOD_SECONDS))

    def close(self) -> None:
        self._file.close()

    def _begun_anew(self) -> bool:
        """Whether the path now leads to another file, or this one was cut; if so, goes to its beginning."""
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False  # Renamed, and the next one not yet there.
        here = os.fstat(self._file.fileno())
        if (there.st_dev, there.st_ino) != (here.st_dev, here.st_ino):
            if here.st_size > self._file.tell():
                return False  # It grew before it was renamed: that first.
            self._file.close()
            self._file = self._path.open("rb", buffering=0)
        elif here.st_size < self._file.tell():
            self._file.seek(0)
        else:
            return False
        self.generation += 1
        return True
