"""Restoring: a store has again the events that it had, after a stop or where they were needed once more."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping

    from limecep.model.event import Event
    from limecep.store.keyed_lanes import Keyed
    from limecep.store.lane import Lane
    from limecep.store.store import Store


def restore(
    store: Store,
    keyed: Mapping[Any, Keyed],
    known: Mapping[str, Any],
    events: Iterable[Event],
    refused: Mapping[int, Collection[Hashable]],
) -> list[Event]:
    """As `Store.restore`.

    Args:
        store: The store.
        keyed: Its lanes by key, by group and way of partitioning.
        known: The snapshot. `left_before` in it is what `left` was, where more events are there than then.
        events: All events that were there, and some that had left.
        refused: The groups whose patterns refused an event, by its ordinal.
    """
    before, arrivals = store.left = tuple(known["left"])
    left, left_at = known.get("left_before", store.left)
    found = [e for e in events if e.t_gen >= before or e.ordinal > arrivals]
    back: Counter[str] = Counter()
    placed = 0
    for event in sorted(found, key=sort_key):
        type_set = store.type_set(event.type)
        if type_set is not None:
            store.place(event, type_set, refused.get(event.ordinal, ()))
            placed += 1
            back[event.type] += event.t_gen < left and event.ordinal <= left_at
    # Patterns may have come that need what had left, and gone with what they needed.
    store.arrivals, store.departures = known["arrivals"], known["arrivals"] - placed
    for name, figures in known["types"].items():
        type_set = store.type_set(name)
        if type_set is not None:
            type_set.restore(figures)
            type_set.departed -= back[name]
    _restore_keyed(keyed, known["keyed"])
    return found


def _restore_keyed(keyed: Mapping[Any, Keyed], known: list[Any]) -> None:
    if known and not isinstance(known[0], list):
        # Older states have those of the same patterns, in their order.
        for mine, figures in zip(keyed.values(), known, strict=True):
            mine.restore(figures)
        return
    stored = {(group, way): figures for group, way, figures in known}
    for name, mine in keyed.items():
        group, way = label(name)
        # Where there was one group, or is one, its patterns refuse the same events.
        others = [g for g, w in stored if w == way] if group == "None" else ["None"]
        for other in (group, *others):
            if (other, way) in stored:
                mine.restore(stored[other, way])
                break


def label(name: Any) -> tuple[str, str]:
    """What stands in a snapshot for lanes by key: for their group, and for the way of partitioning."""
    group, *way = name
    return repr(group), repr(way)


def readmit(store: Store, events: Iterable[tuple[Event, Collection[Hashable]]], known_from: int) -> None:
    """As `Store.readmit`."""
    flat: defaultdict[Lane, list[tuple[int, Event]]] = defaultdict(list)
    for event, refused in events:
        type_set = store.types[event.type]
        ids = type_set.ids(event.source)
        if event.t_gen < known_from:
            if event.id in ids:
                continue
            ids.add(event.id)
        type_set.departed -= 1
        store.arrivals += 1
        event.ordinal = store.arrivals
        pair = (store.ordering.of(event), event)
        flat[type_set.events].append(pair)
        for accepts, lane, group in type_set.lanes:
            if group not in refused and (accepts is None or accepts(event)):
                flat[lane].append(pair)
        for keyed in type_set.keyed:
            if keyed.group not in refused and keyed.own(event) is not None:
                keyed.add(*pair)
    for lane, pairs in flat.items():
        lane.put_back(pairs)
