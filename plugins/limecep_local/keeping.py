"""What survives a crash of detection that is divided: the rows of all workers, written as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.clock import MovableClock
from limecep.embedding.pipelines import joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from limecep import Event
    from limecep.clock import Clock
    from limecep.embedding.pipelines import Book, Kept, Row
    from limecep_local.divided import Division


class Keeping:
    """The checkpoint of a division (`Keeping` of the kernel).

    Workers are asked for what changed once they have answered all that was fed. What they say is written in
    one transaction with the places of the sources and the records to be sent, so after a crash all go on from
    the same event.

    Args:
        division: The workers.
        clock: The arrival clock.
        book: Where rows are noted.

    Attributes:
        workers: How many there are.
    """

    def __init__(self, division: Division, clock: Clock, book: Book, workers: int) -> None:
        self.workers = workers
        self._division = division
        self._clock = clock
        self._book = book
        self._kept: Sequence[Kept] = ()

    @property
    def size(self) -> int:
        """How many events each has in memory."""
        return self._division.size

    def segments(self, events: Iterable[Event]) -> Iterable[tuple[int, int, bytes]]:
        """Those of the events before the last snapshot."""
        kept, self._kept = self._kept, ()
        return joined([k.segments for k in kept])

    def snapshot(self) -> dict[str, Any]:
        """What the workers do not say."""
        kept = self._kept = self._division.ask("keep")
        for k in kept:
            self._book.add(k.put, k.deleted)
        sources = self._division.statistics.sources
        return {
            "needed_from": min(k.needed_from for k in kept),
            "invalid": {name: s.outcomes["invalid"] for name, s in sources.items()},
            "now": self._clock.now() if isinstance(self._clock, MovableClock) else 0,
        }

    def restore(self, known: Mapping[str, Any], rows: Iterable[Row], segments: Iterable[bytes]) -> None:
        """The workers look at the state themselves."""
        if isinstance(self._clock, MovableClock):
            self._clock.advance(known["now"])
        self._division.begin(resumes=True)
        for name, count in known["invalid"].items():
            self._division.statistics.source(name).outcomes["invalid"] = count
