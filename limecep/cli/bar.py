"""A progress bar on the last line of the terminal."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, TextIO

from limecep import terminal
from limecep.clock import Stopwatch
from limecep.output.instants import rfc3339

if TYPE_CHECKING:
    from limecep.progress import Progress

#: How often it is drawn, in seconds.
PERIOD = 0.1
_WIDTH = 24


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
        """Draws it, if there is anything to say."""
        if progress is None:
            return
        seconds = self._watch.seconds
        self._next = seconds + PERIOD
        text = _line(progress, seconds)[: shutil.get_terminal_size().columns - 1]
        self._stream.write(f"{terminal.erase(self._stream)}{text}")
        self._stream.flush()


def _line(progress: Progress, seconds: float) -> str:
    parts = []
    if progress.fraction is not None:
        done = min(1.0, progress.fraction)
        parts.append(f"[{'#' * round(done * _WIDTH):.<{_WIDTH}}] {done:4.0%}")
    parts.append(f"{progress.events:,} events")
    if seconds > 0:
        parts.append(f"{progress.events / seconds:,.0f}/s")
    if progress.event_time is not None:
        # Seconds are enough for the eye.
        parts.append(
            f"up to {rfc3339(progress.event_time - progress.event_time % 1_000_000).replace('T', ' ')}"
        )
    return "  ".join(parts)
