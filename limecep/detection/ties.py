"""Ties: events of one time that came together, in no order."""

from __future__ import annotations

from itertools import groupby, islice
from operator import attrgetter, eq
from typing import TYPE_CHECKING, Any

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.model.event import Event

#: After so many batches without ties in a row they are looked for no more, until one comes.
QUIET_BATCHES = 16

_time = attrgetter("t_gen", "t_arr")


class Ties:
    """Puts the events of a batch that have one time, and arrived at one time, in the order of the sort key.

    Else each that comes before another by that order corrects what the other has caused: half of them do
    readings of a thousand devices would take minutes.

    Attributes:
        quiet: How many batches without ties came in a row.
    """

    def __init__(self) -> None:
        self.quiet = 0

    def met(self) -> None:
        """An event came before one of its own time that is there already."""
        self.quiet = 0

    def in_order(self, events: Sequence[Event]) -> Sequence[Event]:
        """The events of a batch, in an order in which they may as well have come."""
        if self.quiet >= QUIET_BATCHES or len(events) < 2:
            return events
        times = [e.t_gen for e in events]
        if not any(map(eq, times, islice(times, 1, None))):
            self.quiet += 1
            return events
        self.quiet = 0
        found: list[Event] = []
        for _, tied in groupby(events, key=_time):
            run = list(tied)
            found += run if len(run) == 1 else sorted(run, key=sort_key)
        return found

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash."""
        return {"quiet": self.quiet}

    def restore(self, known: Mapping[str, Any]) -> None:
        """They are as they were in a snapshot."""
        self.quiet = known["quiet"]
