"""A progress bar on the last line of the terminal."""

from __future__ import annotations

import shutil
from typing import TextIO

from limecep.clock import Stopwatch
from limecep.contracts.runner import Progress
from limecep.contracts.shown import shown
from limecep.errors import RunFailure
from limecep.model.instants import rfc3339
from limecep.output import terminal

#: How often it is drawn, in seconds.
PERIOD_SECONDS = 0.1
_WIDTH = 24
_SHORTEST = 5


class Bar:
    """Inside `with`, `show` draws it; afterwards it is gone. Where a line cannot be written over it is never
    due."""

    def __init__(self, stream: TextIO, *, quiet: bool = False) -> None:
        self._stream = stream
        self._on = terminal.lively(stream) and not quiet
        self._watch = Stopwatch()
        self._next = 0.0

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._on and self._next:
            self._stream.write(terminal.erase(self._stream))
            self._stream.flush()

    @property
    def due(self) -> bool:
        """Whether it is time to draw it."""
        return self._on and self._watch.seconds >= self._next

    def show(self, progress: Progress | None) -> None:
        """Draws it, if there is anything to say.

        Raises:
            RunFailure: A runner has given what is no progress.
        """
        if progress is None:
            return
        if not isinstance(progress, Progress):
            raise RunFailure(f"the runner gives {shown(progress)} as its progress: limecep.contracts.runner")
        seconds = self._watch.seconds
        self._next = seconds + PERIOD_SECONDS
        text = _line(progress, seconds, shutil.get_terminal_size().columns - 1)
        self._stream.write(f"{terminal.erase(self._stream)}{text}")
        self._stream.flush()


def _line(progress: Progress, seconds: float, room: int) -> str:
    """What fits: the bar gets shorter before anything is left out, and what tells least is left out first."""
    done = "" if progress.fraction is None else f"{min(1.0, progress.fraction):4.0%}"
    count = f"{progress.events:,} events"
    speed = f"{progress.events / seconds:,.0f}/s" if seconds > 0 else ""
    time = ""
    if progress.event_time is not None:
        # Seconds are enough for the eye.
        time = f"up to {rfc3339(progress.event_time - progress.event_time % 1_000_000).replace('T', ' ')}"
    choices = [
        "  ".join(filter(None, parts))
        for parts in ((done, count, speed, time), (done, count, time), (done, count))
    ]
    text = next((t for t in choices if len(t) <= room), choices[-1][:room])
    width = min(_WIDTH, room - len(text) - 3)
    if progress.fraction is None or width < _SHORTEST:
        return text
    return f"[{'#' * round(min(1.0, progress.fraction) * width):.<{width}}] {text}"
