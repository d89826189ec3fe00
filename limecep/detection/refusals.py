"""Refusals: which events some patterns do not see, for when memory has let them go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.tables import PLAIN
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from limecep.contracts.tables import Tables
    from limecep.detection.group_numbers import GroupNumbers
    from limecep.model.event import Event

#: How many refusals are remembered.
ROOM_REFUSALS = 50_000

NOBODY: frozenset[Hashable] = frozenset()


class Refusals:
    """The groups of patterns that refused an event, by its identity; of events that no pattern took, that.

    Args:
        tables: Makes their table.
        labels: What stands for each group of patterns, in any run.
        since: The groups that see only what entered after an event, with its ordinal.
        room: How many are remembered. The oldest go where there are more.

    Attributes:
        lost_until: The greatest `t_gen` among those that had to go, in microseconds.
        numbers: The numbers of the groups, where anything is kept.
        known: Who refused an event, and its `t_gen`, by its identity.
    """

    #: The detectors say who they are, and when they began.
    transient: ClassVar[frozenset[str]] = frozenset({"numbers", "since"})

    def __init__(
        self,
        tables: Tables,
        labels: Mapping[Hashable, str],
        since: Mapping[Hashable, int],
        room: int = ROOM_REFUSALS,
    ) -> None:
        self.since = since
        self.lost_until = -FOREVER
        self._room = room
        self.numbers: GroupNumbers | None = None
        self.known: dict[tuple[str, str, str], tuple[frozenset[Hashable] | None, int]] = {}
        if tables is not PLAIN:
            from limecep.detection.group_numbers import GroupNumbers

            self.numbers = GroupNumbers(labels)
            self.known = tables.table("refusals", self.numbers.refusals())

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
        """The groups that refused an event that was stored, or came before they began; None if all did."""
        known = self.known.get((event.type, event.source, event.id))
        refused = NOBODY if known is None else known[0]
        return refused if refused is None or not self.since else refused | self.unseen(event.ordinal)

    def unseen(self, ordinal: int) -> frozenset[Hashable]:
        """The groups that began after an event of this ordinal."""
        return frozenset([group for group, begun in self.since.items() if ordinal <= begun])

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash, the table aside."""
        return {"lost_until": self.lost_until}

    def restore(self, known: Mapping[str, Any]) -> None:
        """They are as they were in a snapshot."""
        self.lost_until = known["lost_until"]
