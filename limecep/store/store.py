"""The store: every event once, in sorted sets that all patterns share.

An event enters the set of its type, which refuses duplicates, and the lanes of the step filters that accept
it: those of patterns without partition, and for each way of partitioning those of its key.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from limecep.model.event import sort_key
from limecep.model.time import FOREVER
from limecep.store.keyed_lanes import EVERYTHING, Keyed, Tied, name_of
from limecep.store.lane import SEQ_BITS, Lane, Ordering
from limecep.store.type_set import TypeSet
from limecep.store.views import Views, levels_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping

    from limecep.model.event import Event
    from limecep.plan.plan import Plan, StepFilter
    from limecep.store.keyed_lanes import Name
    from limecep.store.recent import Recent
    from limecep.store.share import Share


class Partitions(NamedTuple):
    """How many keys there are, over all ways of partitioning, with how many lanes and views."""

    keys: int
    lanes: int
    views: int


class Store:
    """The shared sorted sets (STS) of one pipeline: every event once, for all patterns.

    Args:
        sequenced: Whether some source declares a sequence field (SEMANTICS 1).
        share: The keys that are detected for; None for all.
        revised: Whether events may be taken back (SEMANTICS 11).
        derived: The event types that patterns derive (SEMANTICS 13): strict contiguity minds those that are
            named.
    """

    #: The patterns say what lanes there are, the events what is in them.
    transient: ClassVar[frozenset[str]] = frozenset({
        "ordering", "takes_all", "for_all", "flat", "views", "changes", "recent", "watched", "revised",
        "derived",
    })  # fmt: skip

    def __init__(
        self,
        *,
        sequenced: bool = False,
        share: Share | None = None,
        revised: bool = False,
        derived: frozenset[str] = frozenset(),
    ) -> None:
        self.sequenced = sequenced
        self._derived = derived
        self._revised = revised
        self._share = share
        self.ordering = Ordering(0, sequenced=sequenced, revised=revised)
        self.types: dict[str, TypeSet] = {}
        #: How many events entered, and how many left.
        self.arrivals = 0
        self.departures = 0
        #: Events before the first of these, a `t_gen`, left; those with greater ordinals than the second have
        #: entered since.
        self.left: tuple[int, int] = (-FOREVER, 0)
        #: Whether events of every type are stored: some pattern asks for strict contiguity.
        self.takes_all = False
        #: How often events left, or came back; and whether it is kept which lanes had an event lately.
        self.changes = 0
        self._recent: Recent | None = None
        self.watched = False
        self._for_all: list[tuple[Callable[[Event], bool] | None, Lane, Hashable]] = []
        self._flat: dict[tuple[Hashable, Name], Lane] = {}
        self._keyed: dict[Hashable, Keyed] = {}
        self._views: list[tuple[Keyed | None, Views]] = []

    @property
    def recent(self) -> Recent:
        """Which lanes had an event lately, kept where `watched`."""
        if self._recent is None:
            # Few pipelines have so many lanes.
            from limecep.store.recent import Recent

            self._recent = Recent(self)
        return self._recent

    @property
    def size(self) -> int:
        """How many events there are."""
        return self.arrivals - self.departures

    @property
    def earliest(self) -> int:
        """The least `t_gen` there is; FOREVER while there is none."""
        stored = [t.events.content.events for t in self.types.values()]
        return min((events[0].t_gen for events in stored if events), default=FOREVER)

    @property
    def partitions(self) -> Partitions:
        """What partitioning has made."""
        keyed = self._keyed.values()
        return Partitions(
            keys=sum(len(k.keys) for k in keyed),
            lanes=sum(len(k.keys) * len(k.slots) for k in keyed),
            views=sum(len(views) for owner, views in self._views if owner is not None),
        )

    def type_set(self, event_type: str) -> TypeSet | None:
        """That of a type; None if no pattern minds events of it."""
        return self._type_set(event_type) if self.takes_all else self.types.get(event_type)

    def subscribe(self, plan: Plan, group: Hashable = None) -> Views:
        """Makes the lanes a pattern needs, shared with the patterns of the same group that need them too.

        Args:
            plan: The pattern's plan.
            group: Patterns that may refuse events the others take must not share lanes with them.
        """
        for t in plan.types:
            self._type_set(t)
        contiguous = plan.select == "sc"
        everything = EVERYTHING
        if contiguous and (hidden := self._derived - plan.types):
            from limecep.store.contiguity import everything_but

            everything = everything_but(hidden)
        self.takes_all = self.takes_all or contiguous
        ordering = Ordering(plan.within, sequenced=self.sequenced, tied=plan.simultaneous)
        keyed = self._keyed_of(plan, group)
        if keyed is not None:
            for alternative in plan.alternatives:
                for step_filter, level in zip(alternative.filters, levels_of(plan, alternative), strict=True):
                    keyed.register(step_filter, level)
            if contiguous:
                keyed.register(everything)
            for t in self.types if contiguous else plan.types:
                if keyed not in self.types[t].keyed:
                    self.types[t].keyed.append(keyed)

        shared: dict[Name, Lane] = {}
        if keyed is None:
            filters = [f for a in plan.alternatives for f in a.filters]
            shared = {name_of(f): self._lane(f, group) for f in [*filters, *[everything] * contiguous]}
        elsewhere = not (self._share is None or self._share.first)
        views = Views(plan, ordering, shared, keyed, everything, elsewhere=elsewhere)
        self._views.append((keyed, views))
        return views

    def _keyed_of(self, plan: Plan, group: Hashable) -> Keyed | None:
        """Where the lanes of a pattern are by key; None if it has those that all its group share. The numbers
        of a pattern with AND are its own: what is tied with an event may get others."""
        if plan.simultaneous:
            return self._keyed.setdefault(
                (group, plan.name), Tied(plan.partition, group, self._share, revised=self._revised)
            )
        if plan.partition:
            name = (group, plan.partition, plan.select == "sc")
            return self._keyed.setdefault(
                name, Keyed(plan.partition, group, self._share, revised=self._revised)
            )
        return None

    def _lane(self, step_filter: StepFilter, group: Hashable) -> Lane:
        name = name_of(step_filter)
        lane = self._flat.get((group, name))
        if lane is None:
            if step_filter.accepts is None and len(step_filter.types) == 1 and group is None:
                lane = self.types[step_filter.types[0]].events
            else:
                lane = Lane(revised=self._revised)
                for t in step_filter.types:
                    self.types[t].lanes.append((step_filter.accepts, lane, group))
            if not step_filter.types:
                taking = (step_filter.accepts, lane, group)
                self._for_all.append(taking)
                for type_set in self.types.values():
                    type_set.lanes.append(taking)
            self._flat[group, name] = lane
        return lane

    def _type_set(self, event_type: str) -> TypeSet:
        """That of a type, made if there is none."""
        known = self.types.get(event_type)
        if known is None:
            known = self.types[event_type] = TypeSet(revised=self._revised)
            known.lanes.extend(self._for_all)
            known.keyed.extend(k for k in self._keyed.values() if k.for_all)
        return known

    def add(self, event: Event, type_set: TypeSet, refused: frozenset[Hashable] = frozenset()) -> None:
        """Puts an event, whose identity is new, into every lane that takes it.

        Args:
            event: The event.
            type_set: That of its type.
            refused: The groups whose patterns refused it: their lanes never hold it.
        """
        self.arrivals += 1
        event.ordinal = self.arrivals
        self.place(event, type_set, refused)

    def place(self, event: Event, type_set: TypeSet, refused: Collection[Hashable]) -> None:
        """As `add`, of an event that has its ordinal."""
        order = self.ordering.of(event)
        type_set.ids(event.source).add(event.id)
        self._enter(type_set.events, order, event)
        for accepts, lane, group in type_set.lanes:
            if group not in refused and (accepts is None or accepts(event)):
                self._enter(lane, order, event)
        for keyed in type_set.keyed:
            if keyed.group not in refused:
                keyed.add(order, event)

    def go_to(self, ordinal: int) -> None:
        """The next event that enters is to have this ordinal: it is what another store calls it."""
        gap = ordinal - 1 - self.arrivals
        self.arrivals += gap
        self.departures += gap

    def leave(self, event: Event) -> None:
        """An event has left the lanes of every group: copies of it are known no longer."""
        self.departures += 1
        self.types[event.type].ids(event.source).discard(event.id)

    def at(self, event_type: str, t_gen: int) -> list[Event]:
        """The events of a type and a time, in microseconds."""
        content, (low, high) = self.types[event_type].events.content, self.ordering.between(t_gen, t_gen)
        return content.events[bisect_left(content.order, low) : bisect_right(content.order, high)]

    def _enter(self, lane: Lane, order: int, event: Event) -> None:
        if lane.add(order, event) and self.watched:
            self.recent.entered(lane, order)

    def readmit(
        self, events: Iterable[tuple[Event, Collection[Hashable]]], known_from: int = FOREVER
    ) -> None:
        """Puts back events that have left. They enter the statistics no second time.

        Args:
            events: The events, each with the groups whose patterns refused it. One whose id is known is left
                out: it is there again.
            known_from: The ids of those from this `t_gen` on were known all the time, and each is given once.
        """
        from limecep.store.restoring import readmit  # Most runs bring nothing back.

        readmit(self, events, known_from)
        self._views_changed()

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash, the events aside."""
        from limecep.store.restoring import label

        return {
            "arrivals": self.arrivals,
            "departures": self.departures,
            "left": self.left,
            "types": {name: type_set.snapshot() for name, type_set in self.types.items()},
            "keyed": [[*label(name), keyed.snapshot()] for name, keyed in self._keyed.items()],
        }

    def restore(
        self, known: Mapping[str, Any], events: Iterable[Event], refused: Mapping[int, Collection[Hashable]]
    ) -> list[Event]:
        """It is as it was in a snapshot. Nothing has entered it yet.

        Args:
            known: The snapshot.
            events: All events that were there, and some that had left; they keep their ordinals.
            refused: The groups whose patterns refused an event, by its ordinal.

        Returns:
            Those that were there.
        """
        from limecep.store.restoring import restore  # Most runs begin with nothing.

        return restore(self, self._keyed, known, events, refused)

    def count(self, before: int) -> int:
        """How many events have `t_gen` below `before`, in microseconds."""
        limit = before << SEQ_BITS if self.sequenced else before
        return sum(bisect_left(t.events.content.order, limit) for t in self.types.values())

    def before(self, before: int) -> list[Event]:
        """The events with `t_gen` below `before`, in microseconds."""
        limit = before << SEQ_BITS if self.sequenced else before
        contents = [t.events.content for t in self.types.values()]
        return [e for c in contents for e in c.events[: bisect_left(c.order, limit)]]

    def note_id(self, event: Event) -> bool:
        """Copies of an event that has left are known from now on; False if no pattern minds its type."""
        type_set = self.type_set(event.type)
        if type_set is not None:
            type_set.ids(event.source).add(event.id)
        return type_set is not None

    def forget_id(self, event: Event) -> None:
        """Copies of an event that has left are known no longer."""
        self.types[event.type].ids(event.source).discard(event.id)

    def forget(self, before: int, known_from: int = FOREVER) -> int:
        """Drops events with `t_gen` below `before`, in microseconds, which copies what stays.

        Args:
            before: The time.
            known_from: Copies of those from this `t_gen` on are still known.

        Returns:
            How many events left.
        """
        limit = before << SEQ_BITS if self.sequenced else before
        gone = sum(type_set.forget(limit, known_from) for type_set in self.types.values())
        self.left = (before, self.arrivals)
        if not gone:
            return 0
        self.departures += gone
        for lane in self._flat.values():
            lane.trim(limit)
        for keyed in self._keyed.values():
            for key in keyed.forget(limit):
                for owner, views in self._views:
                    if owner is keyed:
                        views.drop(key)
        self._views_changed()
        return gone

    def _views_changed(self) -> None:
        """What engines derived from the past of the views does not hold any more."""
        self.changes += 1
        for _, views in self._views:
            for view in views.all():
                view.memo.clear()

    def oldest(self, keep: int) -> int:
        """The earliest `t_gen` from which on there are no more than `keep` events, in microseconds."""
        lanes = [t.events.content.order for t in self.types.values() if len(t.events)]
        low, high = min(o[0] for o in lanes), max(o[-1] for o in lanes) + 1
        while low < high:
            middle = (low + high) // 2
            if sum(len(o) - bisect_left(o, middle) for o in lanes) > keep:
                low = middle + 1
            else:
                high = middle
        # Events of one time stay or go together.
        return -(-low >> SEQ_BITS) if self.sequenced else low

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold; for tests of whatever changes the store."""
        assert self.size == sum(len(t.events) for t in self.types.values())
        for type_set in self.types.values():
            content = type_set.events.content
            assert [self.ordering.of(e) for e in content.events] == content.order
            keys = [sort_key(e) for e in content.events]
            assert keys == sorted(keys)
            # Refused events are known for a while, too. Of one identity there may be two statements.
            assert self._revised or {(e.source, e.id) for e in content.events} <= {
                (source, i) for source, ids in type_set.seen.items() for i in ids
            }
