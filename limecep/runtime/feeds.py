"""Feeding: events out of sources, finite ones merged into the one stream they would have been."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

from limecep.clock import Stopwatch, pause
from limecep.contracts.source import (
    Bulk,
    Connecting,
    Divided,
    Fielded,
    Marking,
    Message,
    Named,
    Paced,
    Pressing,
    Recognising,
    Rejecting,
    Seeking,
    positions_of,
)
from limecep.intake.columns import never_back
from limecep.model.time import EARLIEST, LATEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.contracts.source import Source
    from limecep.intake.reader import Invalid, Reader
    from limecep.model.event import Event

#: How many messages are asked for at a time.
BATCH_MESSAGES = 4096

#: The longest a replay waits at a time, in seconds, before it looks whether it is to stop.
NAP_SECONDS = 0.05
#: How long a read of a recording waits for messages, in seconds, before it asks again.
_POLL_SECONDS = 0.1


class Fed:
    """Some events in the order of arrival, where each stood, and the records that gave none."""

    __slots__ = ("_places", "events", "invalid", "positions")

    def __init__(
        self, events: Sequence[Event] = (), positions: Sequence[str] = (), invalid: Sequence[Invalid] = ()
    ) -> None:
        self.events = events
        self.positions = positions
        self.invalid = invalid
        self._places: dict[int, str] | None = None

    def position(self, event: Event) -> str:
        """Where one of the events stood; "" for any other."""
        # Few are ever asked for.
        if self._places is None:
            self._places = dict(zip(map(id, self.events), self.positions, strict=True))
        return self._places.get(id(event), "")


class Part:
    """One stream of a source: a file of a glob, or all of it.

    Args:
        source: The transport.
        reader: Makes events of its messages.

    Attributes:
        channel: What tells it from other parts of the source; "" where it is all of it.
        places: The position of the last message of each log, by the log's name; None where nobody asks.
        marks: What is known of those messages, where the transport tells logs of one name apart by that.
        readings: How often a finite stream was read on.
        behind: Whether the last read brought as much as was asked for, so that there is more to read.
    """

    def __init__(self, source: Source, reader: Reader) -> None:
        self.source = source
        self.channel = source.channel if isinstance(source, Named) else ""
        self.places: dict[str, str] | None = None
        self.marks: dict[str, str] = {}
        self.readings = 0
        self.behind = False
        self._unsure: dict[str, Message] = {}
        self._pressing = source if isinstance(source, Pressing) else None
        self._mark = source.mark if isinstance(source, Marking) else None
        self._reader = reader
        self._reject = source.reject if isinstance(source, Rejecting) else None
        self._events: Sequence[Event] = ()
        self._positions: Sequence[str] = ()
        self._arrivals: Sequence[int] = ()
        self._at = 0
        self._reached = EARLIEST
        self._uncommitted: list[Sequence[str]] = []

    @property
    def pressed(self) -> bool:
        """Whether the source will soon bring nothing more before something is done with."""
        return self._pressing is not None and self._pressing.pressed

    @property
    def ready(self) -> bool:
        """Whether there is an event to take."""
        return self._at < len(self._arrivals)

    @property
    def open(self) -> bool:
        """Whether there may be events that were not read yet."""
        return not self.source.ended

    @property
    def head(self) -> int:
        """When the next event arrived: never earlier than one before it."""
        return self._arrivals[self._at]

    @property
    def reached(self) -> int:
        """When the last event that was read arrived: those to come arrive no earlier."""
        return self._reached

    def fill(self, timeout: float) -> Sequence[Invalid]:
        """Reads on when everything was taken, waiting no longer than `timeout` seconds.

        Returns:
            The records that gave no event.
        """
        messages = self._read(timeout)
        self.readings += 1
        self._note_places(messages)
        batch = self._reader.read(messages)
        self._events, self._positions, self._at = batch.events, batch.positions, 0
        # Where arrival times go back, the order of the file counts.
        self._arrivals = never_back([e.t_arr for e in batch.events], self._reached)
        if self._arrivals:
            self._reached = self._arrivals[-1]
        return batch.invalid

    def take(self, limit: int = LATEST, *, included: bool = True) -> tuple[Fed, Sequence[int]]:
        """Takes the events that arrived before `limit`, or at it where that is included, with their arrival
        times; where these go back, with the latest one so far."""
        begin = self._at
        end = self._at = (bisect_right if included else bisect_left)(self._arrivals, limit, begin)
        return Fed(self._events[begin:end], self._positions[begin:end]), self._arrivals[begin:end]

    def poll(self, timeout: float) -> Fed:
        """Reads on, and takes what there is: for a live source. Its messages then wait for `commit`."""
        messages = self._read(timeout)
        if messages:
            self._uncommitted.append(positions_of(messages))
        batch = self._reader.read(messages)
        self._note_places(messages)
        if batch.invalid and self._reject is not None:
            for invalid in batch.invalid:
                self._reject(invalid.message, invalid.error)
        return Fed(batch.events, batch.positions, batch.invalid)

    def _read(self, timeout: float) -> Sequence[Message]:
        messages = self.source.poll(BATCH_MESSAGES, timeout)
        self.behind = len(messages) >= BATCH_MESSAGES
        return messages

    def _note_places(self, messages: Sequence[Message]) -> None:
        """Notes how far the logs were read: behind what is held back, where that would be lost."""
        if self.places is None:
            return
        last = messages.ends if isinstance(messages, Bulk) else messages
        self._unsure.update({m.position.rpartition(":")[0]: m for m in last})
        if self._unsure and (self._reader.remembers or not self._reader.holding):
            self.places.update({log: m.position for log, m in self._unsure.items()})
            if self._mark is not None:
                self.marks.update({log: self._mark(m) for log, m in self._unsure.items()})
            self._unsure.clear()

    @property
    def waiting(self) -> Sequence[Event]:
        """The events that were read and not taken yet."""
        return self._events[self._at :]

    @property
    def rest(self) -> tuple[Sequence[Event], Sequence[str], Sequence[int]]:
        """The same, with their positions and arrival times."""
        at = self._at
        return self._events[at:], self._positions[at:], self._arrivals[at:]

    def put_back(
        self, events: Sequence[Event], positions: Sequence[str], arrivals: Sequence[int], reached: int
    ) -> None:
        """These events were read in an earlier life of the pipeline, and not taken."""
        self._events, self._positions, self._arrivals, self._at = events, positions, arrivals, 0
        self._reached = reached

    def commit(self) -> None:
        """What was polled has had its effects: says so to the source, but for a record whose other part is
        still to come."""
        if not self._reader.holding:
            uncommitted, self._uncommitted = self._uncommitted, []
            for positions in uncommitted:
                self.source.commit(positions)


class Feed:
    """One source of the pipeline.

    Args:
        name: Its name.
        source: The transport.
        make_reader: Makes what makes events of its messages.
        live: Whether messages come as things happen; else they are a recording.

    Attributes:
        finished: Whether what the reader held back was taken, as nothing comes any more.
        places: Where to go on, before it is opened; then how far it has been read: the position of the last
            message of each log, by the log's name. None where nobody asks.
        marks: Likewise, as `Part.marks`.
    """

    def __init__(self, name: str, source: Source, make_reader: Callable[[], Reader], *, live: bool) -> None:
        self.places: dict[str, str] | None = None
        self.marks: dict[str, str] = {}
        self.name = name
        self.reader = make_reader()
        self.live = live
        self.parts: list[Part] = []
        self.finished = False
        self.make_reader = make_reader
        self._source = source
        self._connecting: Connecting | None = None
        self._left: dict[str, tuple[Any, ...]] = {}

    def open(self) -> None:
        """Opens the source.

        Raises:
            RunFailure: It cannot be had, or has not the fields that the pipeline names.
        """
        source = self._source
        seeks = isinstance(source, Seeking)
        if self.places and isinstance(source, Seeking):
            source.seek(list(self.places.values()))
        if self.marks and isinstance(source, Recognising):
            source.recognise(self.marks)
        source.open()
        self._connecting = source if isinstance(source, Connecting) else None
        if isinstance(source, Fielded) and source.fields is not None:
            self.reader.expect(source.fields)
        parts = source.parts() if isinstance(source, Divided) else [source]
        self.parts = [Part(part, self.reader) for part in parts]
        for part in self.parts:
            # Where it cannot be told where to go on, it finds that itself.
            part.places = self.places if seeks else None
            part.marks = self.marks
            if part.channel in self._left:
                part.put_back(*self._left[part.channel])

    def put_back(
        self,
        channel: str,
        events: Sequence[Event],
        positions: Sequence[str],
        arrivals: Sequence[int],
        reached: int,
    ) -> None:
        """A part has these events still to be taken, and was read up to that arrival time. Before `open`."""
        self._left[channel] = events, positions, arrivals, reached

    @property
    def ended(self) -> bool:
        """Whether nothing will come any more."""
        return not any(p.ready or p.open for p in self.parts)

    @property
    def connected(self) -> bool:
        """Whether what is published from now on will be read."""
        return self._connecting is None or self._connecting.connected

    def finish(self) -> Fed:
        """What the reader held back, when nothing comes any more."""
        self.finished = True
        batch = self.reader.finish()
        return Fed(batch.events, batch.positions, batch.invalid)

    @property
    def waiting(self) -> Sequence[Event]:
        """The events that were read and not taken yet."""
        return [event for part in self.parts for event in part.waiting]

    def whole(self) -> Iterator[tuple[Fed, Sequence[int]]]:
        """Opens the source, reads a recording from its beginning to its end, part after part, and closes it.

        Yields:
            Events as they were read, with their arrival times; where these go back, with the latest one so
            far. What the reader held back comes last.

        Raises:
            RunFailure: It cannot be read.
        """
        self.open()
        try:
            for part in self.parts:
                while part.open or part.ready:
                    invalid = part.fill(_POLL_SECONDS)
                    fed, arrivals = part.take()
                    yield Fed(fed.events, fed.positions, invalid), arrivals
            rest = self.finish()
            reached = max((part.reached for part in self.parts), default=EARLIEST)
            yield rest, [max(reached, event.t_arr) for event in rest.events]
        finally:
            self.close()

    def close(self) -> None:
        """Lets go of the source. May be called without `open`."""
        self._source.close()


class Replay:
    """Finite sources, read as the one stream they would have been: merged by arrival, ties in the order of
    the sources and of their parts. Taken in turn they would be disorder of our own making.

    Args:
        parts: All of them, opened.
        paced: Whether they come as slowly as their sources ask for.
    """

    def __init__(self, parts: Sequence[Part], *, paced: bool = True) -> None:
        self._parts = parts
        paces = [p.source.speed for p in parts if paced and isinstance(p.source, Paced)]
        #: The slowest pace that one of them asks for; None: as fast as possible.
        self._speed: float | None = min((s for s in paces if s is not None), default=None)
        self._watch: Stopwatch | None = None
        self._begin = 0

    def step(self, timeout: float) -> list[Fed]:
        """The next events, after at most `timeout` seconds; none if they are not there yet, or not due."""
        fed: list[Fed] = []
        for part in self._parts:
            if part.open and not part.ready:
                invalid = part.fill(timeout)
                if invalid:
                    fed.append(Fed(invalid=invalid))
        if any(p.open and not p.ready for p in self._parts):
            return fed
        head = min((p.head for p in self._parts if p.ready), default=None)
        if head is None:
            return fed
        # Nothing can come between any more up to the time that all have reached; at that very time, in those
        # after the one that has reached no further.
        limit, last = min(
            ((p.reached, n) for n, p in enumerate(self._parts) if p.open), default=(LATEST, len(self._parts))
        )
        if self._speed is not None:
            due = self._due(head, self._speed)
            if due < head:
                pause(min(timeout, NAP_SECONDS, (head - due) / 1_000_000 / self._speed))
                return fed
            if due < limit:
                limit, last = due, len(self._parts)
        fed.append(_merged([p.take(limit, included=n <= last) for n, p in enumerate(self._parts)]))
        return fed

    def _due(self, head: int, speed: float) -> int:
        """The arrival time that a paced replay has come to."""
        if self._watch is None:
            self._watch, self._begin = Stopwatch(), head
        return self._begin + int(self._watch.seconds * speed * 1_000_000)


def poll_live(parts: Sequence[Part], timeout: float) -> Fed:
    """What live sources have, after at most `timeout` seconds, merged by arrival: one read after the other,
    what they had in store would be disorder of our own making. Once something came, nothing is waited for."""
    taken: list[Fed] = []
    invalid: list[Invalid] = []
    for part in parts:
        fed = part.poll(0.0 if taken or invalid else timeout / len(parts))
        invalid += fed.invalid
        if fed.events:
            taken.append(fed)
    if len(taken) < 2:
        came = taken[0] if taken else Fed()
    else:
        came = _merged([(fed, list(accumulate((e.t_arr for e in fed.events), max))) for fed in taken])
    return Fed(came.events, came.positions, invalid)


def _merged(taken: Sequence[tuple[Fed, Sequence[int]]]) -> Fed:
    """Streams in the order of arrival as one; at one time in the order given."""
    taken = [(fed, arrivals) for fed, arrivals in taken if arrivals]
    if len(taken) == 1:
        return taken[0][0]
    arrivals = list(chain.from_iterable(a for _, a in taken))
    events = list(chain.from_iterable(fed.events for fed, _ in taken))
    positions = list(chain.from_iterable(fed.positions for fed, _ in taken))
    # Sorting is stable, and fast on what is sorted in stretches.
    order = sorted(range(len(arrivals)), key=arrivals.__getitem__)
    return Fed([events[i] for i in order], [positions[i] for i in order])
