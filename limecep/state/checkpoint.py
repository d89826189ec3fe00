"""The checkpoint of a detection: its snapshot, its tables' rows, and the events that entered."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol

from limecep.state import segments as journal
from limecep.state.json_values import decode

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from limecep.contracts.state import Row
    from limecep.detection.detection import Detection
    from limecep.model.event import Event
    from limecep.patterns.detector import Detector
    from limecep.state.book import Book
    from limecep.statistics import Statistics


#: How many events that were packed are read at a time.
REPACKED_EVENTS = 4096


class Detected(Protocol):
    """A detection, in this process or divided among several, as far as its state is about it."""

    @property
    def detectors(self) -> Sequence[Detector]:
        """The patterns."""

    @property
    def statistics(self) -> Statistics:
        """The figures of sources, types and patterns."""

    @property
    def lta(self) -> int:
        """The latest `t_gen` seen, in microseconds."""


class Keeping(Protocol):
    """Writes what must survive of a detection, and restores it. `Checkpoint` does for one in this process."""

    @property
    def workers(self) -> int:
        """How many processes it is divided among."""

    @property
    def size(self) -> int:
        """How many events it has in memory."""

    def segments(self, events: Iterable[Event]) -> Iterable[tuple[int, int, bytes]]:
        """What the journal is to have of events that were fed, and of earlier ones, where it is known now."""

    def snapshot(self) -> dict[str, Any]:
        """What is to be kept, rows and journal aside, of all that was fed. `needed_from` in it is the `t_gen`
        from which on the journal has what is in memory."""

    def restore(self, known: Mapping[str, Any], rows: Iterable[Row], segments: Iterable[bytes]) -> None:
        """Detection is as it was, as of `Checkpoint`."""


class Checkpoint:
    """Writes what must survive of a detection, and restores it.

    Args:
        detection: To which nothing has happened yet.
        book: Made its tables.
    """

    workers = 1

    def __init__(self, detection: Detection, book: Book) -> None:
        self._detection = detection
        self._book = book
        #: The greatest `t_gen` of what is in the journal.
        self._latest = detection.lta
        numbers = detection.refusals.numbers
        assert numbers is not None
        self._numbers = numbers

    def segments(self, events: Iterable[Event]) -> Iterator[tuple[int, int, bytes]]:
        """Segments of the journal, as `limecep.state.segments.write`: those of the events that were fed last
        that entered the store."""
        entered = [event for event in events if event.ordinal]
        derived = self._detection.derived
        if derived is not None and derived.entered:
            entered = sorted([*entered, *derived.entered], key=attrgetter("ordinal"))
            derived.entered = []
        before, self._latest = self._latest, max([self._latest, *(e.t_gen for e in entered)])
        refused = {
            ordinal: self._numbers.of(groups) for ordinal, groups in self._detection.late.partly.items()
        }
        return journal.write(entered, before, refused)

    @property
    def size(self) -> int:
        """How many events there are in memory."""
        return self._detection.size

    @property
    def needed_from(self) -> int:
        """The `t_gen` from which on the journal has what is in memory."""
        return min(self._detection.retention.begins, self._detection.store.earliest)

    def snapshot(self) -> dict[str, Any]:
        """What is to be kept, rows and journal aside."""
        known = self._detection.snapshot()
        return {**known, "needed_from": self.needed_from, "groups": self._numbers.in_order}

    @staticmethod
    def _left(rows: Iterable[Row]) -> dict[int, list[int] | None]:
        """The events that have left, by ordinal, with the numbers of the groups for which; None for all."""
        from limecep.detection.stated import GONE

        found = [decode(row.value) for row in rows if row.name.rpartition("/")[2] == GONE]
        return {ordinal: groups for ordinal, _, groups in found}

    def restore(self, known: Mapping[str, Any], rows: Iterable[Row], segments: Iterable[bytes]) -> None:
        """Detection is as it was.

        Args:
            known: The snapshot.
            rows: Those of the tables, and others, which are left alone.
            segments: Those of the journal that have anything from `needed_from` on.

        Raises:
            RunFailure: They do not fit together.
        """
        detection, groups, numbers = self._detection, self._detection.groups, self._numbers
        numbers.in_order = known.get("groups", numbers.in_order)
        stored: list[Event] = []
        refused: dict[int, list[Hashable]] = {}
        retention, refusals = detection.retention, detection.refusals
        retention.begin_again(known["retention"])
        gone: list[Event] = []
        before, arrivals = known["store"]["left"]
        for events, refusing in journal.read(segments):
            refused.update((ordinal, numbers.groups(found)) for ordinal, found in refusing.items())
            for event in events:
                (stored if event.t_gen >= before or event.ordinal > arrivals else gone).append(event)
                if refusals.since and (unseen := refusals.unseen(event.ordinal)):
                    refused.setdefault(event.ordinal, []).extend(unseen)
            if len(gone) >= REPACKED_EVENTS:
                retention.repack(gone)
                gone = []
        retention.repack(gone)
        left = {} if detection.stated is None else self._left(rows)
        for ordinal, found in left.items():
            refused.setdefault(ordinal, []).extend(groups if found is None else [groups[n] for n in found])
        away = [e for e in stored if e.ordinal in left and left[e.ordinal] is None]
        there = [e for e in stored if e.ordinal not in left or left[e.ordinal] is not None]
        stored = detection.store.restore(known["store"], there, refused)
        self._book.load(rows, {e.ordinal: e for e in (*stored, *away)})
        detection.restore(known)
        self._latest = detection.lta
