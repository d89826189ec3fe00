"""The source of files: which files a channel means."""

from __future__ import annotations

import glob
from itertools import chain
from typing import TYPE_CHECKING

from limecep.errors import RunFailure
from limecep_file.stream import FileStream

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_file.config import FileOptions, FileSettings

#: How many bytes are read at a time: of one file, and of many together.
CHUNK_BYTES = 1 << 18
CHUNKS_BYTES = 1 << 24


class FileSource:
    """A source of one or several files (`limecep.contracts.source`).

    The channel is a path or a glob (`**` for folders in folders), absolute or below the root, or `-` for
    standard input. The files of a glob are those that exist when it opens, in the order of their names.
    """

    def __init__(self, channel: str, settings: FileSettings, options: FileOptions, context: Context) -> None:
        self.channel = channel
        self.speed = None if isinstance(settings.speed, str) else float(settings.speed)
        self._settings = settings
        self._root = context.root / options.root
        self._context = context
        self._parts: list[FileStream] = []
        self._done: dict[str, int] = {}
        self._marks: Mapping[str, str] = {}

    def seek(self, positions: Sequence[str]) -> None:
        """Goes on after these lines, in the files they are in. What cannot be read twice goes on anyway."""
        for position in positions:
            name, _, line = position.rpartition(":")
            self._done[name] = int(line)

    def recognise(self, marks: Mapping[str, str]) -> None:
        """The last of the lines that are done with have these marks, by file."""
        self._marks = marks

    def open(self) -> None:
        """Finds the files and opens them.

        Raises:
            RunFailure: There is none, or one cannot be read.
        """
        if self.channel == "-":
            found: list[tuple[Path | None, str]] = [(None, "-")]
        else:
            found = [(self._root / name, name) for name in self._names()]
        chunk = min(CHUNK_BYTES, max(4096, CHUNKS_BYTES // len(found)))
        self._parts = [
            FileStream(
                path,
                name,
                self._settings,
                self._context,
                chunk,
                self._done.get(name, 0),
                self._marks.get(name, ""),
            )
            for path, name in found
        ]
        for part in self._parts:
            part.open()

    def _names(self) -> list[str]:
        path = self._root / self.channel
        if path.is_dir():
            raise RunFailure(
                f"{self.channel} is a folder: say which of its files, such as {self.channel}/*.csv"
            )
        if path.exists():
            return [self.channel]
        if not glob.has_magic(self.channel):
            raise RunFailure(f"there is no file {self.channel} (looked for {path.absolute()})")
        names = glob.glob(self.channel, root_dir=self._root, recursive=True)
        files = sorted(name for name in names if (self._root / name).is_file())
        if not files:
            raise RunFailure(f"no file matches {self.channel} (looked in {self._root.absolute()})")
        return files

    def parts(self) -> Sequence[FileStream]:
        """A source for each file, opened, in the order of their names."""
        return self._parts

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """Up to `limit` lines of the first file that has not ended."""
        for part in self._parts:
            if not part.ended:
                return part.poll(limit, timeout)
        return []

    @property
    def ended(self) -> bool:
        """Whether every file has ended."""
        return all(part.ended for part in self._parts)

    def commit(self, positions: Sequence[str]) -> None:
        """Nothing: a file does not know who reads it."""

    def close(self) -> None:
        """Closes the files, and tells of lines that were not read."""
        for part in self._parts:
            part.close()
        self._tell_torn()

    def _tell_torn(self) -> None:
        torn = [part for part in self._parts if part.torn]
        if not torn or "torn_lines" in self._context.counters:
            return
        self._context.counters["torn_lines"] = len(torn)
        what = "1 line without end is" if len(torn) == 1 else f"{len(torn)} lines without end are"
        left = "left for the next run" if torn[0].resumes else "not read"
        if torn[0].resumes and torn[0] is not self._parts[-1]:
            # Files of a glob are mostly named in the order in which they were written.
            left += "; a file that grows no more is read to its end if its last line gets a line end"
        self._context.logger.info(f"{what} {left}", file=torn[0].channel)

    def replay(self, t_from: int, t_to: int) -> Iterator[Message] | None:
        """All lines polled so far, one file after the other; None where one cannot be read twice.

        Raises:
            RunFailure: While they are read: they are not what they were.
        """
        if not self._parts:
            return None
        logs = []
        for part in self._parts:
            log = part.replay(t_from, t_to)
            if log is None:
                return None
            logs.append(log)
        return chain.from_iterable(logs)
