"""Sinks: JSON lines to a file, or nothing at all."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import IO, TYPE_CHECKING, Any, ClassVar

from limecep.errors import ConfigurationError, RunFailure
from limecep.problems import Problem
from limecep_file.config import StdoutOptions
from limecep_file.stdout import StdoutSink, lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.contracts.context import Context
    from limecep.contracts.sink import Sink
    from limecep.output.record import Record
    from limecep_file.config import FileSinkOptions


def file_sink(channel: str, settings: Any, options: FileSinkOptions, context: Context) -> Sink:
    """The sink for a path, or for `-`, standard output.

    Raises:
        ConfigurationError: Neither the channel nor the option `path` names a file.
    """
    name = channel or options.path
    if not name:
        raise ConfigurationError(
            [
                Problem(
                    code="missing-key",
                    message=f"{context.label} does not say which file",
                    hint="give it a 'path' or a 'channel'",
                )
            ]
        )
    if name == "-":
        return StdoutSink(channel, settings, StdoutOptions(), context)
    return FileSink(context.root / options.root / name, context)


class FileSink:
    """Appends JSON lines to a file (`limecep.contracts.sink`). Folders that are not there are made; a last
    line without its newline, which a crash left, is cut off when the file is opened. Where the file was
    moved away or deleted, a new one is begun. `flush` syncs to disk."""

    counts_only: ClassVar[bool] = False

    def __init__(self, path: Path, context: Context) -> None:
        self._path = path
        self._context = context
        self._file: IO[bytes] | None = None
        self._regular = True

    def open(self) -> None:
        """Opens the file, or makes it.

        Raises:
            RunFailure: It cannot be written.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("ab")
            self._regular = stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)
            if self._regular and (torn := _torn(self._path)):
                self._file.truncate(self._path.stat().st_size - torn)
                self._context.counters["torn_lines"] += 1
                self._context.logger.warning("torn last line cut off", file=str(self._path), bytes=torn)
        except OSError as error:
            raise self._failure(error) from None

    def send(self, records: Sequence[Record]) -> None:
        """Appends a line for each record.

        Raises:
            RunFailure: It cannot be written.
        """
        if self._file is None:
            raise RunFailure(f"cannot write {self._path}: it is not open")
        if self._regular and not self._in_place(self._file):
            self.close()
            self.open()
            self._context.logger.info("file was moved away; a new one is begun", file=str(self._path))
        try:
            self._file.write(lines(records, self._context.encoder))
        except OSError as error:
            raise self._failure(error) from None

    def flush(self) -> None:
        """Syncs to disk.

        Raises:
            RunFailure: It cannot be written.
        """
        if self._file is None:
            return
        try:
            self._file.flush()
            if self._regular:
                os.fsync(self._file.fileno())
        except OSError as error:
            raise self._failure(error) from None

    def close(self) -> None:
        """Flushes and closes."""
        if self._file is None:
            return
        try:
            self.flush()
        finally:
            file, self._file = self._file, None
            # What cannot be written was told by `flush`.
            with contextlib.suppress(OSError):
                file.close()

    def _in_place(self, file: IO[bytes]) -> bool:
        """Whether the path still names what is written to."""
        try:
            return os.path.samestat(self._path.stat(), os.fstat(file.fileno()))
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: OSError) -> RunFailure:
        return RunFailure(f"cannot write {self._path}: {error.strerror or error}")


class NoneSink:
    """Is sent nothing: the kernel counts matches for it and makes no records (`limecep.contracts.sink`)."""

    counts_only: ClassVar[bool] = True

    def __init__(self, channel: str, settings: Any, options: Any, context: Context) -> None:
        pass

    def open(self) -> None:
        """Nothing."""

    def send(self, records: Sequence[Record]) -> None:
        """Nothing."""

    def flush(self) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


def _torn(path: Path) -> int:
    """How many bytes stand behind the last newline."""
    step = 65_536
    with path.open("rb") as file:
        end = size = file.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - step)
            file.seek(start)
            newline = file.read(end - start).rfind(b"\n")
            if newline >= 0:
                return size - (start + newline + 1)
            end = start
    return size
