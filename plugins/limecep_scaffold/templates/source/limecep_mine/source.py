"""A folder as an inbox: whoever has a message puts a file there, under a hidden name first and then under one
that says in which order messages come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.api import Message, RunFailure, Stopwatch, pause

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from limecep.api import Context
    from limecep_mine.config import MineOptions

#: How often an empty folder is looked at, in seconds.
INTERVAL_SECONDS = 0.05


class MineSource:
    """The files of a folder, by name. A file is deleted when its message is done with, so what was not
    committed comes again after a restart."""

    def __init__(self, channel: str, settings: Any, options: MineOptions, context: Context) -> None:
        self._channel = channel
        self._folder = context.root / options.root / channel
        self._clock = context.clock
        #: What was polled and is not committed, by its position; and the names of these files.
        self._polled: dict[str, Path] = {}
        self._names: set[str] = set()
        self._count = 0

    def open(self) -> None:
        """Makes the folder, if it is not there.

        Raises:
            RunFailure: It cannot be used.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise RunFailure(f"cannot use the folder {self._folder}: {e.strerror}") from None

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """Files that were not polled yet; waits for the first."""
        watch = Stopwatch()
        while not (files := self._new(limit)) and watch.seconds < timeout:
            pause(min(INTERVAL_SECONDS, max(0.0, timeout - watch.seconds)))
        return [self._message(path) for path in files]

    @property
    def ended(self) -> bool:
        """More may always come."""
        return False

    def commit(self, positions: Sequence[str]) -> None:
        """Deletes what is done with."""
        for position in positions:
            path = self._polled.pop(position, None)
            if path is not None:
                path.unlink(missing_ok=True)
                self._names.discard(path.name)

    def close(self) -> None:
        """Nothing is held open."""

    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        """What is done with is gone."""
        return None

    def _new(self, limit: int) -> list[Path]:
        """Files that were not polled yet, the first ones by name."""
        try:
            found = [p for p in self._folder.iterdir() if p.name[0] != "." and p.name not in self._names]
        except OSError as e:
            raise RunFailure(f"cannot read the folder {self._folder}: {e.strerror}") from None
        return sorted(found)[:limit]

    def _message(self, path: Path) -> Message:
        self._count += 1
        position = f"{self._channel}:{self._count}"
        self._polled[position] = path
        self._names.add(path.name)
        try:
            value, error = path.read_bytes(), ""
        except OSError as e:
            value, error = b"", f"{path.name} cannot be read: {e.strerror}"
        return Message(value, self._channel, position, self._clock.now(), error=error)
