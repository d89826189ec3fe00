"""No test of a suite hangs: a call into a component that does not return fails the test.

A thread looks at what the test is in. A call that neither returns in time nor computes, or that has computed
for so long, is ended by an error that names it. What the machine withholds from it does not count, so a busy
machine fails nobody.
"""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from time import monotonic, process_time
from typing import TYPE_CHECKING, ClassVar

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

#: Packages that call components, and are none.
_CALLERS = {"limecep", "limecep_scaffold", "__main__"}
_PYTEST = {"pytest", "_pytest", "pluggy"}
#: How often it is looked, in seconds.
_GLANCE_SECONDS = 0.2
#: A call that was on the processor for a smaller part of its time waits for something.
_IDLE = 0.05
#: Ends the test. Tests may use the alarm for something else.
_ENDS = signal.SIGUSR2


class Overdue(BaseException):
    """A call into a component does not return. It is no Exception, so that neither the component nor a search
    for a smaller example takes it for an error that may be tried again."""


class Bounded:
    """What all suites have in common: their tests end.

    Attributes:
        call_seconds: How long one call into the component may take.
    """

    call_seconds: ClassVar[float] = 5.0

    @pytest.fixture(autouse=True)
    def _bounded(self) -> Iterator[None]:
        # It is set up before what else a test asks for, and torn down after that.
        with watched(self, self.call_seconds):
            yield


@contextmanager
def watched(suite: object, seconds: float) -> Iterator[None]:
    """Inside it no call into a component takes longer than that.

    Args:
        suite: Makes the component. What else its methods do, such as asking a broker, may take longer.
        seconds: The limit.

    Raises:
        Overdue: One does.
    """
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread can be interrupted.
        yield
        return
    watch = _Watch(suite, seconds)

    def end(number: int, frame: FrameType | None) -> None:
        raise Overdue(watch.said)

    before = signal.signal(_ENDS, end)
    watch.start()
    try:
        yield
    finally:
        watch.ended.set()
        watch.join()
        signal.signal(_ENDS, before)


class _Watch(threading.Thread):
    def __init__(self, suite: object, seconds: float) -> None:
        super().__init__(daemon=True)
        self.ended = threading.Event()
        self.said = ""
        self._suite = suite
        self._seconds = seconds
        self._main = threading.get_ident()

    def run(self) -> None:
        last, since = 0, (0.0, 0.0)
        held: FrameType | None = None
        while not self.ended.wait(_GLANCE_SECONDS):
            frames = _frames(sys._current_frames().get(self._main))
            call = _call(frames, self._suite)
            if call is None or (call is not held and (held is not None or id(call) != last)):
                last, held, since = id(call), None, (monotonic(), process_time())
            else:
                # From the second glance on it is held, so that no other call can be taken for it. Not before:
                # a frame that is held keeps the events that it was given.
                held = call
                wall, busy = monotonic() - since[0], process_time() - since[1]
                if wall > self._seconds and (busy > self._seconds or busy < _IDLE * wall):
                    self.said = (
                        f"{call.f_code.co_qualname} does not return: it goes on after {self._seconds:g} s, "
                        f"in {frames[-1].f_code.co_filename}:{frames[-1].f_lineno}"
                    )
                    last, held = 0, None
                    signal.pthread_kill(self._main, _ENDS)
            del frames, call


def _frames(innermost: FrameType | None) -> list[FrameType]:
    """What runs, the outermost first."""
    frames = []
    while innermost is not None:
        frames.append(innermost)
        innermost = innermost.f_back
    return frames[::-1]


def _call(frames: list[FrameType], suite: object) -> FrameType | None:
    """The call into a component."""
    made = None
    packages = [str(frame.f_globals.get("__name__")).partition(".")[0] for frame in frames]
    begin = max((n for n, package in enumerate(packages, start=1) if package in _PYTEST), default=0)
    for frame, package in zip(frames[begin:], packages[begin:], strict=True):
        # Hypothesis makes modules with names of their own.
        if package in _CALLERS | sys.stdlib_module_names or package.startswith("hypothesis"):
            continue
        if frame.f_back is not None and frame.f_back.f_globals.get("__name__") == "_pytest.fixtures":
            return None
        if frame.f_locals.get("self") is not suite:
            return frame
        if not frame.f_code.co_name.startswith(("make_", "<lambda>")):
            return None
        made = frame
    return made
