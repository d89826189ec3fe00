"""Bringing back: events that left memory are put into it again, with those that others are going to need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.detection.past import Unavailable
from limecep.detection.refusals import NOBODY

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from limecep.detection.past import Past
    from limecep.detection.refusals import Refusals
    from limecep.detection.retention import Retention
    from limecep.detection.router import Router
    from limecep.detection.spans import Span
    from limecep.detection.stated import Stated
    from limecep.model.event import Event
    from limecep.patterns.event_manager import EventManager
    from limecep.patterns.memory import PatternMemory
    from limecep.store.store import Store


class BringingBack:
    """Has events from where they still stand.

    Args:
        store: What is kept.
        router: Which patterns events concern.
        memories: What each of them needs of memory.
        retention: Knows what memory holds.
        past: Where events may be had from.
        refusals: Which events some patterns refused.
        stated: Which events were revised or taken back; None where that cannot be.
    """

    def __init__(
        self,
        store: Store,
        router: Router,
        memories: Mapping[EventManager, PatternMemory],
        retention: Retention,
        past: Past,
        refusals: Refusals,
        stated: Stated | None,
    ) -> None:
        self._store = store
        self._router = router
        self._memories = memories
        self._retention = retention
        self._past = past
        self._refusals = refusals
        self._stated = stated

    def bring(
        self, spans: Sequence[Span], event: Event, batch: Sequence[Event], density: float | None, failure: str
    ) -> float:
        """Has memory whole in some ranges, and in those that later events of the batch need, as far as there
        is room.

        Args:
            spans: The ranges.
            event: What of the batch needs them.
            batch: What is being taken in.
            density: How many events there were in a microsecond of what was brought back last; None if
                nothing was.
            failure: Why nothing could be had before while this batch is taken in; "" if nothing failed.

        Returns:
            How many events there were in a microsecond.

        Raises:
            Unavailable: They cannot be had.
        """
        retention = self._retention
        if retention.room <= 0:
            # What was brought back before has served.
            retention.release()
        parts = retention.lacking((min(low for low, _ in spans), max(high for _, high in spans)))
        needed = parts[0][0], parts[-1][1]
        if failure and needed[0] < retention.begins:
            raise Unavailable(failure)
        # What is packed was refused by none.
        known_from = min(self._refusals.lost_until, retention.begins - 1)
        if needed[0] <= known_from:
            raise Unavailable("it is not known any more which events were refused there")
        at = next(n for n, e in enumerate(batch) if e is event)
        room = retention.room
        coming = self._others(batch[at + 1 :], known_from)
        others = list(coming) if density is None else _within(room / density, coming)
        read, events = self._past.fetch(needed, others, room, batch, at)
        retention.readmit(read, self._accepted(events))
        return max(1, len(events)) / sum(high - low + 1 for low, high in read)

    def _accepted(self, events: Sequence[Event]) -> list[tuple[Event, frozenset[Hashable]]]:
        """Those of some events that were in the store, each with the groups that refused it."""
        types, refusals, stated = self._store.types, self._refusals, self._stated
        found = [e for e in events if e.type in types]
        if not len(refusals) and stated is None and not refusals.since:
            return [(e, NOBODY) for e in found]
        accepted = []
        for event in found:
            groups = refusals.of(event)
            gone = NOBODY if stated is None else stated.gone_for(event)
            if groups is not None and gone is not None:
                accepted.append((event, groups | gone))
        return accepted

    def _others(self, coming: Sequence[Event], known_from: int) -> Iterator[Span]:
        """What the late events among those to come may need after a time, as far as can be told."""
        retention = self._retention
        latest = retention.lta
        for event in coming:
            if event.t_gen >= latest:
                continue
            type_set = self._store.types.get(event.type)
            if type_set is None or event.id in type_set.seen.get(event.source, ()):
                continue
            for manager in self._router.minding(event.type):
                memory = self._memories[manager]
                span = memory.wanted_for(event)
                if span is not None and not retention.holds(span) and memory.may_accept(event):
                    for part in retention.lacking(span):
                        if part[0] > known_from:
                            yield part


def _within(length: float, spans: Iterable[Span]) -> list[Span]:
    """The first of some ranges, as many as are no longer than that together."""
    chosen = []
    for low, high in spans:
        length -= high - low
        if length < 0:
            break
        chosen.append((low, high))
    return chosen
