"""Ending a run in order on Ctrl-C, on SIGTERM, and when its terminal is closed (SIGHUP). Where that is still
open, or never was one, SIGHUP ends nothing: who rotates logs sends it to services."""

from __future__ import annotations

import math
import signal
from contextlib import contextmanager
from traceback import walk_stack
from typing import TYPE_CHECKING, Any

from limecep.cli.terminal import Terminal
from limecep.clock import Stopwatch
from limecep.errors import Stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

#: Windows has none: there a closed terminal asks for nothing.
_HANGUP: signal.Signals | None = getattr(signal, "SIGHUP", None)
_SIGNALS = (signal.SIGINT, signal.SIGTERM, *filter(None, [_HANGUP]))
#: Whether a run can be cut off in whatever it does. Windows has no timer that interrupts: a run ends between
#: two batches, or by the last resort.
_CAN_CUT_OFF = hasattr(signal, "setitimer")

#: How long a run may take to end by itself before it is cut off, in seconds; and how long until it is cut off
#: once more, should it then wait in closing something.
CUT_OFF_SECONDS = 1.4
AGAIN_SECONDS = 0.5
#: How often it is looked whether the time is up that a run was given, in seconds.
_GLANCE_SECONDS = 1.0
#: How long until it is tried again, in seconds, where a run must not be cut off.
_RETRY_SECONDS = 0.01
#: What the kernel itself does in these modules takes no time and must be done whole: what a sink was sent, or
#: why a run failed, would be forgotten. So a run is cut off in what they call.
_WHOLE = {
    "contextlib",
    "limecep.cli.run",
    "limecep.cli.signals",
    "limecep.output.delivery",
    "limecep.runtime.pipeline",
    "limecep.runtime.run_end",
}
#: The accounting must be done whole with all that it calls: it says what was cut off.
_ACCOUNTING = "limecep.runtime.report"


class Stop:
    """Inside `with`, the first signal only notes that the run is to end. The next one is up to the system
    again, so that a run that hangs can still be ended. It may be entered again inside of itself; the end of
    the inner one is then the end of both.

    Attributes:
        asked: Whether there was one.
    """

    def __init__(self) -> None:
        self.asked = False
        self._since: Stopwatch | None = None
        self._before: dict[signal.Signals, Any] = {}
        self._overdue: Callable[[], float] | None = None
        self._accounting = False
        self._terminal: Terminal | None = None

    def __enter__(self) -> Stop:
        self._terminal = Terminal()
        for number in _SIGNALS if not self._before else ():
            # A script that starts a run in the background has it ignore Ctrl-C, and may yet send one. Under
            # nohup a run outlives its terminal.
            if number != _HANGUP or signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    @contextmanager
    def cutting(self, overdue: Callable[[], float], given: float | None) -> Iterator[None]:
        """Inside it, a run that does not end by itself is cut off: `Stopped` is raised in whatever it does. A
        second signal ends the process at once.

        Args:
            overdue: How long ago the time was up that the run was given, in seconds; below 0 while it is not.
            given: That time, in seconds; None for any.
        """
        if not _CAN_CUT_OFF:
            yield
            return
        before = signal.signal(signal.SIGALRM, self._look)
        self._overdue = overdue
        if given is not None or self.asked:
            signal.setitimer(signal.ITIMER_REAL, _GLANCE_SECONDS)
        try:
            yield
        finally:
            self._overdue = None
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if number == _HANGUP and not (self._terminal and self._terminal.closed):
            return
        self.asked = True
        self._since = Stopwatch()
        if self._overdue is None:
            self._restore(ignoring=False)
            return
        for each in self._before:
            signal.signal(each, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, CUT_OFF_SECONDS)

    def _look(self, number: int, frame: FrameType | None) -> None:
        if self._overdue is None:
            return
        late = max(-math.inf if self._since is None else self._since.seconds, self._overdue())
        if late < CUT_OFF_SECONDS:
            signal.setitimer(signal.ITIMER_REAL, min(CUT_OFF_SECONDS - late, _GLANCE_SECONDS))
            return
        runs = [str(f.f_globals.get("__name__")) for f, _ in walk_stack(frame)]
        before, self._accounting = self._accounting, _ACCOUNTING in runs
        if self._accounting or runs[0] in _WHOLE:
            signal.setitimer(signal.ITIMER_REAL, _RETRY_SECONDS)
            return
        signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS)
        # After the accounting what was found goes out, and has its time.
        if not before:
            raise Stopped(forced=True)

    def _restore(self, *, ignoring: bool = True) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler if ignoring or handler != signal.SIG_IGN else signal.SIG_DFL)
