"""The desk between the server and the pipeline: what came in, and what is to be answered."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from limecep.contracts.source import Message
from limecep_http.paths import matcher

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.clock import Clock

    Headers = tuple[tuple[str, bytes], ...]

#: What a request counts beside its body, in bytes.
REQUEST_BYTES = 1024


class Slip:
    """A request whose answer waits until all of it is done with.

    Args:
        size: How many bytes it is taken for.
        answer: Called when it can be answered, in the pipeline's thread.

    Attributes:
        first: The number of its first message.
        waiting: How many messages are not done with, counted for each source that has them.
        invalid: How many of its records gave no event.
        errors: The messages that they are in, by their places from 0 on, each with the first reason.
    """

    __slots__ = ("answer", "errors", "first", "invalid", "size", "waiting")

    def __init__(self, size: int, answer: Callable[[], object]) -> None:
        self.size = size
        self.first = 0
        self.waiting = 0
        self.invalid = 0
        self.errors: dict[int, str] = {}
        self.answer = answer


class Inbox:
    """What came for one source.

    Args:
        path: The path it listens at.
    """

    def __init__(self, path: str) -> None:
        self.takes = matcher(path)
        self.messages: deque[tuple[Message, Slip]] = deque()


class Desk:
    """Takes requests from the server's thread, and gives the pipeline's thread their messages.

    Args:
        bound: How many bytes may wait until they are done with.
        clock: Says when a message arrives.
    """

    def __init__(self, bound: int, clock: Clock) -> None:
        self._bound = bound
        self._clock = clock
        self._changed = threading.Condition()
        self._inboxes: list[Inbox] = []
        self._open: set[int] = set()
        self._number = 0
        #: The messages that nobody took yet.
        self._held = 0
        #: The bytes of all that is not done with.
        self._size = 0
        self._slips: set[Slip] = set()
        self._closed = False

    def add(self, inbox: Inbox) -> None:
        """One more source."""
        self._inboxes.append(inbox)

    def takers(self, name: str) -> list[Inbox]:
        """The sources that listen at a path."""
        return [inbox for inbox in self._inboxes if inbox.takes(name)]

    # -- called in the server's thread ---------------------------------------------------------------------

    def reserve(self, slip: Slip) -> bool:
        """Keeps room for a request; False if there is none, or no more is taken."""
        with self._changed:
            if self._closed or (self._size and self._size + slip.size > self._bound):
                return False
            self._size += slip.size
        return True

    def release(self, slip: Slip) -> None:
        """The request has brought nothing."""
        with self._changed:
            self._size -= slip.size

    def put(
        self, name: str, bodies: Sequence[bytes], headers: Headers, takers: Sequence[Inbox], slip: Slip
    ) -> None:
        """Takes what was posted, for which there is room."""
        with self._changed:
            slip.first = self._number + 1
            slip.waiting = len(bodies) * len(takers)
            if self._closed:
                slip.answer()
                return
            now = self._clock.now()
            for body in bodies:
                self._number += 1
                message = Message(body, name, f"{name}:{self._number}", now, None, headers)
                for inbox in takers:
                    inbox.messages.append((message, slip))
            self._held += slip.waiting
            self._slips.add(slip)
            self._changed.notify_all()

    # -- called in the pipeline's thread -------------------------------------------------------------------

    @property
    def pressed(self) -> bool:
        """Whether half of what may wait waits."""
        return 2 * self._size >= self._bound

    def take(self, inbox: Inbox, limit: int, timeout: float) -> list[tuple[Message, Slip]]:
        """Up to `limit` messages of a source. Waits up to `timeout` seconds for one, but not while there are
        any for another source, which is polled next."""
        with self._changed:
            if timeout > 0 and not self._held:
                self._changed.wait(timeout)
            queue = inbox.messages
            taken = [queue.popleft() for _ in range(min(limit, len(queue)))]
            self._held -= len(taken)
        return taken

    def settle(self, slips: Sequence[Slip]) -> None:
        """A source is done with a message of each of these."""
        done = []
        for slip in slips:
            slip.waiting -= 1
            if not slip.waiting:
                done.append(slip)
        with self._changed:
            for slip in done:
                self._size -= slip.size
                self._slips.discard(slip)
        for slip in done:
            slip.answer()

    def close(self) -> list[Slip]:
        """Takes no more. Gives the requests that are not done with."""
        with self._changed:
            self._closed = True
            left = [*self._slips]
            self._slips.clear()
        return left
