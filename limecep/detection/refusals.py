"""Refusals: which events some patterns do not see, for when memory has let them go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.patterns.deadlines import FOREVER

if TYPE_CHECKING:
    from collections.abc import Hashable

    from limecep.model.event import Event

#: How many refusals are remembered.
ROOM = 50_000

NOBODY: frozenset[Hashable] = frozenset()


class Refusals:
    """The groups of patterns that refused an event, by its identity; of events that no pattern took, that.

    Args:
        room: How many are remembered. The oldest go where there are more.

    Attributes:
        lost_until: The greatest `t_gen` among those that had to go, in microseconds.
        known: Who refused an event, and its `t_gen`, by its identity.
    """

    def __init__(self, room: int = ROOM) -> None:
        self.lost_until = -FOREVER
        self._room = room
        self.known: dict[tuple[str, str, str], tuple[frozenset[Hashable] | None, int]] = {}

    def __len__(self) -> int:
        return len(self.known)

    def note(self, event: Event, groups: frozenset[Hashable] | None) -> None:
        """An event was refused.

        Args:
            event: The event.
            groups: The groups that refused it; none if all took it after all; None: all refused it.
        """
        identity = (event.type, event.source, event.id)
        self.known.pop(identity, None)
        if groups is None or groups:
            self.known[identity] = (groups, event.t_gen)
            if len(self.known) > self._room:
                oldest = next(iter(self.known))
                self.lost_until = max(self.lost_until, self.known.pop(oldest)[1])

    def of(self, event: Event) -> frozenset[Hashable] | None:
        """The groups that refused an event; None if all did."""
        known = self.known.get((event.type, event.source, event.id))
        return NOBODY if known is None else known[0]
