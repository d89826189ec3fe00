"""Refusals: which events some patterns do not see, for when memory has let them go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.tables import Form
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event

#: How many refusals are remembered.
ROOM_REFUSALS = 50_000

NOBODY: frozenset[Hashable] = frozenset()


class Refusals:
    """The groups of patterns that refused an event, by its identity; of events that no pattern took, that.

    Args:
        tables: Makes their table.
        groups: The groups of patterns, each once.
        room: How many are remembered. The oldest go where there are more.

    Attributes:
        lost_until: The greatest `t_gen` among those that had to go, in microseconds.
        known: Who refused an event, and its `t_gen`, by its identity.
    """

    def __init__(self, tables: Tables, groups: Sequence[Hashable], room: int = ROOM_REFUSALS) -> None:
        numbers = {group: number for number, group in enumerate(groups)}

        def write(identity: Any, refusal: Any) -> Any:
            refused, t_gen = refusal
            return [identity, None if refused is None else [numbers[group] for group in refused], t_gen]

        def read(value: Any, events: Mapping[int, Event]) -> Any:
            identity, refused, t_gen = value
            return tuple(identity), (
                None if refused is None else frozenset(groups[n] for n in refused),
                t_gen,
            )

        self.lost_until = -FOREVER
        self._room = room
        self.known: dict[tuple[str, str, str], tuple[frozenset[Hashable] | None, int]] = tables.table(
            "refusals", Form(write, read)
        )

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

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash, the table aside."""
        return {"lost_until": self.lost_until}

    def restore(self, known: Mapping[str, Any]) -> None:
        """They are as they were in a snapshot."""
        self.lost_until = known["lost_until"]
