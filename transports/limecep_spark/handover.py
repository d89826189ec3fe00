"""Between Spark's thread, which brings rows, and the kernel's, which says when they are done with."""

from __future__ import annotations

from collections import deque
from threading import Condition
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: Rows, each with its number in its micro-batch, from 1; and the number of that batch.
Chunk = tuple[int, "Sequence[tuple[int, Any]]"]

#: How many chunks may wait, so that nothing is read ahead without bound.
_WAITING_CHUNKS = 4
#: How often it is looked whether waiting makes sense, in seconds.
_GLANCE_SECONDS = 0.2


class Closed(Exception):
    """Nobody takes rows any more."""


class Handover:
    """Hands rows over, chunk by chunk.

    Args:
        glance: Called in Spark's thread several times a second while it waits; may raise.

    Attributes:
        over: Whether all was handed over that there is.
        error: Why not, if something went wrong.
    """

    def __init__(self, glance: Callable[[], object] = lambda: None) -> None:
        self._glance = glance
        self._changed = Condition()
        self._chunks: deque[Chunk] = deque()
        self._given = self._done = 0
        self._closed = False
        self.over = False
        self.error: BaseException | None = None

    # -- Spark's side --------------------------------------------------------------------------------------

    def give(self, batch: int, rows: Sequence[tuple[int, Any]]) -> None:
        """Hands rows of a micro-batch over, once there is room.

        Raises:
            Closed: Nobody takes them any more.
        """
        self._wait(lambda: len(self._chunks) < _WAITING_CHUNKS)
        with self._changed:
            self._chunks.append((batch, rows))
            self._given += len(rows)
            self._changed.notify_all()

    def settle(self) -> None:
        """Returns when all that was handed over is done with.

        Raises:
            Closed: That will not be.
        """
        self._wait(lambda: self._done >= self._given)

    def end(self, error: BaseException | None = None) -> None:
        """Nothing more comes."""
        with self._changed:
            self.over, self.error = True, error
            self._changed.notify_all()

    def _wait(self, until: Callable[[], bool]) -> None:
        with self._changed:
            while not self._changed.wait_for(lambda: self._closed or until(), _GLANCE_SECONDS):
                self._glance()
            if self._closed:
                raise Closed

    # -- the kernel's side ---------------------------------------------------------------------------------

    def take(self, timeout: float) -> Chunk | None:
        """Some rows; None if none come in time."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._chunks) or self.over, timeout)
            if not self._chunks:
                return None
            chunk = self._chunks.popleft()
            self._changed.notify_all()
            return chunk

    @property
    def empty(self) -> bool:
        """Whether no row waits to be taken."""
        return not self._chunks

    def done(self, count: int) -> None:
        """So many rows are done with."""
        with self._changed:
            self._done += count
            self._changed.notify_all()

    def close(self) -> None:
        """Takes no more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
