"""Repair: memory is made whole again for what late events change further back than it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.detection.past import Unavailable
from limecep.model.instants import rfc3339
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from limecep.detection.bringing_back import BringingBack
    from limecep.detection.past import Past
    from limecep.detection.refusals import Refusals
    from limecep.detection.retention import Retention
    from limecep.detection.router import Router
    from limecep.detection.side_output import SideOutput
    from limecep.detection.spans import Span
    from limecep.detection.stated import Stated
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

    Attributes:
        stated: Which events were revised or taken back; None where that cannot be.
    """

    #: They are about one batch.
    transient: ClassVar[frozenset[str]] = frozenset({"batch", "failure", "stated", "bringing"})

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
        self._made_of = store, router, memories, retention, past, refusals
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
        self.stated: Stated | None = None
        self._bringing: BringingBack | None = None

    def begin(self, batch: Sequence[Event]) -> None:
        """These events are about to be taken in."""
        self._batch, self._failure = batch, ""

    def joins(self, event: Event, beside: Event | None) -> None:
        """An event that was derived is taken in or back, too.

        Args:
            event: The event.
            beside: That of the batch which is being taken in; None if there is none, and the batch is done.
        """
        if self.needed and self._past is not None:
            batch = self._batch
            # What comes of one that has entered comes after it.
            at = next((n + bool(e.ordinal) for n, e in enumerate(batch) if e is beside), len(batch))
            self._batch = [*batch[:at], event, *batch[at:]]

    @property
    def needed(self) -> bool:
        """Whether anything is gone from memory."""
        return self._retention.whole_from > -FOREVER

    def refused(self, event: Event, groups: frozenset[Hashable] | None) -> None:
        """An event was refused by some groups of patterns, by none after all, or, None, by all."""
        refused = groups is None or groups
        if (refused or len(self._refusals)) and self._past is not None and self._past.possible:
            self._refusals.note(event, groups)

    def prepare(self, event: Event, managers: Sequence[EventManager], told_by: Event | None = None) -> None:
        """A late event is about to enter the store, or to leave it: brings back what decides what it changes.

        Args:
            event: The event.
            managers: The patterns that accepted it.
            told_by: What of the batch says that it changes; None: it is of the batch itself.
        """
        retention = self._retention
        if not self.needed:
            return
        memories = [self._memories[m] for m in managers if told_by is not None or m.takes(event)]
        if all(memory.is_clear_of(event, retention.whole_from) for memory in memories):
            return
        wanted = [span for memory in memories if (span := memory.wanted_for(event)) is not None]
        lacking = [span for span in wanted if not retention.holds(span)]
        why = "what is older stays as it was"
        if self._past is None:
            why = "nothing can be read again"
        elif lacking:
            try:
                self._bring_back(lacking, told_by or event)
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

    def _bring_back(self, spans: Sequence[Span], event: Event) -> None:
        if self._bringing is None:
            # Most runs never come so far.
            from limecep.detection.bringing_back import BringingBack

            store, router, memories, retention, past, refusals = self._made_of
            assert past is not None
            self._bringing = BringingBack(store, router, memories, retention, past, refusals, self.stated)
        self._density = self._bringing.bring(spans, event, self._batch, self._density, self._failure)

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash: how much is brought back at once goes by it."""
        return {"density": self._density}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot."""
        self._density = known["density"]
