"""The lines of a file that were polled, once more."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from typing import TYPE_CHECKING

from limecep.errors import RunFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.source import Message
    from limecep_file.stream import FileStream

#: How many bytes are read at a time: a few lines may be all that is wanted.
CHUNK_BYTES = 16_384
#: How many lines are made ready at a time.
TURN_LINES = 16
#: The most places that are remembered of a file.
KEPT_PLACES = 1 << 16


class Places:
    """Where in a file some of its lines begin."""

    def __init__(self) -> None:
        self._lines = array("q")
        self._offsets = array("q")

    def add(self, line: int, offset: int) -> None:
        """So many lines stand before a byte."""
        if self._lines and line <= self._lines[-1]:
            return
        self._lines.append(line)
        self._offsets.append(offset)
        if len(self._lines) > KEPT_PLACES:
            self._lines, self._offsets = self._lines[::2], self._offsets[::2]

    def before(self, line: int) -> tuple[int, int]:
        """The last place that is not behind so many lines."""
        i = bisect_right(self._lines, line) - 1
        return (self._lines[i], self._offsets[i]) if i >= 0 else (0, 0)


class Again:
    """The first lines of a file, once more (`limecep.contracts.source.Log`).

    Args:
        make: Makes the stream that reads them.
        count: How many there were.
    """

    def __init__(self, make: Callable[[], FileStream], count: int) -> None:
        self._make = make
        self._count = count
        self._stream: FileStream | None = None
        # What was read and not given yet, and how many lines were given or passed over.
        self._ready: deque[Message] = deque()
        self._at = 0

    def __iter__(self) -> Again:
        return self

    def __next__(self) -> Message:
        if not self._ready:
            self._ready.extend(self._read())
            if not self._ready:
                self._close()
                raise StopIteration
        self._at += 1
        return self._ready.popleft()

    def skip(self, count: int) -> None:
        """Passes over so many lines."""
        self._at += count
        while count and self._ready:
            self._ready.popleft()
            count -= 1
        if count and self._at < self._count:
            self._opened().go_to(self._at)

    def _read(self) -> Sequence[Message]:
        """The next lines; none where all were read.

        Raises:
            RunFailure: There are fewer than there were.
        """
        left = self._count - self._at
        if left <= 0:
            return ()
        stream = self._opened()
        lines: Sequence[Message] = ()
        while not lines and not stream.ended:
            lines = stream.poll(min(left, TURN_LINES), 0.0)
        if not lines:
            self._close()
            raise RunFailure(f"cannot read {stream.channel} again: it is shorter than it was")
        return lines

    def _opened(self) -> FileStream:
        if self._stream is None:
            self._stream = self._make()
            self._stream.open()
        return self._stream

    def _close(self) -> None:
        if self._stream is not None:
            self._stream.close()

    def __del__(self) -> None:
        self._close()
