"""When what a worker does is to end."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from traceback import walk_stack
from typing import TYPE_CHECKING

from limecep.embedding.pipelines import RunEnd
from limecep.errors import Stopped
from limecep_local.processes import ASKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

#: How long what a worker does may go on once it is asked to end, in seconds.
_HUNG_SECONDS = 0.3


class Parted(RunEnd):
    """Knows that a long search is to end: the process that asked for it is gone, or says so by a signal."""

    def __init__(self) -> None:
        super().__init__(grace=0.0)
        self._parent = os.getppid()
        self._told = self._responding = False
        self.stop = lambda: self._told or os.getppid() != self._parent

    @contextmanager
    def heeding(self, tell: Callable[[Sequence[FrameType]], object]) -> Iterator[None]:
        """Inside it the signal is heeded: `Stopped` is raised where nothing is being done, and what is done
        and goes on all the same is told.

        Args:
            tell: Given the frames that run then, the outermost first.
        """

        def ask(number: int, frame: FrameType | None) -> None:
            self._told = True
            if not self._responding:
                raise Stopped
            signal.setitimer(signal.ITIMER_REAL, _HUNG_SECONDS)

        def look(number: int, frame: FrameType | None) -> None:
            if self._responding:
                tell([f for f, _ in walk_stack(frame)][::-1])

        handlers = {signal.SIGALRM: look, ASKS: ask}
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def responding(self) -> Iterator[None]:
        """Inside it something is done that may take long."""
        self._responding = True
        try:
            yield
        finally:
            self._responding = False
