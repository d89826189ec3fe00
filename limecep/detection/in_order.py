"""The hot path: events in the order of their arrival, most of them in order of time."""

from __future__ import annotations

from operator import length_hint
from typing import TYPE_CHECKING, Any, ClassVar

from limecep.model.event import DerivedEvent, Event, sort_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.detection.agenda import Agenda
    from limecep.detection.derived import Derived
    from limecep.detection.event_time import EventTime
    from limecep.detection.late import LatePath
    from limecep.detection.quarantine import Quarantine
    from limecep.detection.router import Router
    from limecep.statistics import SourceStatistics, Statistics
    from limecep.store.store import Store


class InOrderPath:
    """Takes in events, and hands those that are not later than all before them to the late path.

    Args:
        store: Where they go.
        router: Which patterns they may end.
        late: What takes the others.
        quarantine: What takes those that are too far ahead; None where nothing is.
        agenda: What has waited for event time to move.
        time: How far it has come.
        statistics: Where they are counted.
        derived: Takes in what is derived of them; None where nothing is.

    Attributes:
        latest: The latest event that was stored, by the sort key.
        begun: How many events were begun to be taken in, also in other ways, or left out.
    """

    #: They count what one run has taken in.
    transient: ClassVar[frozenset[str]] = frozenset({"coming", "begun", "derived"})

    def __init__(
        self,
        store: Store,
        router: Router,
        late: LatePath,
        quarantine: Quarantine | None,
        agenda: Agenda,
        time: EventTime,
        statistics: Statistics,
        derived: Derived | None = None,
    ) -> None:
        self.latest: Event | None = None
        self._coming: Iterator[Event] = iter(())
        self.begun = 0
        self._store = store
        self._router = router
        self._late = late
        self._quarantine = quarantine
        self._agenda = agenda
        self._time = time
        self._statistics = statistics
        self._derived = derived

    @property
    def place(self) -> int:
        """How many events it has begun to take in, the one that it is at among them."""
        return self.begun - length_hint(self._coming)

    def take(self, source: str, events: Sequence[Event]) -> None:
        """Takes in events of one source, at least one, in the order of their arrival."""
        time = self._time
        first, last = events[0].t_arr, events[-1].t_arr
        time.hear(source, first)
        figures = self._statistics.source(source)
        skew = time.traits(source).max_future_skew
        judge = None if skew is None else self._quarantine
        for ahead, run in [(0, events)] if judge is None else judge.parted(events, skew or 0, figures):
            self.begun += ahead
            if run:
                self._take(source, run, figures)
        time.hear(source, last)

    def _take(self, source: str, events: Sequence[Event], figures: SourceStatistics) -> None:
        """In-order events of a type that ends no pattern are what is fast: a look-up, a check of identity, a
        few appends."""
        statistics = self._statistics
        outcomes = figures.outcomes
        agenda = self._agenda
        advance = self._time.advance
        store = self._store
        types = store.types
        type_of = types.get
        timed = agenda.timed
        # Under strict contiguity events of every type are stored.
        all_types = store.takes_all
        enders = self._router.enders
        order_of = store.ordering.of if store.sequenced else None
        arrivals = store.arrivals
        lta = before = statistics.lta
        latest = self.latest
        derived = self._derived
        next_deadline = agenda.next_deadline
        in_order = duplicate = 0
        figures.note_time(events[0].t_gen)
        coming = self._coming = iter(events)
        counted = len(events)
        self.begun += counted
        try:
            for event in coming:
                t = event.t_gen
                if t > lta:
                    type_set = type_of(event.type)
                    if type_set is None:
                        type_set = store.type_set(event.type) if all_types else None
                        if type_set is None:
                            if t > next_deadline and (event.t_arr >= agenda.slack_due or t > agenda.time_due):
                                self.latest, store.arrivals = latest, arrivals
                                next_deadline = self._due_before(event, figures)
                                latest, arrivals = self.latest, store.arrivals
                            lta = t
                            continue
                    seen = type_set.seen.get(source)
                    if seen is None:
                        seen = type_set.ids(source)
                    known = len(seen)
                    seen.add(event.id)
                    if len(seen) == known:
                        duplicate += 1
                        continue
                    if t > next_deadline and (event.t_arr >= agenda.slack_due or t > agenda.time_due):
                        # Of what is due then, other events may be derived.
                        self.latest, store.arrivals = latest, arrivals
                        next_deadline = self._due_before(event, figures)
                        latest, arrivals = self.latest, store.arrivals
                    lta = t
                    in_order += 1
                    arrivals += 1
                    event.ordinal = arrivals
                    latest = event
                    order = t if order_of is None else order_of(event)
                    content = type_set.events.content
                    content.order.append(order)
                    content.events.append(event)
                    for accepts, lane, _ in type_set.lanes:
                        if accepts is None or accepts(event):
                            content = lane.content
                            content.order.append(order)
                            content.events.append(event)
                    for keyed in type_set.keyed:
                        keyed.add(order, event)
                    if event.type in enders:
                        statistics.lta = lta
                        advance(event.t_arr)
                        if timed:
                            # How long it waits may depend on how many came in order.
                            outcomes["in_order"] += in_order
                            counted -= in_order
                            in_order = 0
                        for manager in enders[event.type]:
                            manager.came(event)
                        if derived is not None and derived.waits:
                            self.latest, store.arrivals = latest, arrivals
                            derived.enter(event)
                            latest, arrivals, lta = self.latest, store.arrivals, statistics.lta
                            next_deadline = agenda.next_deadline
                        if timed:
                            next_deadline = agenda.note()
                    continue
                if not timed and not all_types and event.type not in types and event.t_arr < agenda.slack_due:
                    figures.note_time(t)
                    continue
                # Whoever judges the event is to find all figures as they are now, wherever a batch began.
                left = length_hint(coming)
                if counted > left + 1:
                    outcomes["irrelevant"] += counted - left - 1 - in_order - duplicate
                    outcomes["duplicate"] += duplicate
                    outcomes["in_order"] += in_order
                    in_order = duplicate = 0
                counted = left
                figures.note_time(t)
                if lta > before:
                    figures.note_time(lta)
                statistics.lta, store.arrivals = lta, arrivals
                self._time.hear(source, event.t_arr)
                self.latest = latest
                agenda.run_slack(event)
                self.latest = self._late.take(event, self.latest, outcomes)
                agenda.look_at(self._late.correcting)
                if derived is not None and derived.waits:
                    derived.enter(event)
                if timed:
                    # A source that lags behind may be what others' matches wait for.
                    agenda.run(lta, event)
                latest, arrivals, lta = self.latest, store.arrivals, statistics.lta
                next_deadline = agenda.next_deadline
        finally:
            # Also where the run has to end in the middle.
            outcomes["irrelevant"] += counted - length_hint(coming) - in_order - duplicate
            outcomes["duplicate"] += duplicate
            outcomes["in_order"] += in_order
        statistics.lta, self.latest, store.arrivals = lta, latest, arrivals
        if lta > before:
            figures.note_time(lta)

    def admits(self, event: Event, figures: SourceStatistics) -> bool:
        """An event has come that is to enter another way: whether it is not too far ahead."""
        self.begun += 1
        self._time.hear(event.source, event.t_arr)
        self._agenda.run_slack(event)
        skew = self._time.traits(event.source).max_future_skew
        judge = self._quarantine
        return skew is None or judge is None or bool(judge.without([event], skew, figures))

    def reach(self, event: Event) -> None:
        """An event is to enter another way: time comes as far as that, if it has not yet."""
        if not isinstance(event, DerivedEvent):
            self._statistics.source(event.source).note_time(event.t_gen)
        if event.t_gen > self._statistics.lta:
            self._agenda.run(event.t_gen, event)
            self._statistics.lta = event.t_gen
        if self.latest is None or sort_key(event) > sort_key(self.latest):
            self.latest = event

    def _due_before(self, event: Event, figures: SourceStatistics) -> int:
        """Does what is due before an event that moves time forward; gives the next deadline."""
        self._time.hear(event.source, event.t_arr)
        figures.note_time(event.t_gen)
        return self._agenda.run(event.t_gen, event)

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash."""
        e = self.latest
        return {"latest": e and Event(e.type, e.id, e.t_gen, e.t_arr, e.source, {}, e.seq, e.ordinal)}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot."""
        self.latest = known["latest"] and Event(**known["latest"])
