"""Detection: events in, updates out. No source, no sink, no file: what a pipeline does between them."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from operator import attrgetter, length_hint
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.contracts.tables import PLAIN
from limecep.detection.agenda import Agenda
from limecep.detection.event_time import EventTime, SourceTraits
from limecep.detection.figures import figures_of
from limecep.detection.refusals import Refusals
from limecep.detection.repair import Repair
from limecep.detection.retention import DEFAULT_LIMITS, Limits, Retention
from limecep.detection.strangers import Strangers
from limecep.detection.ties import Ties
from limecep.model.event import Event, sort_key
from limecep.patterns.deadlines import FOREVER
from limecep.patterns.detector import Refusal
from limecep.patterns.event_manager import EventManager
from limecep.patterns.match_codec import MatchCodec
from limecep.patterns.policies import Policies
from limecep.patterns.result_manager import ResultManager
from limecep.statistics import SourceStatistics, Statistics
from limecep.store.ignored import Ignored
from limecep.store.store import Store, TypeSet

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from limecep.clock import ManualClock, SystemClock
    from limecep.contracts.lateness import Verdict
    from limecep.contracts.tables import Tables
    from limecep.model.update import Update
    from limecep.patterns.detector import Detector
    from limecep.runtime.retrieval import Retrieval


class Detection:
    """Finds the matches of several patterns over one stream of events.

    Args:
        detectors: The patterns, in the order of the pipeline.
        clock: The arrival clock; a manual one is moved by the events.
        sources: The sources that are known beforehand, by name.
        awaits_sources: Whether those hold time back that have brought nothing yet; if not, only what has been
            heard of does.
        sequenced: Whether some source declares a sequence field.
        deliver: Takes updates; None where matches are only counted.
        refuse: Takes the events that some patterns do not see, or could not use wholly.
        limits: How long, and how many, events are kept.
        retrieval: Where events that left memory may be had from; None if nowhere.
        tables: Makes the tables of all that must survive a crash.

    Attributes:
        groups: The groups of the patterns, each once: those of a group refuse the same events.
        partly: The groups that refused an event which others took, of those that were fed last, by its
            ordinal.
    """

    #: They follow from the rest, or are told of one run.
    transient = frozenset({"groups", "partly", "batch", "strangers", "timed", "agenda", "enders", "repair"})

    def __init__(
        self,
        detectors: Sequence[Detector],
        clock: SystemClock | ManualClock,
        *,
        sources: dict[str, SourceTraits] | None = None,
        awaits_sources: bool = True,
        sequenced: bool = False,
        deliver: Callable[[Update], None] | None = None,
        refuse: Callable[[Refusal], None] | None = None,
        limits: Limits = DEFAULT_LIMITS,
        retrieval: Retrieval | None = None,
        tables: Tables = PLAIN,
    ) -> None:
        self.clock = clock
        self.store = Store(sequenced=sequenced)
        self.statistics = Statistics(self.store.types)
        self.time = EventTime(self.statistics, clock, dict(sources or {}), awaits_sources=awaits_sources)
        self.detectors = detectors
        self.partly: dict[int, frozenset[Hashable]] = {}
        self._refuse = refuse
        self._latest: Event | None = None
        self._batch: Sequence[Event] = ()
        self._ties = Ties()
        self._ignored = Ignored(self.store)
        self.strangers = Strangers(self.store.types)
        self._unrepaired: Counter[str] = Counter()
        self._timed = False
        self.managers: list[EventManager] = []
        self._agenda = Agenda(self.managers, clock, self.time, self.statistics)
        self._enders: dict[str, list[EventManager]] = {}
        shared = len({d.group for d in detectors}) < 2
        for d in detectors:
            group = None if shared else d.group
            views = self.store.subscribe(d.plan, group)
            own, matches = tables.of(d.plan.name), MatchCodec(d.plan, views, self.store.ordering)
            manager = EventManager(
                d.plan,
                views,
                ResultManager(d.plan, d.engine, d.results, d.context, deliver, own, matches),
                Policies(lateness=d.lateness, slack=d.slack, recompute=d.recompute, results=d.results),
                clock,
                self.statistics,
                self.time.progress_for(None if d.plan.select == "sc" else d.plan.types),
                own,
                matches,
                group,
            )
            self.managers.append(manager)
            self.statistics.pattern(d.plan.name).latency = manager.results.latency
            self._timed = self._timed or manager.waits or manager.gathers
            for t in manager.awaited_types:
                self._enders.setdefault(t, []).append(manager)
        self.store.managers = [m for m in self.managers if m.plan.select == "sc"]
        for t, type_set in self.store.types.items():
            type_set.managers = [m for m in self.managers if m.plan.minds(t)]
        self.retention = Retention(
            self.store, self.managers, self.statistics, limits, retrieval, self._not_whole
        )
        self.groups = list(dict.fromkeys(m.group for m in self.managers))
        self.refusals = Refusals(tables, self.groups)
        self._repair = Repair(self.store, self.retention, retrieval, self._not_whole, self.refusals)

    @property
    def lta(self) -> int:
        """The latest `t_gen` seen, in microseconds."""
        return self.statistics.lta

    # -- intake --------------------------------------------------------------------------------------------

    def feed(self, events: Sequence[Event]) -> None:
        """Takes in events in the order of their arrival."""
        if not events:
            return
        self.partly = {}
        self._batch = events = self._ties.in_order(events)
        self.strangers.look(events)
        if len({e.source for e in events}) < 2:
            self._feed_source(events[0].source, events)
        else:
            for source, run in groupby(events, key=attrgetter("source")):
                self._feed_source(source, list(run))
        self._batch = ()
        self.retention.apply()

    def _feed_source(self, source: str, events: Sequence[Event]) -> None:
        """Takes in events of one source, at least one, in the order of their arrival.

        In-order events of a type that ends no pattern are the hot path: a look-up, a check of identity, a few
        appends.
        """
        statistics = self.statistics
        figures = statistics.source(source)
        outcomes = figures.outcomes
        agenda = self._agenda
        advance = self.time.advance
        self.time.hear(source, events[0].t_arr)
        skew = self.time.traits(source).max_future_skew
        last = events[-1].t_arr
        if skew is not None:
            events = self._not_future(events, skew, figures)
        store = self.store
        types = store.types
        type_of = types.get
        timed = self._timed
        # Under strict contiguity events of every type are stored.
        all_types = bool(store.managers)
        enders = self._enders
        order_of = store.ordering.of if store.sequenced else None
        arrivals = store.arrivals
        lta = before = statistics.lta
        latest = self._latest
        next_deadline = agenda.next_deadline
        in_order = duplicate = 0
        if events:
            figures.note_time(events[0].t_gen)
        coming = iter(events)
        counted = len(events)
        try:
            for event in coming:
                t = event.t_gen
                if t > lta:
                    type_set = type_of(event.type)
                    if type_set is None:
                        type_set = store.type_set(event.type) if all_types else None
                        if type_set is None:
                            if t > next_deadline and (event.t_arr >= agenda.slack_due or t > agenda.time_due):
                                next_deadline = self._due_before(event, figures)
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
                        next_deadline = self._due_before(event, figures)
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
                        if timed:
                            next_deadline = self._agenda.note()
                    continue
                if not timed and not all_types and event.type not in types and event.t_arr < agenda.slack_due:
                    figures.note_time(t)
                    continue
                # Whoever judges the event is to find all figures as they are now, wherever a batch began.
                left = length_hint(coming)
                outcomes["irrelevant"] += counted - left - 1 - in_order - duplicate
                outcomes["duplicate"] += duplicate
                outcomes["in_order"] += in_order
                in_order = duplicate = 0
                counted = left
                figures.note_time(t)
                if lta > before:
                    figures.note_time(lta)
                statistics.lta, self._latest, store.arrivals = lta, latest, arrivals
                self.time.hear(source, event.t_arr)
                agenda.run_slack()
                if t == lta:
                    self._tied(event, figures)
                else:
                    self._late(event, figures)
                if timed:
                    # A source that lags behind may be what others' matches wait for.
                    self._agenda.run(lta)
                latest, arrivals, next_deadline = self._latest, store.arrivals, agenda.next_deadline
        finally:
            # Also where the run has to end in the middle.
            outcomes["irrelevant"] += counted - length_hint(coming) - in_order - duplicate
            outcomes["duplicate"] += duplicate
            outcomes["in_order"] += in_order
        statistics.lta, self._latest, store.arrivals = lta, latest, arrivals
        self.time.hear(source, last)
        if lta > before:
            figures.note_time(lta)

    def _tied(self, event: Event, figures: SourceStatistics) -> None:
        """An event at the very time of the latest one. Ties decide too: it counts as in order, but may
        correct."""
        type_set = self.store.type_set(event.type)
        if type_set is None:
            figures.outcomes["irrelevant"] += 1
        elif event.id in type_set.ids(event.source):
            figures.outcomes["duplicate"] += 1
        else:
            figures.outcomes["in_order"] += 1
            latest = self._latest
            if latest is None or sort_key(event) > sort_key(latest):
                self._latest = event
                self.store.add(event, type_set)
                for manager in self._enders.get(event.type, ()):
                    manager.came(event)
                self._agenda.note()
            else:
                self._ties.met()
                self._correct(event, type_set, type_set.managers)

    def _late(self, event: Event, figures: SourceStatistics) -> None:
        """An event that is out of order: its patterns judge it, and those that accept it correct what it
        changes."""
        type_set = self.store.type_set(event.type)
        if type_set is None:
            figures.outcomes["irrelevant"] += 1
            return
        ids = type_set.ids(event.source)
        if event.id in ids:
            figures.outcomes["duplicate"] += 1
            return
        statistics = self.statistics
        statistics.came_late(event)
        accepting: list[EventManager] = []
        refusing: list[str] = []
        verdict: Verdict | None = None
        for manager in type_set.managers:
            judged = manager.assess(event)
            if judged.extremely_late:
                refusing.append(manager.plan.name)
                verdict = verdict or judged
            else:
                accepting.append(manager)
        if refusing and self._refuse is not None:
            self._refuse(
                Refusal(reason="extremely_late", event=event, patterns=tuple(refusing), verdict=verdict)
            )
        if not accepting:
            statistics.refused(event)
            self._repair.refused(event, None)
            self._ignored.add(event.type, event.source, event.id)
            return
        self._repair.prepare(event, accepting, self._batch)
        if event.id in type_set.ids(event.source):
            # Its like had left memory, and is there again.
            statistics.was_copy(event)
            return
        self._correct(event, type_set, accepting)

    def _correct(self, event: Event, type_set: TypeSet, managers: Sequence[EventManager]) -> None:
        """Puts an event before others, and says what that changed."""
        refused: frozenset[Hashable] = frozenset()
        if len(managers) < len(type_set.managers):
            refused = frozenset(m.group for m in type_set.managers) - frozenset(m.group for m in managers)
        self._repair.refused(event, refused)
        prepared = [(m, m.prepare(event)) for m in managers]
        self.store.add(event, type_set, refused)
        if refused:
            self.partly[event.ordinal] = refused
        for manager, pending in prepared:
            if pending is not None:
                pending.view.memo.clear()
                manager.entered(event, pending)
        self._agenda.note()

    def _not_whole(self, event: Event, managers: Sequence[EventManager], why: str) -> None:
        """Memory no longer holds what some patterns need to use an event wholly."""
        names = tuple(m.plan.name for m in managers)
        self._unrepaired.update(names)
        if self._refuse is not None:
            self._refuse(Refusal(reason="evicted", event=event, patterns=names, error=why))

    def _not_future(self, events: Sequence[Event], skew: int, figures: SourceStatistics) -> Sequence[Event]:
        """Quarantines what claims to be from further ahead than a source's clock may be: it moves nothing."""
        future = [e for e in events if e.t_gen > e.t_arr + skew]
        if not future:
            return events
        figures.outcomes["future"] += len(future)
        for event in future:
            self._repair.refused(event, None)
            if self._refuse is not None:
                self._refuse(Refusal(reason="future", event=event))
        return [e for e in events if e.t_gen <= e.t_arr + skew]

    # -- time ----------------------------------------------------------------------------------------------

    def _due_before(self, event: Event, figures: SourceStatistics) -> int:
        """Does what is due before an event that is about to come; gives the next deadline."""
        self.time.hear(event.source, event.t_arr)
        figures.note_time(event.t_gen)
        return self._agenda.run(event.t_gen)

    def ended(self, source: str) -> None:
        """A source will bring nothing any more, and holds time back no longer."""
        self.time.end(source)
        self._agenda.run(self.lta)

    def idle(self) -> None:
        """Nothing came for a while: does what time has come for."""
        self._agenda.run(self.lta)

    def advance(self, to: int) -> None:
        """Event time has come to `to`, in microseconds, although no event says so."""
        self.time.tell(to)
        self._agenda.run(to)

    def settle(self) -> None:
        """Does what waits for slack; what waits for time goes on waiting."""
        for manager in self.managers:
            manager.run_slack(FOREVER)
        self._agenda.run(self.lta)

    def finish(self) -> None:
        """The input is over: time has passed for everything."""
        self.time.over = True
        self.settle()

    # -- figures -------------------------------------------------------------------------------------------

    def patterns(self) -> dict[str, dict[str, Any]]:
        """The figures of each pattern, for the report."""
        return {
            d.plan.name: figures_of(d.context, m, self._unrepaired, self.retention.cut)
            for d, m in zip(self.detectors, self.managers, strict=True)
        }

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive, the tables and the events aside."""
        return {
            "store": self.store.snapshot(),
            "statistics": self.statistics.snapshot(),
            "managers": {m.plan.name: m.snapshot() for m in self.managers},
            "retention": self.retention.snapshot(),
            "refusals": self.refusals.snapshot(),
            "time": self.time.snapshot(),
            "latest": self._latest and msgspec.structs.replace(self._latest, payload={}),
            "ties": self._ties.snapshot(),
            "ignored": self._ignored.snapshot(),
            "unrepaired": self._unrepaired,
        }

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot: the store has been restored, the tables are filled."""
        self.statistics.restore(known["statistics"])
        for manager in self.managers:
            manager.restore(known["managers"][manager.plan.name])
        self.retention.restore(known["retention"])
        self.refusals.restore(known["refusals"])
        self.time.restore(known["time"])
        self._latest = known["latest"] and Event(**known["latest"])
        self._ties.restore(known["ties"])
        self._ignored.restore(known["ignored"])
        self._unrepaired.update(known["unrepaired"])
        self._agenda.note()
