"""Payloads in less memory: names are shared by all of one shape, and texts that come again are there once.

A `dict` of CPython may share its table of names with others, as those of the objects of one class do. A copy
of such a dictionary shares it too, is a `dict` like any other, and takes a third less.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.store.store import Store

    #: A dictionary with the names of a shape, None where nothing is saved; and the texts to share, by name.
    Shape = tuple[dict[str, Any] | None, list[tuple[str, dict[str, str]]]]

#: The most shapes, and the most attributes whose texts are looked at: others stay as they are.
MOST_SHAPES = 256
MOST_NAMES = 64
#: The most different texts of an attribute that are shared: ids and times have more.
MOST_TEXTS = 1024
#: How many objects of a class it takes until CPython gives their tables no more room than they need.
_FIRST_OBJECTS = 32


class Compact:
    """Makes the payloads of stored events smaller. They stay equal to what they were.

    Args:
        store: Where the events are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        # Up to where it has been, by event type: an order number.
        self._until: dict[str, int] = {}
        # The event types whose events differ in the names that they have.
        self._mixed: set[str] = set()
        self._shapes: dict[tuple[str, ...], Shape] = {}
        # None of an attribute that has too many texts.
        self._texts: dict[str, dict[str, str] | None] = {}

    def run(self) -> None:
        """Sees to the events that came since the last time. Those that came late are left."""
        for name, type_set in self._store.types.items():
            content = type_set.events.content
            begin = bisect_right(content.order, self._until.get(name, -FOREVER))
            if begin < len(content.order):
                self._until[name] = content.order[-1]
                for at in range(begin, len(content.events), MOST_TEXTS):
                    self._take(name, content.events[at : at + MOST_TEXTS])
                    self._give_up()

    def _take(self, name: str, events: Sequence[Event]) -> None:
        """Sees to events of a type."""
        alike = 0 if name in self._mixed else self._alike(events)
        if alike == len(events):
            return
        self._mixed.add(name)
        for event in events[alike:]:
            payload = event.payload
            like, texts = self._shape(payload)
            if like is not None:
                payload = event.payload = like | payload
            for attribute, known in texts:
                value = payload[attribute]
                if type(value) is str:
                    payload[attribute] = known.setdefault(value, value)

    def _alike(self, events: Sequence[Event]) -> int:
        """Sees to the first of some events, as long as all have the names of the first; says how many. To
        ask each for its names would take as long as all the rest."""
        names = tuple(events[0].payload)
        like, texts = self._shape(events[0].payload)
        if like is None:
            return 0
        for n, event in enumerate(events):
            payload = event.payload
            # A copy of the one with the values of the other, in one call.
            made = like | payload
            if len(made) != len(payload):
                # The table that they share has names of others now.
                del self._shapes[names]
                return n
            event.payload = made
            for attribute, known in texts:
                value = made[attribute]
                if type(value) is str:
                    made[attribute] = known.setdefault(value, value)
        return len(events)

    def _shape(self, payload: dict[str, Any]) -> Shape:
        """The shape of a payload."""
        names = tuple(payload)
        shape = self._shapes.get(names)
        if shape is None:
            if len(self._shapes) == MOST_SHAPES:
                return None, []
            shape = self._shapes[names] = self._made(payload)
        return shape

    def _made(self, payload: dict[str, Any]) -> Shape:
        texts = []
        for name, value in payload.items():
            if type(value) is str and (name in self._texts or len(self._texts) < MOST_NAMES):
                known = self._texts.setdefault(name, {})
                if known is not None:
                    texts.append((name, known))
        like = _sharing(payload)
        # Very many names are not shared.
        return (like if sys.getsizeof(like) < sys.getsizeof(payload) else None), texts

    def _give_up(self) -> None:
        """Shares no more texts of attributes that have too many."""
        many = [name for name, known in self._texts.items() if known and len(known) > MOST_TEXTS]
        for name in many:
            self._texts[name] = None
        if many:
            for _, texts in self._shapes.values():
                texts[:] = [pair for pair in texts if pair[0] not in many]


def _sharing(payload: dict[str, Any]) -> dict[str, Any]:
    """A dictionary with the names of a payload whose copies share its table of them."""
    shape = type("Shape", (), {})
    for _ in range(_FIRST_OBJECTS):
        made = shape()
        for name in payload:
            setattr(made, name, None)
    like: dict[str, Any] = vars(made)
    return like
