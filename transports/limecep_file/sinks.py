"""Sinks: JSON lines to a file or to standard output, or nothing at all."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from typing import IO, TYPE_CHECKING, Any, ClassVar

from limecep.encoding import to_json
from limecep.errors import ConfigurationError, RunFailure
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
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
        return StdoutSink(channel, settings, options, context)
    return FileSink(context.root / options.root / name, context)


class FileSink:
    """Appends JSON lines to a file (`limecep.contracts.sink`). Folders that are not there are made; a last
    line without its newline, which a crash left, is cut off when the file is opened. `flush` syncs to
    disk."""

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
        try:
            self._file.write(_lines(records))
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

    def _failure(self, error: OSError) -> RunFailure:
        return RunFailure(f"cannot write {self._path}: {error.strerror or error}")


class StdoutSink:
    """Writes JSON lines to standard output (`limecep.contracts.sink`)."""

    counts_only: ClassVar[bool] = False

    def __init__(self, channel: str, settings: Any, options: Any, context: Context) -> None:
        self._out: IO[bytes] | None = None

    def open(self) -> None:
        """Takes standard output as it is now."""
        self._out = sys.stdout.buffer

    def send(self, records: Sequence[Record]) -> None:
        """Writes a line for each record.

        Raises:
            BrokenPipeError: Nobody reads any more.
            RunFailure: It cannot be written.
        """
        self._do(lambda out: out.write(_lines(records)))

    def flush(self) -> None:
        """Hands everything over.

        Raises:
            BrokenPipeError: Nobody reads any more.
            RunFailure: It cannot be written.
        """
        self._do(lambda out: out.flush())

    def close(self) -> None:
        """Flushes. Standard output itself stays open."""
        self.flush()
        self._out = None

    def _do(self, act: Callable[[IO[bytes]], object]) -> None:
        if self._out is None:
            return
        try:
            act(self._out)
        except BrokenPipeError:
            self._out = None
            raise
        except OSError as error:
            raise RunFailure(f"cannot write standard output: {error.strerror or error}") from None


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


def _lines(records: Sequence[Record]) -> bytes:
    return b"".join([to_json(record) + b"\n" for record in records])


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
