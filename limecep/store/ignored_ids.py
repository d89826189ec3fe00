"""Ids of events that no pattern took: a copy of one changes nothing (SEMANTICS 1)."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.store.store import Store

    Identity = tuple[str, str, str]

#: How many are remembered: copies come soon, or not at all.
ROOM_IDS = 256


class Ignored:
    """The last of them, by type, source and id. The store knows them, as it does those that are stored."""

    #: The store is given.
    transient: ClassVar[frozenset[str]] = frozenset({"types"})

    def __init__(self, store: Store) -> None:
        self._types = store.types
        self._known: deque[Identity] = deque()

    def add(self, event_type: str, source: str, identity: str) -> None:
        """An event of a type that some pattern minds was refused by all."""
        self._types[event_type].ids(source).add(identity)
        self._known.append((event_type, source, identity))
        if len(self._known) > ROOM_IDS:
            event_type, source, oldest = self._known.popleft()
            self._types[event_type].ids(source).discard(oldest)

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash."""
        return {"known": list(self._known)}

    def restore(self, known: Mapping[str, Any]) -> None:
        """They are as they were in a snapshot."""
        for identity in known["known"]:
            self.add(*identity)
