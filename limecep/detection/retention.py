"""Retention: how long events are kept, and what memory still holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from limecep.detection.footprint import footprint
from limecep.detection.spans import Spans
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

    from limecep.detection.past import Past
    from limecep.detection.side_output import SideOutput
    from limecep.detection.spans import Span
    from limecep.model.event import Event
    from limecep.patterns.memory import PatternMemory
    from limecep.statistics import Statistics
    from limecep.store.store import Store

#: The part of all events that must be past keeping before they go: what stays is copied then. Also how often
#: that is looked at, in events that enter.
DEAD_ONE_IN = 4

#: Bytes of a match that is kept in mind, with its groups. Measured: 560 to 1,150.
MATCH_BYTES = 800

#: The part of all events that goes where there is no room for them, so that the copying is paid for by what
#: comes in between.
LEAVING_ONE_IN = 10


def most_kept(needed: int) -> int:
    """How many events there may be where so many are needed, a batch that has just come aside: the others go
    once it is worth it, and that is looked at now and then."""
    return -(-needed * (DEAD_ONE_IN + 1) // (DEAD_ONE_IN - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is kept at most.

    Attributes:
        time: Microseconds of event time, or None: as long as the policies need.
        events: How many events.
        size: How many bytes they may take, with what is known of matches, as far as can be told; None for
            any.
    """

    time: int | None = None
    events: int = 1_000_000
    size: int | None = 128_000_000


DEFAULT_LIMITS = Limits()


class Retention:
    """Lets go of what nothing can need any more, and of what there is no room for.

    Args:
        store: What is kept.
        memories: What each pattern needs of it.
        statistics: What their lateness policies decide on.
        limits: How much is kept at most.
        past: Where what left may be had from; None if nowhere.
        side: Takes end events that waited for time, and had to leave.

    Attributes:
        evicted: How many events had to leave although a policy would have kept them.
        cut: How often memory became shorter than a pattern looks back, by its name: it then misses matches in
            order, too.
        whole_from: The `t_gen` from which on every event is there that was accepted.
        restored: The ranges before that of which all events are there again, for now.
    """

    #: What was taken back is there for one batch.
    transient = frozenset({"restored"})

    def __init__(
        self,
        store: Store,
        memories: Sequence[PatternMemory],
        statistics: Statistics,
        limits: Limits,
        past: Past | None,
        side: SideOutput,
    ) -> None:
        self.evicted = 0
        self.cut: Counter[str] = Counter()
        self.whole_from = -FOREVER
        self.restored = Spans()
        self._store = store
        self._memories = memories
        self._statistics = statistics
        self._limits = limits
        self._past = past
        self._side = side
        self._room = limits.events
        self._look_at = 0

    @property
    def room(self) -> int:
        """How many events there is room for; for so many more that are taken back, too."""
        return self._room

    @property
    def lta(self) -> int:
        """The latest `t_gen` seen, in microseconds."""
        return self._statistics.lta

    def apply(self) -> None:
        """Drops what is past keeping, where there is enough of it."""
        store = self._store
        self.release()
        if not store.size or (store.size <= self._room and store.arrivals < self._look_at):
            return
        self._measure()
        # To look takes the longer the more patterns and types there are.
        looking = (len(self._memories) + len(store.types)) // 2
        self._look_at = store.arrivals + max(store.size // DEAD_ONE_IN, looking)
        for memory in self._memories:
            memory.forget_settled()
        needed = self._needed_from()
        before = max(needed, self.whole_from)
        if self._limits.time is not None:
            before = max(before, self._statistics.lta - self._limits.time)
        crowded = store.size > self._room
        if crowded:
            before = max(before, store.oldest(self._room - self._room // LEAVING_ONE_IN))
        dead = store.count(before)
        if not dead or (not crowded and dead * DEAD_ONE_IN < store.size):
            return
        self.evicted += dead - store.count(min(needed, before))
        self._let_go(before)
        self.whole_from = before

    def release(self) -> None:
        """Lets go of what was taken back."""
        if self.restored:
            self._let_go(self.whole_from)
            self.restored = Spans()

    def outlived_at(self) -> int:
        """The time that, once event time has strictly passed it, nothing kept is needed any more, if nothing
        else comes; FOREVER for never."""
        if any(memory.awaits for memory in self._memories):
            return FOREVER
        latest = max((t.latest for t in self._store.types.values() if t.latest is not None), default=-FOREVER)
        needed = self._needed_from()
        if self._limits.time is not None:
            needed = max(needed, self._statistics.lta - self._limits.time)
        return FOREVER if needed <= -FOREVER else latest + self._statistics.lta - needed

    def _needed_from(self) -> int:
        """The time from which on some pattern may still need events."""
        needed = FOREVER
        for memory in self._memories:
            needed = min(needed, memory.needed_from)
            if needed == -FOREVER:
                break
        return needed

    def holds(self, span: Span) -> bool:
        """Whether all that happened in a range, and was accepted, is there."""
        low, high = span
        return low >= self.whole_from or self.restored.holds((low, min(high, self.whole_from - 1)))

    def readmit(self, spans: Iterable[Span], events: Iterable[tuple[Event, Collection[Hashable]]]) -> None:
        """Takes events back until they are released: all that there were in some ranges. Nothing else is
        taken back at the moment.

        Args:
            spans: The ranges.
            events: The events, in the order in which they came, each with the groups whose patterns refused
                it.
        """
        for memory in self._memories:
            memory.settle(self.whole_from)
        self._store.readmit(events)
        self.restored = Spans(spans)
        for memory in self._memories:
            memory.rebuild(self.restored, self.whole_from)

    def _let_go(self, before: int) -> None:
        """Drops the events before a `t_gen`, and all that cannot be done without them."""
        for memory in self._memories:
            for end in memory.give_up(before):
                self._side.not_whole(end, [memory.name], "it waited for time, and had to leave")
            if memory.is_cut(before):
                self.cut[memory.name] += 1
        self._store.forget(before)
        returnable = self._past is not None and self._past.possible
        for memory in self._memories:
            memory.left(before, returnable=returnable)

    def _measure(self) -> None:
        """Finds out how many events there is room for."""
        if self._limits.size is not None:
            # Matches that are known leave with their events.
            matches = sum(memory.remembered for memory in self._memories)
            per_event = (footprint(self._store) + matches * MATCH_BYTES) / self._store.size
            self._room = max(1, min(self._limits.events, int(self._limits.size / per_event)))

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive."""
        return {
            "evicted": self.evicted,
            "cut": self.cut,
            "whole_from": self.whole_from,
            "room": self._room,
            "look_at": self._look_at,
        }

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot, but for what the configuration says."""
        self.evicted = known["evicted"]
        self.cut.update(known["cut"])
        self.whole_from = known["whole_from"]
        if self._limits.size is not None:
            self._room = min(self._room, known["room"])
        self._look_at = known["look_at"]
