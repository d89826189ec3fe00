"""Strangers: which event types came that no pattern names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from limecep.model.event import Event

#: So many events are looked at one by one, of later ones one in so many: a look-up for each would be felt
#: where most events concern no pattern.
LOOKED_AT_EVENTS = 10_000
ONE_IN_EVENTS = 64

#: How many types are told apart.
ROOM_TYPES = 200


class Strangers:
    """Counts them.

    Args:
        known: The types that patterns name.

    Attributes:
        counts: How many events there were of each other type, as far as they were looked at.
    """

    def __init__(self, known: Container[str]) -> None:
        self.counts: dict[str, int] = {}
        self._known = known
        self._looked_at = self._seen = 0

    @property
    def whole(self) -> bool:
        """Whether all events were looked at, and all types told apart."""
        return self._looked_at == self._seen and len(self.counts) < ROOM_TYPES

    def look(self, events: Sequence[Event]) -> None:
        """Looks at events that came."""
        few = events if self._looked_at < LOOKED_AT_EVENTS else events[::ONE_IN_EVENTS]
        self._seen += len(events)
        self._looked_at += len(few)
        counts, known = self.counts, self._known
        for event in few:
            name = event.type
            if name not in known and (name in counts or len(counts) < ROOM_TYPES):
                counts[name] = counts.get(name, 0) + 1
