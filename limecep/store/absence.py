"""Absence: an event out of the lanes that have it, for a moment or for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable

    from limecep.model.event import Event
    from limecep.store.lane import Lane
    from limecep.store.store import Store


class _Place(NamedTuple):
    """Where the event stands in a lane, and its order number there."""

    lane: "Lane"
    at: int
    number: int


class Absence:
    """Takes an event out of some lanes. Ranges made before keep it.

    Engines are asked what a late event changes before it enters, and once it is there: so they are asked
    about one that leaves, the other way round. Ranges made while it is hidden for that mean what they meant
    once it is hidden for good, and those made while it is shown always do.

    Args:
        event: The event.
        lanes: The lanes that may have it, each with the least order number that it has there.
    """

    __slots__ = ("_places",)

    def __init__(self, event: Event, lanes: Iterable[tuple[Lane, int]]) -> None:
        self._places: list[_Place] = []
        for lane, order in lanes:
            try:
                at = lane.place(order, event)
            except KeyError:
                # A filter does not take it, or the patterns of the lane refused it.
                continue
            self._places.append(_Place(lane, at, lane.content.order[at]))
            lane.tidy()

    def hide(self) -> None:
        """The lanes, which have it, are without it."""
        for lane, at, _ in self._places:
            lane.content.remove(at)

    def show(self) -> None:
        """The lanes, which are without it, are as they were before."""
        for lane, _, number in self._places:
            lane.content.restore(number)


def absence(store: Store, event: Event, staying: Collection[Hashable] = ()) -> Absence:
    """An event out of all lanes of a store that have it, but for those of some groups."""
    type_set, order = store.types[event.type], store.ordering.of(event)
    lanes = [(lane, order) for _, lane, group in type_set.lanes if group not in staying]
    for keyed in type_set.keyed:
        key = None if keyed.group in staying else keyed.own(event)
        if key is not None:
            lanes += [(lane, order << keyed.shift) for lane in keyed.lanes(key).values()]
    if not staying:
        lanes.append((type_set.events, order))
    return Absence(event, lanes)
