"""The events of one type in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.model.time import FOREVER
from limecep.store.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping

    from limecep.model.event import Event
    from limecep.store.keyed_lanes import Keyed

#: How many of the first events of a type are still known when they have left, to say at the end of a run what
#: such events were like.
FIRST_KEPT_EVENTS = 200


class TypeSet:
    """The events of one type: their identities, their sorted set, and the lanes they may enter.

    Args:
        revised: Whether events may leave from between others.
    """

    __slots__ = (
        "departed",
        "departed_first",
        "departed_until",
        "events",
        "keyed",
        "lanes",
        "seen",
    )

    #: The events say what is in it, the patterns where they go; what the first were like is told once.
    transient: ClassVar[frozenset[str]] = frozenset({"seen", "events", "lanes", "keyed", "departed_first"})

    def __init__(self, *, revised: bool = False) -> None:
        #: The ids that are stored, by source. (A set of pairs would keep the garbage collector busy.)
        self.seen: dict[str, set[str]] = {}
        self.events = Lane(revised=revised)
        self.lanes: list[tuple[Callable[[Event], bool] | None, Lane, Hashable]] = []
        self.keyed: list[Keyed] = []
        #: How many left, some of the first of them, and the greatest `t_gen` among them.
        self.departed = 0
        self.departed_first: list[Event] = []
        self.departed_until: int | None = None

    def shared(self) -> Iterator[Lane]:
        """The lanes that patterns without partition share."""
        yield self.events
        for _, lane, _ in self.lanes:
            yield lane

    @property
    def arrived(self) -> int:
        """How many events entered."""
        return len(self.events) + self.departed

    @property
    def latest(self) -> int | None:
        """The greatest `t_gen` that entered; None before the first event."""
        events, until = self.events.content.events, self.departed_until
        if not events:
            return until
        return events[-1].t_gen if until is None else max(events[-1].t_gen, until)

    def forget(self, limit: int, known_from: int = FOREVER) -> int:
        """Drops events with order numbers below `limit`, and the ids of those with `t_gen` below
        `known_from`; says how many events."""
        dropped = self.events.trim(limit)
        if dropped:
            latest = dropped[-1].t_gen
            if self.departed_until is None or latest > self.departed_until:
                self.departed_until = latest
            self.departed += len(dropped)
            self.departed_first += dropped[: max(0, FIRST_KEPT_EVENTS - len(self.departed_first))]
            for event in dropped:
                if event.t_gen < known_from:
                    self.ids(event.source).discard(event.id)
            for source in [source for source, ids in self.seen.items() if not ids]:
                del self.seen[source]
        return len(dropped)

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash, the events aside."""
        return {"departed": self.departed, "departed_until": self.departed_until}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot: the events are there."""
        self.departed, self.departed_until = known["departed"], known["departed_until"]

    def ids(self, source: str) -> set[str]:
        """The ids of a source that are stored."""
        seen = self.seen.get(source)
        if seen is None:
            seen = self.seen[source] = set()
        return seen
