"""Repair: memory is made whole again for what late events change further back than it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.detection.past import Unavailable
from limecep.detection.refusals import NOBODY
from limecep.model.instants import rfc3339
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from limecep.detection.past import Past
    from limecep.detection.refusals import Refusals
    from limecep.detection.retention import Retention
    from limecep.detection.router import Router
    from limecep.detection.side_output import SideOutput
    from limecep.detection.spans import Span
    from limecep.model.event import Event
    from limecep.patterns.event_manager import EventManager
    from limecep.patterns.memory import PatternMemory
    from limecep.store.store import Store


class Repair:
    """Has events that are gone from where they still stand.

    Args:
        store: What is kept.
        router: Which patterns events concern.
        memories: What each of them needs of memory.
        retention: Knows what memory holds.
        past: Where events may be had from; None if nowhere.
        side: Takes what could not be repaired.
        refusals: Which events some patterns refused.
    """

    #: They are about one batch.
    transient: ClassVar[frozenset[str]] = frozenset({"batch", "failure"})

    def __init__(
        self,
        store: Store,
        router: Router,
        memories: Mapping[EventManager, PatternMemory],
        retention: Retention,
        past: Past | None,
        side: SideOutput,
        refusals: Refusals,
    ) -> None:
        self._store = store
        self._router = router
        self._memories = memories
        self._retention = retention
        self._past = past
        self._side = side
        self._refusals = refusals
        #: How many events there were in a microsecond of what was brought back last.
        self._density: float | None = None
        self._batch: Sequence[Event] = ()
        #: Why nothing can be had while this batch is taken in: it would cost as much with each of its events.
        self._failure = ""

    def begin(self, batch: Sequence[Event]) -> None:
        """These events are about to be taken in."""
        self._batch, self._failure = batch, ""

    def refused(self, event: Event, groups: frozenset[Hashable] | None) -> None:
        """An event was refused by some groups of patterns, by none after all, or, None, by all."""
        refused = groups is None or groups
        if (refused or len(self._refusals)) and self._past is not None and self._past.possible:
            self._refusals.note(event, groups)

    def prepare(self, event: Event, managers: Sequence[EventManager]) -> None:
        """A late event of the batch is about to enter the store: brings back what decides what it changes.

        Args:
            event: The event.
            managers: The patterns that accepted it.
        """
        retention = self._retention
        if retention.whole_from == -FOREVER:
            return
        memories = [self._memories[m] for m in managers if m.takes(event)]
        if all(memory.is_clear_of(event, retention.whole_from) for memory in memories):
            return
        lacking = [span for memory in memories if (span := self._lacking(memory, event)) is not None]
        why = "what is older stays as it was"
        if self._past is None:
            why = "nothing can be read again"
        elif lacking:
            try:
                self._bring_back(event, lacking, self._past)
            except Unavailable as error:
                why = self._failure = str(error)
        cut = [
            m.name
            for m in memories
            if not m.is_sound(event, retention.whole_from, whole=retention.holds(m.needs(event)))
        ]
        if cut:
            since = rfc3339(retention.whole_from)
            self._side.not_whole(event, cut, f"memory reaches back to {since}, and {why}")

    def _bring_back(self, event: Event, spans: Sequence[Span], past: Past) -> None:
        batch = self._batch
        retention = self._retention
        if retention.room <= 0:
            # What was brought back before has served.
            retention.release()
        parts = retention.lacking((min(low for low, _ in spans), max(high for _, high in spans)))
        needed = parts[0][0], parts[-1][1]
        if self._failure and needed[0] < retention.begins:
            raise Unavailable(self._failure)
        # What is packed was refused by none.
        known_from = min(self._refusals.lost_until, retention.begins - 1)
        if needed[0] <= known_from:
            raise Unavailable("it is not known any more which events were refused there")
        at = next(n for n, e in enumerate(batch) if e is event)
        room = retention.room
        coming = self._others(batch[at + 1 :], known_from)
        others = list(coming) if self._density is None else _within(room / self._density, coming)
        read, events = past.fetch(needed, others, room, batch, at)
        self._density = max(1, len(events)) / sum(high - low + 1 for low, high in read)
        retention.readmit(read, self._accepted(events))

    def _accepted(self, events: Sequence[Event]) -> list[tuple[Event, frozenset[Hashable]]]:
        """Those of some events that were in the store, each with the groups that refused it."""
        types, refusals = self._store.types, self._refusals
        if not len(refusals):
            return [(e, NOBODY) for e in events if e.type in types]
        found = [(e, refusals.of(e)) for e in events if e.type in types]
        return [(e, groups) for e, groups in found if groups is not None]

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash: how much is brought back at once goes by it."""
        return {"density": self._density}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot."""
        self._density = known["density"]

    def _others(self, coming: Sequence[Event], known_from: int) -> Iterator[Span]:
        """What the late events among those to come may need after a time, as far as can be told."""
        latest = self._retention.lta
        for event in coming:
            if event.t_gen >= latest:
                continue
            type_set = self._store.types.get(event.type)
            if type_set is None or event.id in type_set.seen.get(event.source, ()):
                continue
            for manager in self._router.minding(event.type):
                memory = self._memories[manager]
                if (span := self._lacking(memory, event)) is not None and memory.may_accept(event):
                    for part in self._retention.lacking(span):
                        if part[0] > known_from:
                            yield part

    def _lacking(self, memory: PatternMemory, event: Event) -> Span | None:
        """The range that a pattern needs at once, and memory does not hold."""
        span = memory.wanted_for(event)
        return None if span is None or self._retention.holds(span) else span


def _within(length: float, spans: Iterable[Span]) -> list[Span]:
    """The first of some ranges, as many as are no longer than that together."""
    chosen = []
    for low, high in spans:
        length -= high - low
        if length < 0:
            break
        chosen.append((low, high))
    return chosen
