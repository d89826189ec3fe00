"""One file as a stream of lines."""

from __future__ import annotations

import codecs
import os
import stat
import sys
import zlib
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

from limecep.contracts.source import Lines, Message
from limecep.errors import RunFailure
from limecep_file.feeds import UNREADABLE, Feed, FollowFeed, PipeFeed, RecodedFeed, WholeFeed
from limecep_file.replay import CHUNK_BYTES, Again, Places

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from limecep.contracts.context import Context
    from limecep_file.config import FileSettings

#: How much of a line tells it from others, in bytes.
MARKED_BYTES = 4096


class FileStream:
    """The lines of one file (a source, see `limecep.contracts.source`).

    Messages are lines without their newline, positions `name:line`. They have no arrival time, unless the
    file is followed: then it is when they were read. Of a line that is too long the beginning comes, with an
    error.

    A last line without its newline may be half written. Where a later run goes on from here, it is left for
    that run; else it is read at the end, and so it is in a gzip file, which is complete when it can be read.

    Args:
        path: The file; None for standard input.
        name: What channel and positions call it.
        settings: The source's settings.
        context: What the source was given: the arrival clock, and what is known of the text.
        chunk: How many bytes are read at a time.
        done: How many lines are done with, and are not read again.
        mark: The mark of the last of them; "" if it is not known.
        places: Where it is noted where lines begin; None where nobody asks.
    """

    def __init__(
        self,
        path: Path | None,
        name: str,
        settings: FileSettings,
        context: Context,
        chunk: int,
        done: int = 0,
        mark: str = "",
        places: Places | None = None,
    ) -> None:
        self._done = done
        self._mark = mark
        self._places = places
        self._known = Places()
        self.channel = name
        self.speed = None if isinstance(settings.speed, str) else float(settings.speed)
        self._path = path
        self._settings = settings
        self._follow = settings.follow
        self._longest = settings.max_line
        self._context = context
        self._clock = context.clock
        self._encoding = codecs.lookup(context.encoding).name
        self._recoded = self._encoding not in ("utf-8", "utf-8-sig")
        self._chunk = chunk
        self._feed: Feed | None = None
        self._rereadable = path is not None
        self._packed = path is not None and path.name.lower().endswith(".gz")
        self._generation = 0
        self._finished = False
        self._rest = b""
        self._lines: list[bytes] = []
        self._next = 0
        self._number = 1
        self._anew = False
        self._dry = False

    def open(self) -> None:
        """Opens the file.

        Raises:
            RunFailure: It cannot be read.
        """
        try:
            self._feed = self._make_feed()
        except (OSError, ValueError) as error:
            raise RunFailure(f"cannot read {self.channel}: {_reason(error)}") from None
        if self._done and self._rereadable:
            self._pass_over(self._done)

    def _pass_over(self, count: int) -> None:
        """Goes to behind the lines that are done with."""
        left, last = count, b""
        while left and not self._finished:
            begun = len(self._rest)
            self._lines = self._read(0.0)
            self._next = min(left, len(self._lines))
            if self._next:
                last = self._lines[self._next - 1]
            left -= self._next
            if self._follow and not self._lines and len(self._rest) == begun:
                break
        self._number = count + 1
        if not left and self._known_by(last):
            return
        if not self._follow:
            what = "and now it has fewer" if left else f"and now line {count} is another one"
            raise RunFailure(
                f"cannot go on reading {self.channel}: {count} lines of it were read, {what}. "
                "Give it back, or begin anew with 'limecep state reset'"
            )
        self._context.logger.info(
            "another file has come in its place, and is read from its beginning", file=self.channel
        )
        assert self._feed is not None
        self._feed.close()
        self._feed = self._make_feed()
        self._lines, self._next, self._number, self._rest = [], 0, 1, b""

    def mark(self, message: Message) -> str:
        """What tells a line from others."""
        return self._mark_of(message.value)

    def _mark_of(self, line: bytes) -> str:
        return f"{self._encoding}:{blake2b(line[:MARKED_BYTES], digest_size=8).hexdigest()}"

    def _known_by(self, line: bytes) -> bool:
        """Whether the last line that is done with may be this one. In another encoding it may be any."""
        encoding = self._mark.rpartition(":")[0]
        return encoding != self._encoding or self._mark == self._mark_of(line[: self._longest])

    def _make_feed(self) -> Feed:
        feed = self._raw_feed()
        return RecodedFeed(feed, self._context.encoding) if self._recoded else feed

    def _raw_feed(self) -> Feed:
        if self._path is None:
            return PipeFeed(sys.stdin.fileno(), self._chunk, own=False)
        if not stat.S_ISREG(self._path.stat().st_mode):
            self._rereadable = False
            return PipeFeed(os.open(self._path, os.O_RDONLY), self._chunk, own=True)
        if not self._follow:
            return WholeFeed(self._path, self._chunk)
        if self._packed:
            raise ValueError("a gzip file cannot be followed")
        return FollowFeed(self._path, self._chunk)

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """Up to `limit` lines, after at most `timeout` seconds.

        Raises:
            RunFailure: The file cannot be read on, or is damaged.
        """
        if self._next == len(self._lines):
            if self._anew:
                self._number, self._anew = 1, False
            self._lines, self._next = self._read(timeout), 0
        lines = self._lines[self._next : self._next + limit]
        self._next += len(lines)
        name, first = self.channel, self._number
        self._number += len(lines)
        t_arr = self._clock.now() if self._follow else None
        if self._recoded or max(map(len, lines), default=0) > self._longest:
            return [self._bounded(line, f"{name}:{n}", t_arr) for n, line in enumerate(lines, first)]
        return Lines(lines, name, first, t_arr) if lines else []

    @property
    def ended(self) -> bool:
        """Whether everything was polled."""
        return self._finished and self._next == len(self._lines)

    @property
    def progress(self) -> tuple[int, int] | None:
        """Bytes read so far and in all; None where that cannot be told, or where it is not reading that takes
        the time."""
        return None if self._feed is None or self.speed is not None else self._feed.progress

    @property
    def torn(self) -> bool:
        """Whether it has come to a last line without end, and has not read that."""
        return self._dry and bool(self._rest)

    @property
    def resumes(self) -> bool:
        """Whether a later run can read what this one leaves."""
        return self._context.resumes and self._rereadable

    def commit(self, positions: Sequence[str]) -> None:
        """Nothing: a file does not know who reads it."""

    def close(self) -> None:
        """Closes the file."""
        if self._feed is not None:
            self._feed.close()

    def replay(self, t_from: int, t_to: int) -> Again | None:
        """All lines polled so far, which have no arrival time: a file does not know what is when. None for
        what cannot be read twice, and where the file was followed to another one.

        Raises:
            RunFailure: While it is read: it is not what it was.
        """
        if not self._rereadable or self._generation:
            return None
        settings = replace(self._settings, follow=False)
        make = partial(
            FileStream, self._path, self.channel, settings, self._context, CHUNK_BYTES, places=self._known
        )
        return Again(make, self._number - 1)

    def go_to(self, line: int) -> None:
        """Goes on behind so many lines of the file, which is not back.

        Raises:
            RunFailure: There are fewer.
        """
        feed = self._feed
        if feed is not None and self._places is not None:
            known, offset = self._places.before(line)
            if known >= self._number + len(self._lines) - self._next:
                feed.seek(offset)
                self._lines, self._next, self._number, self._rest = [], 0, known + 1, b""
                self._finished = False
        while (left := line + 1 - self._number) > 0:
            if self._next == len(self._lines):
                if self._finished:
                    raise RunFailure(f"cannot read {self.channel} again: it is shorter than it was")
                self._lines, self._next = self._read(0.0), 0
            passed = min(left, len(self._lines) - self._next)
            self._next += passed
            self._number += passed

    def _read(self, timeout: float) -> list[bytes]:
        if self._finished or self._feed is None:
            return []
        try:
            data = self._feed.read(timeout)
        except (OSError, EOFError, zlib.error) as error:
            raise RunFailure(
                f"cannot read {self.channel} after line {self._number - 1}: {_reason(error)}"
            ) from None
        except UnicodeError as error:
            # All else that is not in the encoding is a matter of its line.
            hint = "say utf-16-le or utf-16-be" if "BOM" in str(error) else str(error)
            raise RunFailure(f"cannot read {self.channel} as {self._context.encoding}: {hint}") from None
        self._dry = not data
        if data is None:
            self._finished = True
            left = self.resumes and not self._packed and not self._context.whole(self._rest)
            return [] if left else self._last()
        if self._feed.generation != self._generation:
            self._generation, self._anew = self._feed.generation, True
            return self._last()
        lines = self._cut(data)
        if self._places is not None and self._feed.offset is not None and len(self._rest) <= self._longest:
            self._places.add(self._number - 1 + len(lines), self._feed.offset - len(self._rest))
        return lines

    def _cut(self, data: bytes) -> list[bytes]:
        """The lines that are complete. Of one that is too long, only one byte too many is ever kept."""
        if len(self._rest) > self._longest:
            end = data.find(b"\n")
            if end < 0:
                return []
            data = data[end:]
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()[: self._longest + 1]
        return lines

    def _last(self) -> list[bytes]:
        lines = [self._rest] if self._rest else []
        self._rest = b""
        return lines

    def _bounded(self, line: bytes, position: str, t_arr: int | None) -> Message:
        error = ""
        if len(line) > self._longest:
            error = f"the line is longer than {self._longest:,} bytes: max_line allows longer ones"
        elif self._recoded and UNREADABLE in line:
            column = len(line[: line.index(UNREADABLE)].decode()) + 1
            error = f"not {self._context.encoding} at column {column}"
        return Message(line[: self._longest], self.channel, position, t_arr, error=error)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
