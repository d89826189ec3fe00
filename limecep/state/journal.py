"""The journal: the events that entered a pipeline, from its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.time import FOREVER
from limecep.state.segments import within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.state import StateStore
    from limecep.model.event import Event


class StateJournal:
    """The journal of a pipeline with state (`limecep.contracts.journal`).

    It keeps what memory keeps, and behind the latest event time as much as it is told to.

    Args:
        store: Where it is kept.
        keep: How long events are kept behind the latest event time, in microseconds.

    Attributes:
        begins: All events from this `t_gen` on are there.
    """

    def __init__(self, store: StateStore, keep: int) -> None:
        self.begins = -FOREVER
        self._store = store
        self._keep = keep

    def events(self, t_from: int, t_to: int) -> Sequence[Event]:
        """As `limecep.contracts.journal.Journal`."""
        return within(self._store.segments(t_from, t_to), t_from, t_to)

    def trim(self, needed_from: int, lta: int) -> None:
        """Lets go of what is neither in memory nor to be kept: all that segments of it have."""
        before = min(needed_from, lta - self._keep)
        if before > self.begins:
            self.begins = before
            self._store.trim(before)
