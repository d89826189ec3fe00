"""Reading again what was read: the same messages, decoded by a reader of their own."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from limecep.feeding import BATCH, Part, Replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.contracts.source import Message
    from limecep.feeding import Feed, Note
    from limecep.intake.reader import Invalid, Reader
    from limecep.model.event import Event


class Log:
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


class Again(Part):
    """One stream of a source, read again.

    Args:
        messages: Its messages.
        reader: Makes events of them.
        notes: What is known of them from when they were read first. Those that have nothing of the range are
            not decoded, which is most of the work.
        t_from, t_to: The range, by `t_gen` and both ends included.
    """

    def __init__(
        self, messages: Iterable[Message], reader: Reader, notes: Sequence[Note], t_from: int, t_to: int
    ) -> None:
        super().__init__(Log(messages), reader)
        self._known = iter(notes)
        self._range = t_from, t_to

    def fill(self, timeout: float) -> Sequence[Invalid]:
        """As `Part.fill`."""
        note = next(self._known, None)
        messages = self.source.poll(BATCH if note is None else note.size, timeout)
        if note is None or not self._has_nothing(note, messages):
            return self._decode(messages)
        self._reached = note.reached
        self._events, self._positions, self._arrivals, self._at = (), (), (), 0
        return ()

    def _has_nothing(self, note: Note, messages: Sequence[Message]) -> bool:
        """Whether these are the messages of a note, and have no event of the range."""
        t_from, t_to = self._range
        if not note.whole or (note.earliest <= t_to and t_from <= note.latest):
            return False
        same = len(messages) == note.size and messages[0].position == note.first
        return same and messages[-1].position == note.last


def read_again(feed: Feed, t_from: int, t_to: int) -> Iterator[Sequence[Event]] | None:
    """What was read from a source so far, once more and in the same order: at least all events of a range of
    `t_gen`, in microseconds and both ends included. None where it cannot be had.

    Raises:
        RunFailure: At once or while it is read: it cannot be had after all.
    """
    if feed.reader.undated or (feed.live and feed.reader.sequential):
        # It would have other times: those of now, or of a beginning that may be gone.
        return None
    logs = []
    for part in feed.parts:
        log = part.source.replay(t_from, t_to)
        if log is None:
            return None
        logs.append((log, part.notes))
    return _read(feed, logs, t_from, t_to) if logs else None


def _read(
    feed: Feed, logs: Sequence[tuple[Iterable[Message], Sequence[Note]]], t_from: int, t_to: int
) -> Iterator[Sequence[Event]]:
    reader = feed.make_reader()
    parts = [Again(messages, reader, notes, t_from, t_to) for messages, notes in logs]
    replay = Replay(parts)
    while any(part.ready or part.open for part in parts):
        for fed in replay.step(0.0):
            yield fed.events
    if feed.finished:
        yield reader.finish().events
