"""Reading again what was read: the same messages, decoded by a reader of their own."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from limecep.contracts.source import Log
from limecep.runtime.arrived import within
from limecep.runtime.feeds import Part, Replay
from limecep.runtime.indexed_log import Copies, IndexedLog
from limecep.runtime.log_index import IndexRoom

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.contracts.source import Message
    from limecep.detection.spans import Spans
    from limecep.runtime.arrived import Arrived
    from limecep.runtime.feeds import Feed

#: How many bytes the indexes of all logs may take, and the copies of what was decoded.
INDEX_BYTES = 16 << 20
COPY_BYTES = 8 << 20


class Memory:
    """What reading again may remember of all sources of a pipeline."""

    def __init__(self) -> None:
        self.indexes = IndexRoom(INDEX_BYTES)
        self.copies = Copies(COPY_BYTES)


class ReplayedSource:
    """Messages that are read again, as a source (`limecep.contracts.source`)."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self.ended = False
        self._messages = iter(messages)

    def open(self) -> None:
        """Nothing."""

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """The next `limit` messages."""
        messages = list(islice(self._messages, limit))
        self.ended = len(messages) < limit
        return messages

    def commit(self, positions: Sequence[str]) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""

    def replay(self, t_from: int, t_to: int) -> None:
        """None."""


class Rereader:
    """Reads again what was read from one source so far.

    Where its logs can be entered anywhere, each message is decoded once more, and from then on only those
    that a range needs; else all of them, each time.

    Args:
        feed: The source.
        memory: What may be remembered.
    """

    def __init__(self, feed: Feed, memory: Memory) -> None:
        self._feed = feed
        self._memory = memory
        self._indexed: list[IndexedLog] = []

    @property
    def possible(self) -> bool:
        """Whether there is a log.

        Raises:
            RunFailure: That cannot be told now.
        """
        return self._logs(0, -1) is not None

    def read(self, spans: Spans) -> Iterator[Sequence[Arrived]] | None:
        """The events of some ranges of `t_gen`, some at a time; each with a number no less than that of any
        event before it. None where they cannot be had.

        Raises:
            RunFailure: At once or while it is read: they cannot be had after all.
        """
        logs = self._logs(*spans.hull)
        if logs is None:
            return None
        # What the time of a record depends on may stand before it.
        if all(isinstance(log, Log) for log in logs) and not self._feed.reader.sequential:
            return self._read_indexed(logs, spans)
        return self._read_all(logs, spans)

    def _logs(self, t_from: int, t_to: int) -> list[Any] | None:
        reader = self._feed.reader
        if reader.undated or reader.numbered or (self._feed.live and reader.sequential):
            # It would have other times, those of now, or of a beginning that may be gone; or other versions.
            return None
        logs = []
        for part in self._feed.parts:
            log = part.source.replay(t_from, t_to)
            if log is None:
                return None
            logs.append(log)
        return logs or None

    def _read_indexed(self, logs: Sequence[Any], spans: Spans) -> Iterator[Sequence[Arrived]]:
        feed, memory = self._feed, self._memory
        if not self._indexed:
            self._indexed = [
                IndexedLog((feed.make_reader(), feed.make_reader()), memory.indexes, memory.copies)
                for _ in feed.parts
            ]
        for log, indexed in zip(logs, self._indexed, strict=True):
            for _ in indexed.catch_up(log, ended=feed.finished):
                yield ()
        again = self._logs(*spans.hull) or ()
        if all(indexed.possible for indexed in self._indexed):
            for log, indexed in zip(again, self._indexed, strict=True):
                yield from indexed.events(log, spans)
        else:
            yield from self._read_all(again, spans)

    def _read_all(self, logs: Sequence[Iterable[Message]], spans: Spans) -> Iterator[Sequence[Arrived]]:
        reader = self._feed.make_reader()
        parts = [Part(ReplayedSource(messages), reader) for messages in logs]
        replay = Replay(parts)
        count = 0
        while any(part.ready or part.open for part in parts):
            for fed in replay.step(0.0):
                count += 1
                yield within(spans, [(count, event) for event in fed.events])
        if self._feed.finished:
            yield within(spans, [(count + 1, event) for event in reader.finish().events])
