"""The lanes of one way of partitioning, by key."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from limecep.model.event import sort_key
from limecep.plan.partition import compile_partition
from limecep.plan.plan import StepFilter
from limecep.store.lane import LEVEL_BITS, TIE_BITS, Lane

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from limecep.model.event import Event
    from limecep.plan.plan import Level
    from limecep.store.share import Share

#: Accepts every event, of whatever type: what strict contiguity asks for.
EVERYTHING = StepFilter(types=(), accepts=None, signature="*")

#: What tells the lanes of a key apart.
Name = tuple["str | int", ...]

_RANKS = (1 << LEVEL_BITS) - 1


class Slot(NamedTuple):
    """A lane that every key has.

    Attributes:
        name: Its name.
        filter: What it takes.
        level: Where it stands among the lanes of a pattern with AND.
    """

    name: Name
    filter: StepFilter
    level: Level | None


class Keyed:
    """The lanes of one way of partitioning. A key is made when its first event comes and leaves when its last
    one is out of retention."""

    #: How many bits the order numbers of the lanes have below those of the store.
    shift: ClassVar[int] = 0

    #: The patterns say what lanes there are, and the events what is in them.
    transient: ClassVar[frozenset[str]] = frozenset(
        {"key", "own", "slots", "by_type", "for_all", "keys", "revised"}
    )

    def __init__(
        self,
        paths: tuple[tuple[str, ...], ...],
        group: Hashable,
        share: Share | None = None,
        *,
        revised: bool = False,
    ) -> None:
        self.group = group
        self._revised = revised
        self.key: Callable[[Event], Any] = compile_partition(paths)
        #: The key of an event; None also where it belongs to another process.
        self.own = self.key if share is None else _own(self.key, share)
        self.slots: dict[Name, Slot] = {}
        self.by_type: dict[str, list[Slot]] = {}
        self.for_all: list[Slot] = []
        self.keys: dict[Any, dict[Name, Lane]] = {}
        #: How many events of a type lacked an attribute.
        self.lacking: Counter[str] = Counter()

    def register(self, step_filter: StepFilter, level: Level | None = None) -> None:
        """Gives every key a lane for this filter."""
        name = name_of(step_filter, level)
        if name not in self.slots:
            slot = self.slots[name] = Slot(name, step_filter, level)
            for t in step_filter.types:
                self.by_type.setdefault(t, self.for_all.copy()).append(slot)
            if not step_filter.types:
                for slots in (self.for_all, *self.by_type.values()):
                    slots.append(slot)

    def taking(self, event_type: str) -> list[Slot]:
        """The lanes that may take events of a type."""
        return self.by_type.get(event_type, self.for_all)

    def lanes(self, key: Any) -> dict[Name, Lane]:
        """The lanes of a key, by name."""
        lanes = self.keys.get(key)
        if lanes is None:
            lanes = self.keys[key] = {name: Lane(revised=self._revised) for name in self.slots}
        return lanes

    def add(self, order: int, event: Event) -> None:
        """Puts an event into the lanes of its key; one without the attributes takes no part."""
        key = self.own(event)
        if key is None:
            self._left_out(event)
            return
        # Called for most events: look-ups by hand save three calls.
        lanes = self.keys.get(key)
        if lanes is None:
            lanes = self.lanes(key)
        for name, step_filter, _ in self.by_type.get(event.type, self.for_all):
            accepts = step_filter.accepts
            if accepts is None or accepts(event):
                lanes[name].add(order, event)

    def _left_out(self, event: Event) -> None:
        if self.own is self.key or self.key(event) is None:
            self.lacking[event.type] += 1

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash, the events aside."""
        return {"lacking": dict(self.lacking)}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot: the events are there."""
        # Older states had one number for all types, which told nothing of a pattern.
        self.lacking = Counter(known.get("lacking", {}))

    def forget(self, limit: int) -> list[Any]:
        """Drops events with order numbers of the store below `limit`; gives the keys that left."""
        gone = []
        for key, lanes in list(self.keys.items()):
            alive = False
            for lane in lanes.values():
                lane.trim(limit << self.shift)
                alive = alive or len(lane) > 0
            if not alive:
                del self.keys[key]
                gone.append(key)
        return gone


class Tied(Keyed):
    """The lanes of one pattern with AND, whose events may follow each other at one time.

    Order numbers have more below the time: first the level of the step, then for the steps of an AND the rank
    of the event by the sort key among all of its time. So of events of one time those of later steps come
    first, and none follows another but within an AND.
    """

    shift: ClassVar[int] = TIE_BITS

    transient: ClassVar[frozenset[str]] = Keyed.transient | {"lines"}

    def __init__(
        self,
        paths: tuple[tuple[str, ...], ...],
        group: Hashable,
        share: Share | None = None,
        *,
        revised: bool = False,
    ) -> None:
        super().__init__(paths, group, share, revised=revised)
        self._lines: dict[Any, _Line] = {}

    def add(self, order: int, event: Event) -> None:
        key = self.own(event)
        if key is None:
            self._left_out(event)
            return
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = _Line(self, key)
        line.add(order << TIE_BITS, event)

    def forget(self, limit: int) -> list[Any]:
        gone = super().forget(limit)
        for key in gone:
            self._lines.pop(key, None)
        return gone


class _Line:
    """The lanes of one key of a pattern with AND."""

    def __init__(self, tied: Tied, key: Any) -> None:
        lanes = tied.lanes(key)
        self._ranked = [lanes[s.name] for s in tied.slots.values() if s.level is not None and s.level.ranked]
        #: By type: what a lane takes, the lane, what is added to the time, and whether the rank is.
        self._taking: dict[str, list[tuple[Callable[[Event], bool] | None, Lane, int, bool]]] = {}
        self._tied = tied
        self._lanes = lanes
        # All of the lanes with ranks is earlier than this.
        self._free = -(1 << 200)

    def add(self, base: int, event: Event) -> None:
        """Puts an event where it belongs; `base` is the least order number of its time."""
        taking = self._taking.get(event.type)
        if taking is None:
            taking = self._taking[event.type] = [
                (slot.filter.accepts, self._lanes[slot.name], *_below(slot.level))
                for slot in self._tied.taking(event.type)
            ]
        rank = 0
        for accepts, lane, below, ranked in taking:
            if accepts is not None and not accepts(event):
                continue
            if ranked and not rank:
                rank = 1 if base >= self._free else self._rank(base, event)
                self._free = max(self._free, base + (1 << TIE_BITS))
            lane.add(base + below + (rank if ranked else 0), event)

    def _rank(self, base: int, event: Event) -> int:
        """The rank of an event that is about to enter. Those that come after it get new ones."""
        stop = base + (1 << TIE_BITS)
        there = []
        for lane in self._ranked:
            numbers = lane.content.order
            first, after = bisect_left(numbers, base), bisect_left(numbers, stop)
            if first < after:
                there.append((lane.content, first, after))
        if not there:
            return 1
        key = sort_key(event)
        if all(sort_key(content.events[after - 1]) < key for content, _, after in there):
            return 1 + max(content.order[after - 1] & _RANKS for content, _, after in there)
        tied = {e.ordinal: e for content, first, after in there for e in content.events[first:after]}
        in_order = sorted([event, *tied.values()], key=sort_key)
        ranks = {e.ordinal: rank for rank, e in enumerate(in_order, start=1)}
        for content, first, after in there:
            for i in range(first, after):
                number = content.order[i]
                content.order[i] = number - (number & _RANKS) + ranks[content.events[i].ordinal]
        return ranks[event.ordinal]


def _own(key_of: Callable[[Event], Any], share: Share) -> Callable[[Event], Any]:
    """The key of an event that belongs to a share; None for any other."""

    def own(event: Event) -> Any:
        key = key_of(event)
        return key if key is not None and share.takes(key) else None

    return own


def _below(level: Level | None) -> tuple[int, bool]:
    """What the order numbers of a lane have below the time, and whether the rank comes to it."""
    return (0, False) if level is None else (level.number << LEVEL_BITS, level.ranked)


def name_of(step_filter: StepFilter, level: Level | None = None) -> Name:
    """The name of the lane of a filter."""
    name = (*step_filter.types, step_filter.signature)
    return name if level is None else (*name, *level)
