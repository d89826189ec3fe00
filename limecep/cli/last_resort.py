"""The last resort: a run that goes on although it was asked to end, and cannot be cut off, is ended."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from typing import TYPE_CHECKING

from limecep.cli.exits import Exit
from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

_ASKS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


class LastResort:
    """Inside `with`, a thread waits for a signal that asks the process to end, and ends it if that takes too
    long. It is told of signals although the main thread is in a call that does not return, and sees what that
    is in. Only a call that holds Python's lock keeps it from acting.

    Args:
        seconds: How long the end may take.
        running: Says which component runs in some frames, the outermost first; "" if that is not known.
    """

    def __init__(self, seconds: float, running: Callable[[Sequence[FrameType]], str]) -> None:
        self._seconds = seconds
        self._running = running
        self._asked, self._told = -1, -1
        self._before = -1

    def __enter__(self) -> None:
        self._asked, self._told = os.pipe()
        os.set_blocking(self._told, False)
        self._before = signal.set_wakeup_fd(self._told, warn_on_full_buffer=False)
        threading.Thread(target=self._watch, args=(threading.get_ident(),), daemon=True).start()

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(self._before)
        # The other end is closed by who reads it.
        os.close(self._told)

    def _watch(self, main: int) -> None:
        try:
            while numbers := os.read(self._asked, 64):
                if _ASKS.intersection(numbers):
                    self._wait(main)
        finally:
            os.close(self._asked)

    def _wait(self, main: int) -> None:
        """Waits for the end."""
        watch = Stopwatch()
        while (left := self._seconds - watch.seconds) > 0:
            ready, _, _ = select.select([self._asked], [], [], left)
            if ready and not os.read(self._asked, 64):
                return
        frames = []
        frame = sys._current_frames().get(main)
        while frame is not None:
            frames.append(frame)
            frame = frame.f_back
        who = self._running(frames[::-1]) or (_place(frames[0]) if frames else "it is not known in what")
        os.write(2, f"limecep: the run did not end within {self._seconds:g} s: {who} goes on\n".encode())
        os._exit(Exit.FAILED)


def _place(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename}:{frame.f_lineno} ({frame.f_code.co_qualname})"
