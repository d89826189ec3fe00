"""Which lanes had an event lately."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.model.event import Event
    from limecep.store.lane import Lane
    from limecep.store.store import Store


class Recent:
    """The lanes that the patterns of a store share, by their last event: of many lanes only those are looked
    at that have something in a window.

    Args:
        store: The store.
    """

    #: It follows from the lanes.
    transient: ClassVar[frozenset[str]] = frozenset({"lanes", "stand"})

    def __init__(self, store: Store) -> None:
        self._store = store
        #: The lane whose last event is the latest comes last.
        self._lanes: dict[Lane, None] = {}
        self._stand = -1

    def came(self, event: Event) -> None:
        """An event, the latest of all, has entered the store."""
        lanes = self._lanes
        for lane in self._store.types[event.type].shared():
            events = lane.content.events
            if events and events[-1] is event:
                lanes.pop(lane, None)
                lanes[lane] = None

    def entered(self, lane: Lane, order: int) -> None:
        """An event with an order number that is not the latest of all has become the last of a lane."""
        later = []
        for other in reversed(self._lanes):
            if other is not lane:
                numbers = other.content.order
                if numbers and numbers[-1] <= order:
                    break
                later.append(other)
        for moved in (lane, *reversed(later)):
            self._lanes.pop(moved, None)
            self._lanes[moved] = None

    def since(self, low: int) -> Iterator[Lane]:
        """The lanes whose last event is not before an order number, the latest first."""
        if self._stand != self._store.changes:
            self._renew()
        for lane in reversed(self._lanes):
            numbers = lane.content.order
            if numbers:
                if numbers[-1] < low:
                    return
                yield lane

    def _renew(self) -> None:
        """Puts the lanes in order again: events left, or came back."""
        lanes = {lane for type_set in self._store.types.values() for lane in type_set.shared() if len(lane)}
        self._lanes = dict.fromkeys(sorted(lanes, key=_last))
        self._stand = self._store.changes


def _last(lane: Lane) -> int:
    return lane.content.order[-1]
