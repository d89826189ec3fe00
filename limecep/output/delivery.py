"""Delivery: updates and late records on their way to the sinks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.update import Update
    from limecep.output.outlets import Outlet, UpdateOutlet
    from limecep.output.record import Record

#: The sinks are sent what there is at the latest when there is so much of it. Not much: a match is rendered
#: soonest while it is at hand, and before late events have moved what its groups are ranges of.
FULL = 256


class Delivery:
    """Gathers what goes out, and hands it to the sinks.

    Args:
        updates: The sinks of updates.
        late: The sinks of the late output.
    """

    def __init__(self, updates: Sequence[UpdateOutlet], late: Sequence[Outlet]) -> None:
        self.outlets: tuple[Outlet, ...] = (*updates, *late)
        #: Whether some sink wants updates, or all of them only count.
        self.wants_updates = any(o.writes for o in updates)
        self._wants_late = False
        self._update_outlets = updates
        self._late_outlets = late
        self._updates: list[Update] = []
        self._late: list[Record] = []

    def open(self) -> None:
        """Opens the sinks.

        Raises:
            RunFailure: One of them cannot be written.
        """
        for outlet in self.outlets:
            outlet.open()
        self._wants_late = any(o.writes for o in self._late_outlets)

    def update(self, update: Update) -> None:
        """Takes an update."""
        self._updates.append(update)
        if len(self._updates) >= FULL:
            self.send()

    def late(self, record: Record) -> None:
        """Takes a record of the late output, where there is an open sink for it."""
        if self._wants_late:
            self._late.append(record)
            if len(self._late) >= FULL:
                self.send()

    def send(self) -> None:
        """Sends everything to the sinks."""
        if self._updates:
            updates, self._updates = self._updates, []
            for outlet in self._update_outlets:
                outlet.send(updates)
        if self._late:
            records, self._late = self._late, []
            for late in self._late_outlets:
                if late.writes:
                    late.post(records)

    def flush(self) -> None:
        """Sends everything, and returns when it is durable."""
        self.send()
        for outlet in self.outlets:
            outlet.flush()

    def close(self) -> None:
        """Closes the sinks, all of them even if one cannot. May be called twice, and without `open`."""
        failure: Exception | None = None
        for outlet in self.outlets:
            try:
                outlet.close()
            except Exception as error:
                failure = failure or error
        if failure is not None:
            raise failure
