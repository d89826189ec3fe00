"""What is remembered of a store: its figures; and how it takes back its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping

    from limecep.model.event import Event
    from limecep.store.store import Store


def take_back(
    store: Store, events: Iterable[Event], refused: Callable[[Event], Collection[Hashable]]
) -> None:
    """Puts events that were there in an earlier life of the pipeline into an empty store. They keep their
    ordinals.

    Args:
        store: The store.
        events: The events.
        refused: The groups whose patterns refused an event.
    """
    for event in sorted(events, key=sort_key):
        type_set = store.type_set(event.type)
        if type_set is not None:
            store.place(event, type_set, refused(event))


def figures(store: Store) -> dict[str, Any]:
    """What is to be remembered, the events aside."""
    return {
        "arrivals": store.arrivals,
        "departures": store.departures,
        "left": store.left,
        "types": {name: (t.departed, t.departed_until) for name, t in store.types.items()},
        "without_key": [keyed.without_key for keyed in store._keyed.values()],
    }


def recall(store: Store, known: Mapping[str, Any]) -> None:
    """The store is as it was when these were its figures; the events are there."""
    store.arrivals, store.departures = known["arrivals"], known["departures"]
    before, arrivals = known["left"]
    store.left = before, arrivals
    for name, (count, until) in known["types"].items():
        type_set = store.type_set(name)
        if type_set is not None:
            type_set.departed, type_set.departed_until = count, until
    for keyed, number in zip(store._keyed.values(), known["without_key"], strict=True):
        keyed.without_key = number
