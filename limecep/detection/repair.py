"""Repair: memory is made whole again for what late events change further back than it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.detection.refusals import NOBODY
from limecep.output.instants import rfc3339
from limecep.patterns.deadlines import FOREVER
from limecep.runtime.retrieval import Unavailable

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from limecep.detection.refusals import Refusals
    from limecep.detection.retention import Retention, Tell
    from limecep.detection.spans import Span
    from limecep.model.event import Event
    from limecep.patterns.event_manager import EventManager
    from limecep.runtime.retrieval import Retrieval
    from limecep.store.store import Store


class Repair:
    """Has events that are gone from where they still stand.

    Args:
        store: What is kept.
        retention: Knows what memory holds.
        retrieval: Where events may be had from; None if nowhere.
        tell: Told of what could not be repaired.
        refusals: Which events some patterns refused.
    """

    def __init__(
        self,
        store: Store,
        retention: Retention,
        retrieval: Retrieval | None,
        tell: Tell,
        refusals: Refusals,
    ) -> None:
        self._store = store
        self._retention = retention
        self._retrieval = retrieval
        self._tell = tell
        self._refusals = refusals
        #: How many events there were in a microsecond of what was brought back last.
        self._density: float | None = None
        self._failed_for: Sequence[Event] | None = None
        self._failure = ""

    def refused(self, event: Event, groups: frozenset[Hashable] | None) -> None:
        """An event was refused by some groups of patterns, by none after all, or, None, by all."""
        refused = groups is None or groups
        if (refused or len(self._refusals)) and self._retrieval is not None and self._retrieval.possible:
            self._refusals.note(event, groups)

    def prepare(self, event: Event, managers: Sequence[EventManager], batch: Sequence[Event]) -> None:
        """An accepted late event is about to enter the store: brings back what decides what it changes.

        Args:
            event: The event.
            managers: The patterns that accepted it.
            batch: The events it came with.
        """
        if self._retention.whole_from == -FOREVER:
            return
        managers = [m for m in managers if m.takes(event)]
        lacking = [span for m in managers if (span := self._lacking(m, event)) is not None]
        why = "what is older stays as it was"
        if self._retrieval is None:
            why = "nothing can be read again"
        elif lacking and batch is not self._failed_for:
            try:
                self._bring_back(event, lacking, batch, self._retrieval)
            except Unavailable as error:
                # It would cost as much with every event of the batch.
                self._failed_for, self._failure = batch, str(error)
        if lacking and batch is self._failed_for:
            why = self._failure
        cut = [m for m in managers if not self._is_sound(m, event)]
        if cut:
            since = rfc3339(self._retention.whole_from)
            self._tell(event, cut, f"memory reaches back to {since}, and {why}")

    def _is_sound(self, manager: EventManager, event: Event) -> bool:
        """Whether all end events that an event touches can be evaluated. What cannot is left alone from now
        on, as it is not known any more what was emitted for it."""
        span = manager.needs(event)
        if not (self._retention.holds(span) if manager.repairs else span[0] >= self._retention.whole_from):
            manager.sound_from = max(manager.sound_from, self._retention.whole_from + manager.look_back)
        return manager.touches(event)[0] >= manager.sound_from

    def _bring_back(
        self, event: Event, spans: Sequence[Span], batch: Sequence[Event], retrieval: Retrieval
    ) -> None:
        needed = min(low for low, _ in spans), max(high for _, high in map(self._clipped, spans))
        known_from = self._refusals.lost_until
        if needed[0] <= known_from:
            raise Unavailable("it is not known any more which events were refused there")
        # What was brought back before has served.
        self._retention.release()
        at = next(n for n, e in enumerate(batch) if e is event)
        room = self._retention.room
        coming = (span for span in self._others(batch[at + 1 :]) if span[0] > known_from)
        others = list(coming) if self._density is None else _within(room / self._density, coming)
        read, events = retrieval.fetch(needed, others, room, batch, at)
        self._density = max(1, len(events)) / sum(high - low + 1 for low, high in read)
        events = [e for e in events if e.type in self._store.types]
        if len(self._refusals):
            # Those that no pattern took never were in the store.
            events = [e for e in events if self._refusals.of(e) is not None]
        self._retention.readmit(read, events, self._refused if len(self._refusals) else _nobody)

    def _refused(self, event: Event) -> frozenset[Hashable]:
        return self._refusals.of(event) or NOBODY

    def _others(self, coming: Sequence[Event]) -> Iterator[Span]:
        """What the late events among those to come may need, as far as can be told."""
        latest = self._retention.lta
        for event in coming:
            if event.t_gen >= latest:
                continue
            type_set = self._store.types.get(event.type)
            if type_set is None or event.id in type_set.seen.get(event.source, ()):
                continue
            for manager in type_set.managers:
                span = self._lacking(manager, event)
                if span is not None:
                    horizon = manager.horizon
                    if horizon is None or event.t_gen >= horizon:
                        yield self._clipped(span)

    def _lacking(self, manager: EventManager, event: Event) -> Span | None:
        """The range that a pattern needs at once, and memory does not hold."""
        # What lies before `sound_from` is left alone in any case.
        if not manager.repairs or not manager.takes(event) or manager.touches(event)[1] < manager.sound_from:
            return None
        span = manager.needs(event)
        return None if self._retention.holds(span) else span

    def _clipped(self, span: Span) -> Span:
        low, high = span
        return low, min(high, self._retention.whole_from - 1)


def _within(length: float, spans: Iterable[Span]) -> list[Span]:
    """The first of some ranges, as many as are no longer than that together."""
    chosen = []
    for low, high in spans:
        length -= high - low
        if length < 0:
            break
        chosen.append((low, high))
    return chosen


def _nobody(event: Event) -> frozenset[Hashable]:
    return NOBODY
