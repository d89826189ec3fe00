"""Feeding: events out of sources, finite ones merged into the one stream they would have been."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.clock import Stopwatch, pause
from limecep.intake.reader import Batch, Invalid
from limecep.model.event import Event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.source import Source
    from limecep.intake.reader import Reader

#: How many messages are asked for at a time.
BATCH = 4096

#: The longest a replay waits at a time, in seconds, before it looks whether it is to stop.
NAP = 0.05


class Fed(msgspec.Struct, frozen=True):
    """Some events of one source in the order of arrival, where each stood, and the records that gave none."""

    source: str
    events: Sequence[Event] = ()
    positions: Sequence[str] = ()
    invalid: Sequence[Invalid] = ()


class Part:
    """One stream of a source: a file of a glob, or all of it."""

    def __init__(self, feed: Feed, source: Source) -> None:
        self.feed = feed
        self.source = source
        self._batch = Batch(events=[], positions=[], invalid=[])
        self._arrivals: list[int] = []
        self._at = 0
        self._reached = 0

    @property
    def ready(self) -> bool:
        """Whether there is an event to take."""
        return self._at < len(self._arrivals)

    @property
    def ended(self) -> bool:
        """Whether there never will be one again."""
        return not self.ready and self.source.ended

    @property
    def head(self) -> int:
        """When the next event arrived: never earlier than one before it."""
        return self._arrivals[self._at]

    def fill(self, timeout: float) -> Sequence[Invalid]:
        """Reads on, waiting no longer than `timeout` seconds.

        Returns:
            The records that gave no event.
        """
        batch = self.feed.reader.read(self.source.poll(BATCH, timeout))
        self._batch, self._at = batch, 0
        # Where arrival times go back, the order of the file counts.
        self._arrivals = list(accumulate((e.t_arr for e in batch.events), max, initial=self._reached))[1:]
        if self._arrivals:
            self._reached = self._arrivals[-1]
        return batch.invalid

    def take(self, limit: int | None, *, included: bool = True) -> Fed:
        """Takes the events that arrived before `limit`, or at it where that is included; all for None."""
        begin, end = self._at, len(self._arrivals)
        if limit is not None:
            end = (bisect_right if included else bisect_left)(self._arrivals, limit, begin)
        self._at = end
        batch = self._batch
        return Fed(self.feed.name, batch.events[begin:end], batch.positions[begin:end])


class Feed:
    """One source of the pipeline.

    Args:
        name: Its name.
        source: The transport.
        reader: Makes events of its messages.
        live: Whether messages come as things happen; else they are a recording.
    """

    def __init__(self, name: str, source: Source, reader: Reader, *, live: bool) -> None:
        self.name = name
        self.source = source
        self.reader = reader
        self.live = live
        self.parts: list[Part] = []

    def open(self) -> None:
        """Opens the source.

        Raises:
            RunFailure: It cannot be had.
        """
        self.source.open()
        divide: Any = getattr(self.source, "parts", None)
        self.parts = [Part(self, s) for s in (divide() if divide is not None else [self.source])]

    @property
    def ended(self) -> bool:
        """Whether nothing will come any more."""
        return all(p.ended for p in self.parts)

    def finish(self) -> Fed:
        """What the reader held back, when nothing comes any more."""
        batch = self.reader.finish()
        return Fed(self.name, batch.events, batch.positions, batch.invalid)


class Replay:
    """Finite sources, read as the one stream they would have been: merged by arrival, ties in the order of the
    sources and of their parts. Taken in turn they would be disorder of our own making.

    Args:
        parts: All of them, opened.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        speeds = [s for p in parts if (s := getattr(p.source, "speed", None)) is not None]
        #: The slowest pace that one of them asks for; None: as fast as possible.
        self._speed: float | None = min(speeds, default=None)
        self._watch: Stopwatch | None = None
        self._begin = 0

    def step(self, timeout: float) -> list[Fed]:
        """The next events, after at most `timeout` seconds; none if they are not there yet, or not due."""
        fed: list[Fed] = []
        for part in self._parts:
            while not part.ready and not part.source.ended:
                invalid = part.fill(timeout)
                if invalid:
                    fed.append(Fed(part.feed.name, invalid=invalid))
                if not part.ready and not invalid:
                    break
            if not part.ready and not part.source.ended:
                return fed
        ready = sorted((p.head, n) for n, p in enumerate(self._parts) if p.ready)
        if not ready:
            return fed
        head, n = ready[0]
        limit, included = None, True
        if len(ready) > 1:
            limit, other = ready[1]
            included = n < other
        if self._speed is not None:
            due = self._due(head)
            if due < head:
                pause(min(timeout, NAP, (head - due) / 1_000_000 / self._speed))
                return fed
            if limit is None or due < limit:
                limit, included = due, True
        fed.append(self._parts[n].take(limit, included=included))
        return fed

    def _due(self, head: int) -> int:
        """The arrival time that a paced replay has come to."""
        if self._watch is None:
            self._watch, self._begin = Stopwatch(), head
        assert self._speed is not None
        return self._begin + int(self._watch.seconds * self._speed * 1_000_000)
