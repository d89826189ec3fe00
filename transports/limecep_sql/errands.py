"""Errands: calls that may take long, run by a thread while it is looked whether the run has to end."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

#: How often it is looked whether the run has to end, in seconds.
GLANCE_SECONDS = 0.1
#: How long is waited for the thread to end, in seconds.
FAREWELL_SECONDS = 1.0


class Errands:
    """Runs one call after the other in a thread of its own, which the end of the process ends.

    Args:
        name: Of the thread.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def run(self, call: Callable[[], T], glance: Callable[[], None]) -> T:
        """What a call gives.

        Args:
            call: The call.
            glance: Called while it goes on; what it raises is raised here, and the call is left alone.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
            self._thread.start()
        done: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

        def called() -> None:
            try:
                done.put((call(), None))
            except BaseException as error:
                done.put((None, error))

        self._calls.put(called)
        while True:
            try:
                value, error = done.get(timeout=GLANCE_SECONDS)
            except Empty:
                glance()
                continue
            if error is not None:
                raise error
            return value  # type: ignore[return-value]

    def close(self) -> None:
        """Ends the thread. May be called twice."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._calls.put(None)
            thread.join(FAREWELL_SECONDS)

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
