"""The last resort: a run that goes on although it was asked to end, and cannot be cut off, is ended."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

from limecep.cli.exits import Exit
from limecep.cli.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

_ASKS = {signal.SIGINT, signal.SIGTERM}
#: Windows has none: there a closed terminal asks for nothing.
_HANGUP: int = getattr(signal, "SIGHUP", 0)

#: Those that are entered: what is registered for a fork stays so as long as the process lasts.
_entered: list[LastResort] = []


def _part() -> None:
    """This process is a copy: what it is told does not concern the other."""
    for last in _entered:
        last.part()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_part)


class LastResort:
    """Inside `with`, a thread waits for a signal that asks the process to end, or for the time to be up that
    the run was given, and ends the process if that takes too long. It is told of signals although the main
    thread is in a call that does not return, and sees what that is in. Only a call that holds Python's lock
    keeps it from acting.

    Args:
        seconds: How long the end may take.

    Attributes:
        overdue: How long ago the time was up that the run was given, in seconds; below 0 while it is not.
        running: Says which component runs in some frames, the outermost first; "" if that is not known.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.overdue: Callable[[], float] = lambda: -1.0
        self.running: Callable[[Sequence[FrameType]], str] = lambda frames: ""
        self._terminal: Terminal | None = None
        self._asked, self._told, self._before = -1, -1, -1
        self._over = threading.Event()

    def __enter__(self) -> LastResort:
        self._terminal = Terminal()
        self._asked, self._told = os.pipe()
        # What Windows can do with Python 3.12 or newer only, and needs not.
        if hasattr(os, "set_blocking"):
            os.set_blocking(self._told, False)
        self._over.clear()
        self._before = signal.set_wakeup_fd(self._told, warn_on_full_buffer=False)
        _entered.append(self)
        threading.Thread(target=self._watch, args=(threading.get_ident(),), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        _entered.remove(self)
        signal.set_wakeup_fd(self._before)
        self._over.set()
        told, self._told = self._told, -1
        # The other end is closed by who reads it.
        os.close(told)

    def part(self) -> None:
        """In a copy of the process: signals there are told to nobody."""
        if (set_by := signal.set_wakeup_fd(-1)) != self._told:
            signal.set_wakeup_fd(set_by)
        os.close(self._told)

    def _watch(self, main: int) -> None:
        try:
            while numbers := os.read(self._asked, 64):
                # Whoever gave a run a time looks at that again and again, by a signal of its own.
                closed = _HANGUP in numbers and self._terminal and self._terminal.closed
                if closed or _ASKS.intersection(numbers) or self.overdue() > 0:
                    self._wait(main)
        finally:
            os.close(self._asked)

    def _wait(self, main: int) -> None:
        """Waits for the end."""
        if self._over.wait(self._seconds):
            return
        try:
            from limecep.cli.last_words import say

            say(main, self._seconds, self.running)
        finally:
            os._exit(Exit.FAILED)
