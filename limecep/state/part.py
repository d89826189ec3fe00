"""A part of a state: what one of several processes keeps that divide the keys of a pipeline.

One process, which has the state open, writes the rows of all in one transaction, with the places of the
sources and what is to be sent. The others only look at it.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.model.time import FOREVER
from limecep.state.book import PARTS, Book, Numbers
from limecep.state.checkpoint import Checkpoint
from limecep.state.json_values import damaged, decode, encode
from limecep.state.keeper import FIGURES
from limecep.state.segments import within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from limecep.contracts.state import Row, StateStore
    from limecep.detection.detection import Detection
    from limecep.model.event import Event

#: What the name of a part begins with; no pattern has such a name.
PART = "process."

#: From when to when the events of a segment are, in microseconds, and the segment.
Segment = tuple[int, int, bytes]

#: Where the number of the process stands in a segment that several keep alike.
_ALL = 255


class Kept(NamedTuple):
    """What one process has to be written since it was asked last.

    Attributes:
        put: Rows to write.
        deleted: The numbers of rows to delete, before that.
        segments: Those of the journal.
        needed_from: The `t_gen` from which on its memory needs the journal.
    """

    put: list[Row]
    deleted: list[int]
    segments: list[Segment]
    needed_from: int


class PartKeeper:
    """Keeps what one process detects. It is a journal, too (`limecep.contracts.journal`).

    Args:
        store: The state, which another process has open.
        number: The number of the process, from 0.

    Attributes:
        tables: Makes the tables of its detection.
    """

    def __init__(self, store: StateStore, number: int) -> None:
        self._store = store
        self._number = number
        self._numbers = Numbers(number + 1)
        self._book = Book(self._numbers)
        self._name = f"{PARTS}/{PART}{number}/"
        self._segments: list[Segment] = []
        self.tables = self._book.of(f"{PART}{number}")

    def begin(self, detection: Detection) -> None:
        """That is its detection, to which nothing has happened yet."""
        self._checkpoint = Checkpoint(detection, self._book)

    def resume(self) -> Mapping[str, Any]:
        """Detection knows what it knew; gives what else was kept.

        Raises:
            RunFailure: The state is damaged.
        """
        with self._looked_at() as store:
            rows = [row for row in store.rows() if row.name.startswith(self._name)]
            for row in rows:
                self._numbers.seen(row.number)
            figures = next((row for row in rows if row.name == self._name + FIGURES), None)
            if figures is None:
                raise damaged(f"'{self._name}{FIGURES}' is missing")
            self._book.found(figures)
            known: dict[str, Any] = decode(figures.value)
            self._checkpoint.restore(known, rows, self._own(store.segments(known["needed_from"], FOREVER)))
        return known

    def entered(self, events: Sequence[Event]) -> None:
        """These events were fed."""
        self._segments += self._checkpoint.segments(events)

    def changes(self, more: Mapping[str, Any]) -> Kept:
        """What has changed since this was asked last.

        Args:
            more: What else is to be kept, as values of JSON.
        """
        known = self._checkpoint.snapshot()
        self._book.cell(self._name + FIGURES, encode({**known, **more}))
        segments, self._segments = self._segments, []
        return Kept(*self._book.changes(), segments, known["needed_from"])

    # -- as a journal --------------------------------------------------------------------------------------

    @property
    def begins(self) -> int:
        """All events from this `t_gen` on are there."""
        with self._looked_at() as store:
            return next((int(decode(row.value)["journal"]) for row in store.rows(FIGURES)), -FOREVER)

    def events(self, t_from: int, t_to: int) -> Sequence[Event]:
        """The events that entered, in a range of `t_gen`, both ends included, in the order of their entry."""
        with self._looked_at() as store:
            found = [*self._own(store.segments(t_from, t_to))]
        # The last ones are not written yet.
        found += [text for first, last, text in self._segments if first <= t_to and last >= t_from]
        return within(found, t_from, t_to)

    @contextmanager
    def _looked_at(self) -> Iterator[StateStore]:
        self._store.peek()
        try:
            yield self._store
        finally:
            self._store.close()

    def _own(self, segments: Iterable[bytes]) -> Iterator[bytes]:
        return whole(segments, self._number)


def whole(segments: Iterable[bytes], number: int = 0) -> Iterator[bytes]:
    """The segments that one process wrote, of those of all; by default the first, which has all events."""
    return (s[1:] for s in segments if s[0] in (number, _ALL))


def joined(parts: Sequence[Sequence[Segment]]) -> Iterator[Segment]:
    """The segments of all processes, each with whose it is: once where all have the same."""
    alike = all(part == parts[0] for part in parts)
    for number, part in enumerate(parts[:1] if alike else parts):
        for first, last, text in part:
            yield first, last, bytes([_ALL if alike else number]) + text
