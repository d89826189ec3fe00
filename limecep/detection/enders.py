"""Whom an event in order is told to: the patterns that it may end, many at once."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, Protocol

from limecep.patterns.shared_ends import SharedEnds, sharing_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from limecep.model.event import Event
    from limecep.patterns.event_manager import EventManager
    from limecep.store.store import Store


class Ender(Protocol):
    """Who is told of an event."""

    def came(self, event: Event) -> object:
        """An event has come in order, and is in the store."""


class Enders:
    """By event type, those that are told of an event that came in order: it may end a match, or bring one to
    light.

    Args:
        managers: The event managers, one a pattern, in the order of the pipeline.
        store: What they see.

    Attributes:
        by_type: By event type, whom to tell, in this order.
    """

    #: What they have counted is told the patterns before these are written down.
    transient: ClassVar[frozenset[str]] = frozenset({"shared"})

    def __init__(self, managers: Sequence[EventManager], store: Store) -> None:
        alike: dict[Hashable, list[tuple[int, EventManager]]] = {}
        for place, manager in enumerate(managers):
            if (common := sharing_of(manager)) is not None:
                alike.setdefault(common, []).append((place, manager))
        together = [members for members in alike.values() if _worth_sharing(members)]
        self._shared = [SharedEnds(members, store.recent) for members in together]
        sharing = {id(m) for members in together for _, m in members}
        alone: dict[str, list[tuple[int, EventManager]]] = {}
        for place, manager in enumerate(managers):
            if id(manager) not in sharing:
                for t in manager.awaited_types:
                    alone.setdefault(t, []).append((place, manager))
        shared: dict[str, list[SharedEnds]] = {}
        for ends in self._shared:
            for t in ends.types:
                shared.setdefault(t, []).append(ends)
        self.by_type: dict[str, list[Ender]] = {
            t: [EndsOfType(shared[t], alone.get(t, ()))] if t in shared else [m for _, m in alone[t]]
            for t in alone.keys() | shared.keys()
        }
        if any(ends.wide for ends in self._shared):
            store.watched = True
            for t in store.types:
                self.by_type.setdefault(t, []).insert(0, store.recent)

    def tell(self) -> None:
        """Has each pattern know how often it was asked."""
        for ends in self._shared:
            ends.tell()


def _worth_sharing(members: Sequence[tuple[int, EventManager]]) -> bool:
    """Whether patterns with one lane of end events are asked at once. One alone is, too, where its filter has
    conditions: that an event is in the lane says what they say."""
    [alternative] = members[0][1].plan.alternatives
    return len(members) > 1 or alternative.steps[alternative.ends[0]].filter.accepts is not None


class EndsOfType:
    """The patterns that an event of one type may end, some of which are asked at once.

    Args:
        shared: Those that are asked at once.
        alone: The others, each with its place in the pipeline.
    """

    def __init__(self, shared: Sequence[SharedEnds], alone: Sequence[tuple[int, EventManager]]) -> None:
        self._shared = shared
        self._alone = alone

    def came(self, event: Event) -> None:
        """Asks the patterns that the event ends; what they emit goes out in the order of the pipeline."""
        found = []
        for ends in self._shared:
            events = ends.lane.content.events
            if events and events[-1] is event:
                found += ends.came(event)
        if not found:
            for _, manager in self._alone:
                manager.came(event)
            return
        for _, manager, matches in sorted(
            [*found, *[(*each, None) for each in self._alone]], key=itemgetter(0)
        ):
            if matches is None:
                manager.came(event)
            else:
                manager.results.settle(matches, "in_order", event)
