"""Footprints: about how much memory events take."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Container

    from limecep.model.event import Event
    from limecep.store.store import Store
    from limecep.store.type_set import TypeSet

#: How many events of a type stand for all of them, at most; of few, one in so many.
SAMPLE_EVENTS = 32
ONE_IN_EVENTS = 16

#: Bytes in a sorted set: a place in each of two lists, which are a little longer than what they hold.
_PLACE_BYTES = 18

#: Bytes of an order number that is more than a time.
_NUMBER_BYTES = 48

#: Bytes of an identity in a hash set that is half full.
_IDENTITY_BYTES = 48

#: Bytes of a key of PARTITION BY, of a lane of it, and of a view. Measured, with 20,000 keys.
_KEY_BYTES = 120
_LANE_BYTES = 400
_VIEW_BYTES = 510

#: References to a text from which on it costs an event nothing: those of one event are fewer.
_OF_ALL = 32

_CONTAINERS = (dict, list, tuple)


def footprint(store: Store) -> int:
    """About how many bytes the events of a store take, with the places and keys they have in it, judged by
    some of each type. The memory of the process is more: there is also what engines derive, and what the
    interpreter holds free."""
    made = store.partitions
    divided = made.keys * _KEY_BYTES + made.lanes * _LANE_BYTES + made.views * _VIEW_BYTES
    return sum(map(_of_type, store.types.values())) + divided


def _of_type(type_set: TypeSet) -> int:
    events = type_set.events.content.events
    if not events:
        return 0
    # Where there are few, as with a detection for each key, it is not worth more.
    sample = events[:: max(ONE_IN_EVENTS, -(-len(events) // SAMPLE_EVENTS))]
    places = (1 + len(type_set.lanes)) * _PLACE_BYTES
    for keyed in type_set.keyed:
        places += len(keyed.taking(events[0].type)) * (_PLACE_BYTES + (_NUMBER_BYTES if keyed.shift else 0))
    return len(events) * (sum(map(_of_event, sample)) // len(sample) + places + _IDENTITY_BYTES)


def _of_event(event: Event) -> int:
    # The id may be a value of the payload, too.
    known = {id(n): n for n in (event.t_gen, event.t_arr, event.ordinal, event.id)}
    return _size(event) + sum(map(_size, known.values())) + _of_value(event.payload, known)


def _size(value: Any) -> int:
    # Memory is given out in blocks of sixteen bytes.
    return (sys.getsizeof(value) + 15) & -16


def _of_value(value: Any, known: Container[int]) -> int:
    """A value with all that is in it, but for what is known, by `id`. Names of attributes are shared by all
    events, and so are texts that come often."""
    if id(value) in known or (type(value) is str and sys.getrefcount(value) > _OF_ALL):
        return 0
    size = _size(value)
    if isinstance(value, _CONTAINERS):
        inner = value.values() if isinstance(value, dict) else value
        size += sum([_of_value(v, known) for v in inner])
    return size
