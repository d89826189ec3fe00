"""Ending a run in order on Ctrl-C and SIGTERM."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """Inside `with`, the first signal only notes that the run is to end; the next one is up to the system
    again, so that a run that hangs can still be ended."""

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Stop:
        self._before = {s: signal.signal(s, self._note) for s in _SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        self._restore()

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
