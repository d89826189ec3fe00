"""A folder as an outbox: every record becomes a file, whose name says in which order they were sent."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from limecep.api import RunFailure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.api import Context, Record
    from limecep_mine.config import MineOptions


class MineSink:
    """Files in a folder. Each is written under a hidden name first, so that nobody reads half a record."""

    counts_only: ClassVar[bool] = False

    def __init__(self, channel: str, settings: Any, options: MineOptions, context: Context) -> None:
        self._folder = context.root / options.root / channel
        self._context = context
        self._waiting: list[bytes] = []
        self._count = 0

    def open(self) -> None:
        """Makes the folder, if it is not there.

        Raises:
            RunFailure: It cannot be used.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise self._failure(e) from None

    def send(self, records: Sequence[Record]) -> None:
        """Takes records; `flush` writes them."""
        self._waiting += map(self._context.encoder.encode, records)

    def flush(self) -> None:
        """Writes what was sent, and waits until it is on the disk.

        Raises:
            RunFailure: It cannot be written.
        """
        try:
            while self._waiting:
                self._write(self._waiting[0])
                del self._waiting[0]
        except OSError as e:
            raise self._failure(e) from None

    def close(self) -> None:
        """Writes what was sent."""
        self.flush()

    def _write(self, message: bytes) -> None:
        self._count += 1
        # A sink that is made again later goes on behind what is there.
        name = f"{self._context.clock.now():020}-{self._count:09}.json"
        hidden = self._folder / f".{name}"
        with hidden.open("wb") as file:
            file.write(message)
            file.flush()
            os.fsync(file.fileno())
        hidden.rename(self._folder / name)

    def _failure(self, error: OSError) -> RunFailure:
        return RunFailure(f"cannot write to the folder {self._folder}: {error.strerror}")
