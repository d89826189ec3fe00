"""Retention: how long events are kept, and what memory still holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from limecep.detection.footprint import footprint
from limecep.detection.spans import Spans
from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

    from limecep.detection.compact import Compact
    from limecep.detection.packed import Packed
    from limecep.detection.past import Past
    from limecep.detection.side_output import SideOutput
    from limecep.detection.spans import Span
    from limecep.model.event import Event
    from limecep.patterns.memory import PatternMemory
    from limecep.statistics import Statistics
    from limecep.store.store import Store

#: The part of all events that must be past keeping before they go: what stays is copied then. Also how often
#: that is looked at, in events that enter. And both where there are so many that the oldest are packed.
DEAD_ONE_IN = 4
PACKED_ONE_IN = 12

#: Bytes of a match that is kept in mind, with its groups. Measured: 560 to 1,150.
MATCH_BYTES = 800

#: The part that goes where there is no room: the copying is paid for by what comes in between.
LEAVING_ONE_IN = 10


def most_kept(needed: int) -> int:
    """How many events there may be, the last batch aside, where so many are needed: others go at times."""
    return -(-needed * (DEAD_ONE_IN + 1) // (DEAD_ONE_IN - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is kept at most.

    Attributes:
        time: Microseconds of event time, or None: as long as the policies need.
        events: How many events.
        size: How many bytes they may take, with what is known of matches, as far as can be told; None for
            any.
        unpacked: How many bytes the events may take that are ready for use. Others are packed, where that
            changes no result.
    """

    time: int | None = None
    events: int = 1_000_000
    size: int | None = 128_000_000
    unpacked: int = 40_000_000


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
        packed: Takes events as long as nothing needs them; None where all have to be ready for use.
        lasting: Whether packed events that were taken back may stay for the next batches.

    Attributes:
        evicted: How many events had to leave although a policy would have kept them.
        cut: How often memory became shorter than a pattern looks back, by its name: it then misses matches in
            order, too.
        whole_from: The `t_gen` from which on every event is ready for use that was accepted.
        restored: The ranges before that of which all events are there again, for now.
    """

    #: What was taken back stays for one batch where anything must survive.
    transient: ClassVar[frozenset[str]] = frozenset(
        {"restored", "came_back", "twice", "unpacked_room", "ready_room", "loose_room", "small"}
    )

    def __init__(
        self,
        store: Store,
        memories: Sequence[PatternMemory],
        statistics: Statistics,
        limits: Limits,
        past: Past | None,
        side: SideOutput,
        packed: Packed | None = None,
        *,
        lasting: bool = False,
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
        self._packed = packed
        self._lasting = lasting
        self._room = limits.events
        self._unpacked_room = limits.events
        # How many events may have payloads as they came: to make them smaller takes time.
        self._loose_room = limits.events
        # How many events may be ready for use beside what is packed.
        self._ready_room = 0 if packed is None else limits.events
        self._look_at = 0
        # Ranges of ordinals: those of what was taken back; and how many of that is packed, too.
        self._came_back: list[Span] = []
        self._twice = 0
        self._small: Compact | None = None

    @property
    def room(self) -> int:
        """How many more events may be taken back: as many as may be ready for use besides, or as memory has
        room for."""
        store = self._store
        more = min(self._room, self._unpacked_room) - store.count(self.whole_from)
        return max(more, self._ready_room - store.size)

    @property
    def begins(self) -> int:
        """The `t_gen` from which on every event is there that was accepted, be it packed."""
        return self.whole_from if self._packed is None else self._packed.begins

    @property
    def size(self) -> int:
        """How many events there are."""
        return self._store.size + (0 if self._packed is None else self._packed.count - self._twice)

    @property
    def horizon(self) -> int:
        """The `t_gen` before which no pattern accepts anything any more; -FOREVER where some has none."""
        return min(-FOREVER if m.horizon is None else m.horizon for m in self._memories)

    @property
    def lta(self) -> int:
        """The latest `t_gen` seen, in microseconds."""
        return self._statistics.lta

    def apply(self) -> None:
        """Drops what is past keeping, where there is enough of it."""
        store = self._store
        if self.restored and not self._stays():
            self.release()
        if not store.size or (self.size <= self._room and store.arrivals < self._look_at):
            return
        self._measure()
        if self.size > self._room or self._limits.time is not None:
            # What has to leave is counted.
            self.release()
        one_in = PACKED_ONE_IN if store.size > self._loose_room else DEAD_ONE_IN
        # To look takes the longer the more patterns and types there are.
        looking = (len(self._memories) + len(store.types)) // 2
        self._look_at = store.arrivals + max(store.size // one_in, looking)
        for memory in self._memories:
            memory.forget_settled()
        needed = self._needed_from()
        before = max(needed, self.begins)
        if self._limits.time is not None:
            before = max(before, self._statistics.lta - self._limits.time)
        crowded = self.size > self._room
        if crowded:
            before = max(before, self._oldest(self._room - self._room // LEAVING_ONE_IN))
        dead = self._count(before)
        if dead and (crowded or dead * DEAD_ONE_IN >= self.size):
            self.evicted += dead - self._count(min(needed, before))
            self._drop(before)
        if not self.restored:
            self._pack()
        if store.size > self._loose_room:
            if self._small is None:
                from limecep.detection.compact import Compact  # Few windows have so many.

                self._small = Compact(store)
            self._small.run()

    def _stays(self) -> bool:
        """Whether what was taken back stays there for the next batch: as long as something waits there. Else
        until as many events have come as were taken back, so that this costs no more than taking in."""
        cramped = self.size > self._room or self.room < 0
        if cramped or not self._lasting or self.restored.lows[0] < self.begins:
            return False
        if self._store.arrivals - self._came_back[0][0] < 2 * self._twice:
            return True
        return any(memory.waits_before(self.whole_from) for memory in self._memories)

    def release(self) -> None:
        """Lets go of what was taken back."""
        if self.restored:
            self._keep_late()
            packed = self.begins < self.whole_from
            self._let_go(self.whole_from, returnable=packed or self.returnable)
            self._forget_restored(FOREVER)

    def outlived_at(self, awaited_until: int) -> int:
        """The time that, once event time has strictly passed it, nothing kept is needed any more, if nothing
        else comes; FOREVER for never. What is known of events up to `awaited_until` is needed as they are."""
        if any(memory.awaits or memory.lasts is None for memory in self._memories):
            return FOREVER
        latest = max([awaited_until, *[t.latest for t in self._store.types.values() if t.latest is not None]])
        needed = self._needed_from()
        if self._limits.time is not None:
            needed = max(needed, self._statistics.lta - self._limits.time)
        if needed <= -FOREVER:
            return FOREVER
        return latest + self._statistics.lta - needed + max([m.lasts or 0 for m in self._memories])

    def _needed_from(self) -> int:
        """The time from which on some pattern may still need events."""
        needed = FOREVER
        for memory in self._memories:
            if (needed := min(needed, memory.needed_from)) == -FOREVER:
                break
        return needed

    def holds(self, span: Span) -> bool:
        """Whether all that happened in a range, and was accepted, is there."""
        low, high = span
        return low >= self.whole_from or self.restored.holds((low, min(high, self.whole_from - 1)))

    def lacking(self, span: Span) -> list[Span]:
        """The parts of a range whose events are not there."""
        low, high = span
        return self.restored.gaps((low, min(high, self.whole_from - 1)))

    def readmit(self, spans: Iterable[Span], events: Iterable[tuple[Event, Collection[Hashable]]]) -> None:
        """Takes events back until they are released: all that there were in some ranges.

        Args:
            spans: The ranges. What is there of them already is left as it is.
            events: The events, in the order in which they came, each with the groups whose patterns refused
                it.
        """
        store, there = self._store, self.restored
        if not there:
            for memory in self._memories:
                memory.settle(self.whole_from)
        before = store.arrivals
        store.readmit([pair for pair in events if pair[0].t_gen not in there], self._known_from)
        self._came_back.append((before + 1, store.arrivals))
        self._twice += store.arrivals - before
        self.restored = Spans([*there, *spans])
        for span in self.restored:
            if not there.holds(span):
                known = [part for part in there if span[0] <= part[0] <= span[1]]
                for memory in self._memories:
                    memory.rebuild(span, known, self.whole_from)

    @property
    def _known_from(self) -> int:
        """The `t_gen` from which on copies are known of events that are not ready for use."""
        return FOREVER if self._packed is None else self._packed.begins

    @property
    def returnable(self) -> bool:
        """Whether what is gone from here may come again."""
        return self._past is not None and self._past.possible

    def _count(self, before: int) -> int:
        """How many events would leave with those before a `t_gen`."""
        return self._store.count(before) + (0 if self._packed is None else self._packed.before(before))

    def _oldest(self, keep: int) -> int:
        """The earliest `t_gen` from which on there are no more than `keep` events."""
        if self._packed is not None and keep >= self._store.size:
            return self._packed.oldest(keep - self._store.size)
        return self._store.oldest(keep)

    def _drop(self, before: int) -> None:
        """Drops the events before a `t_gen` for good."""
        if self._packed is not None:
            for event in self._packed.forget(before):
                self._store.forget_id(event)
        if before >= self.whole_from:
            self._let_go(before, returnable=self.returnable)
            self.whole_from = before
            self._forget_restored(FOREVER)
            return
        # What was taken back, or came late and touched nothing that had to be.
        known = Spans(self._came_back)
        self._twice -= sum(e.ordinal in known for e in self._store.before(self.begins))
        self._store.forget(self.begins)
        self._forget_restored(self.begins)
        if not self.returnable:
            for memory in self._memories:
                memory.left(self.begins, returnable=False)

    def pass_over(self) -> None:
        """Lets go of a time that nothing needs any more, few events as it may have."""
        if (before := self._needed_from()) > self.whole_from:
            self._drop(before)

    def _pack(self) -> None:
        """Packs the oldest events, where there are too many that are ready for use."""
        packed, store = self._packed, self._store
        if packed is None or store.size <= self._unpacked_room:
            return
        keep = self._unpacked_room - self._unpacked_room // DEAD_ONE_IN
        before = min(store.oldest(keep), *[memory.looks_from for memory in self._memories])
        if before <= self.whole_from or store.count(before) * PACKED_ONE_IN < store.size:
            return
        packed.put(store.before(before), before)
        self._let_go(before, returnable=True)
        self.whole_from = before

    def _keep_late(self) -> None:
        """Packs what came late among events that were taken back: those are packed still."""
        if self._packed is not None and self.begins < self.whole_from:
            known = Spans(self._came_back)
            late = self._store.before(self.whole_from)
            self._packed.put([e for e in late if e.ordinal not in known], self.whole_from)

    def _forget_restored(self, before: int) -> None:
        """What was taken back is gone as far as it is before a `t_gen`."""
        self.restored = Spans([(max(low, before), high) for low, high in self.restored])
        if not self.restored:
            self._came_back, self._twice = [], 0

    def _let_go(self, before: int, *, returnable: bool) -> None:
        """Drops the events before a `t_gen`, and all that cannot be done without them."""
        for memory in self._memories:
            for end in memory.give_up(before):
                self._side.not_whole(end, [memory.name], "it waited for time, and had to leave")
            if memory.is_cut(before):
                self.cut[memory.name] += 1
        self._store.forget(before, self._known_from)
        for memory in self._memories:
            memory.left(before, returnable=returnable)

    def _measure(self) -> None:
        """Finds out how many events there is room for."""
        limits, packed = self._limits, self._packed
        ready = footprint(self._store) / self._store.size
        self._loose_room = max(1, int(limits.unpacked / ready))
        if packed is not None:
            self._unpacked_room = self._loose_room
            if limits.size is not None:
                self._ready_room = int((limits.size - packed.count * packed.per_event) / ready)
        if limits.size is not None:
            # Matches that are known leave with their events.
            matches = sum(memory.remembered for memory in self._memories) * MATCH_BYTES / self.size
            room = limits.size / (ready + matches)
            if packed is not None and limits.unpacked < limits.size:
                rest = limits.size - limits.unpacked
                room = limits.unpacked / (ready + matches) + rest / (packed.per_event + matches)
            self._room = max(1, min(limits.events, int(room)))

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive."""
        return {
            "evicted": self.evicted,
            "cut": self.cut,
            "whole_from": self.whole_from,
            "begins": self.begins,
            "packed": 0 if self._packed is None else self._packed.count,
            "room": self._room,
            "look_at": self._look_at,
        }

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot, but for what the configuration says."""
        self.evicted = known["evicted"]
        self.cut.update(known["cut"])
        self.begin_again(known)
        if self._limits.size is not None:
            self._room = min(self._room, known["room"])
        self._look_at = known["look_at"]

    def begin_again(self, known: Mapping[str, Any]) -> None:
        """Memory reaches back as far as in a snapshot."""
        self.whole_from = known["whole_from"]
        if self._packed is not None:
            # A state of a time when nothing was packed does not say.
            self._packed.begins = known.get("begins", self.whole_from)

    def repack(self, events: Iterable[Event]) -> None:
        """These events were packed, or dropped for good. Called before anything else happens, with some at a
        time, in about the order in which they came."""
        if (packed := self._packed) is None:
            return
        found = [e for e in events if packed.begins <= e.t_gen < self.whole_from]
        there = [e for e in found if self._store.note_id(e)]
        packed.put(there, max((e.t_gen + 1 for e in there), default=-FOREVER))
