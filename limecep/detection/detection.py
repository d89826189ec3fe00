"""Detection: events in, updates out. No source, no sink, no file: what a pipeline does between them.

Here it is put together. An event goes down: from the path of events in order to that of late ones, to repair,
to retention, to the managers of the patterns it concerns. What comes of it leaves by two ways: updates by the
result managers, and what some pattern does not see by the side output.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from limecep.contracts.tables import PLAIN
from limecep.detection.agenda import Agenda
from limecep.detection.event_time import EventTime, SourceTraits
from limecep.detection.figures import figures_of
from limecep.detection.in_order import InOrderPath
from limecep.detection.late import LatePath
from limecep.detection.packed import Packed
from limecep.detection.refusals import Refusals
from limecep.detection.repair import Repair
from limecep.detection.retention import DEFAULT_LIMITS, Limits, Retention
from limecep.detection.router import Router
from limecep.detection.side_output import SideOutput
from limecep.detection.strangers import Strangers
from limecep.detection.ties import Ties
from limecep.model.time import FOREVER
from limecep.patterns.emission.ways import way_to_emit
from limecep.patterns.match_codec import MatchCodec
from limecep.patterns.memory import PatternMemory
from limecep.patterns.policies import Policies
from limecep.patterns.result_manager import ResultManager
from limecep.patterns.timing import Timing
from limecep.statistics import Statistics
from limecep.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    from limecep.clock import Clock
    from limecep.contracts.tables import Tables
    from limecep.detection.derived import Derived
    from limecep.detection.past import Past
    from limecep.detection.quarantine import Quarantine
    from limecep.detection.revisions import Revisions
    from limecep.detection.stated import Stated
    from limecep.model.event import Event
    from limecep.model.update import Update
    from limecep.patterns.detector import Detector, Refusal
    from limecep.patterns.event_manager import EventManager
    from limecep.store.share import Share


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
        past: Where events that left memory may be had from; None if nowhere.
        tables: Makes the tables of all that must survive a crash.
        share: The keys that are detected for, where several processes divide them; None for all.

    Attributes:
        groups: The groups of the patterns, each once: those of a group refuse the same events.
        stated: Which statements count about events that may be taken back; None where none may.
        derived: Takes in what patterns derive; None where none does.
        memories: What each pattern needs of memory, by its manager.
        packs: Whether events are packed that nothing needs ready for use.
    """

    #: They follow from the rest, or are told of one run. (Before a snapshot the router tells its figures.)
    transient: ClassVar[frozenset[str]] = frozenset({
        "groups", "memories", "packs", "strangers", "agenda", "router", "revising", "revisions",
        "stated", "derived",
    })  # fmt: skip

    def __init__(
        self,
        detectors: Sequence[Detector],
        clock: Clock,
        *,
        sources: Mapping[str, SourceTraits] | None = None,
        awaits_sources: bool = True,
        sequenced: bool = False,
        deliver: Callable[[Update], None] | None = None,
        refuse: Callable[[Refusal], None] | None = None,
        limits: Limits = DEFAULT_LIMITS,
        past: Past | None = None,
        tables: Tables = PLAIN,
        share: Share | None = None,
    ) -> None:
        self.clock = clock
        self.detectors = detectors
        revising = {name for name, known in (sources or {}).items() if known.revises}
        self.derived: Derived | None = None
        if any(d.derives is not None for d in detectors):
            from limecep.detection.derived import Derived

            self.derived = Derived(detectors, kept=tables is not PLAIN)
        # What is derived may be taken back.
        leaving = bool(revising) or self.derived is not None
        self.store = store = Store(
            sequenced=sequenced,
            share=share,
            revised=leaving,
            derived=frozenset() if self.derived is None else self.derived.types,
        )
        self.statistics = statistics = Statistics(store.types)
        self.time = EventTime(statistics, clock, dict(sources or {}), awaits_sources=awaits_sources)
        since = {d.group: d.since for d in detectors if d.since is not None}
        shared = len({d.group for d in detectors}) < 2 and not since
        made: dict[str, EventManager] = {}
        kept: dict[str, PatternMemory] = {}
        for d in self._from_below():
            name, group = d.plan.name, None if shared else d.group
            below = () if self.derived is None else self.derived.read_by(d)
            made[name] = self._manager(d, group, deliver, tables, made)
            kept[name] = PatternMemory(
                made[name], d.lateness, d.results, statistics, [kept[n] for n in below]
            )
        self.managers = managers = [made[d.plan.name] for d in detectors]
        self.groups = list(dict.fromkeys([m.group for m in managers]))
        self.strangers = Strangers(store.types)
        labels = {m.group: repr(d.group) for m, d in zip(managers, detectors, strict=True)}
        self.refusals = Refusals(tables, labels, since)
        self._ties = Ties()
        self._side = side = SideOutput(refuse)
        self._agenda = Agenda(managers, clock, self.time, statistics, self.derived)
        self._router = router = Router(managers, store)
        self.memories = memories = {m: kept[m.plan.name] for m in managers}
        packed = None
        # An event that leaves is one that can be found.
        if shared and not leaving and all(memory.repairs for memory in memories.values()):
            past = packed = Packed(past)
        self.packs = packed is not None
        self.retention = Retention(
            store, [*memories.values()], statistics, limits, past, side, packed, lasting=tables is PLAIN
        )
        self._repair = repair = Repair(store, router, memories, self.retention, past, side, self.refusals)
        self.late = LatePath(store, router, repair, self._ties, side, statistics)
        self._quarantine: Quarantine | None = None
        if sources is not None and any(known.max_future_skew is not None for known in sources.values()):
            from limecep.detection.quarantine import Quarantine

            self._quarantine = Quarantine(self.time, clock, repair, side, statistics, tables)
        self._in_order = InOrderPath(
            store, router, self.late, self._quarantine, self._agenda, self.time, statistics, self.derived
        )

        self.stated: Stated | None = None
        self._revisions: Revisions | None = None
        self._revising = revising
        if leaving:
            from limecep.detection.revisions import Revisions
            from limecep.detection.stated import Stated

            stated = Stated(store, self.retention, statistics, self.groups, tables)
            self.stated = repair.stated = stated
            of_events = self._in_order, self.late, repair, side, self._agenda
            self._revisions = Revisions(store, router, *of_events, statistics, stated)
            if self.derived is not None:
                self.derived.begin(store, router, self._in_order, self._revisions, stated, statistics)

    def _from_below(self) -> Sequence[Detector]:
        """The patterns, each after those whose events it reads."""
        if self.derived is None:
            return self.detectors
        levels = self.derived.levels
        return sorted(self.detectors, key=lambda d: levels[d.plan.name])

    def _manager(
        self,
        d: Detector,
        group: Hashable,
        deliver: Callable[[Update], None] | None,
        tables: Tables,
        below: Mapping[str, EventManager],
    ) -> EventManager:
        if self.derived is not None:
            deliver = self.derived.deliver(d.plan.name, deliver)
        views = self.store.subscribe(d.plan, group)
        own, matches = tables.of(d.plan.name), MatchCodec(d.plan, views, self.store.ordering)
        results = ResultManager(
            d.plan, d.engine, d.results, d.context, deliver, own, matches, self.statistics
        )
        self.statistics.pattern(d.plan.name).latency = results.latency
        timing = Timing(d.plan, d.results.emit, maximal=d.engine.results == "maximal")
        manager = way_to_emit(d.results.emit, timing)(
            d.plan,
            views,
            results,
            Policies(lateness=d.lateness, slack=d.slack, recompute=d.recompute, results=d.results),
            timing,
            self.clock,
            self.statistics,
            self.time.progress_for(None if d.plan.select == "sc" else d.plan.types),
            own,
            matches,
            group,
            None if self.derived is None else self.derived.below(d, below),
        )
        if d.stopping is not None:
            manager.stop_with(d.stopping)
        return manager

    @property
    def lta(self) -> int:
        """The latest `t_gen` seen, in microseconds."""
        return self.statistics.lta

    @property
    def irrelevant_types(self) -> Mapping[str, int]:
        """How many events came of each type that no pattern names, as far as they were looked at."""
        return self.strangers.counts

    @property
    def size(self) -> int:
        """How many events are in memory."""
        return self.retention.size

    @property
    def evicted(self) -> int:
        """How many events had to leave memory although a policy would have kept them."""
        return self.retention.evicted

    @property
    def place(self) -> int:
        """How many events it has begun to take in, in this run: what is said now, the last of them caused."""
        return self._in_order.place

    # -- events --------------------------------------------------------------------------------------------

    def feed(self, events: Sequence[Event]) -> None:
        """Takes in events in the order of their arrival."""
        if not events:
            return
        events = self._ties.in_order(events)
        self.strangers.look(events)
        self.late.begin(events)
        if len({e.source for e in events}) < 2:
            self._take(events[0].source, events)
        else:
            for source, run in groupby(events, key=attrgetter("source")):
                self._take(source, list(run))
        self.let_go(events[-1])

    def let_go(self, beside: Event | None = None) -> None:
        """Lets events leave memory that nothing needs. `beside` is the event of the batch that was taken in
        last."""
        self.retention.apply()
        self._derive(beside)
        # What had to be looked at before its events leave may have begun to wait for time.
        self._agenda.note()

    def _take(self, source: str, events: Sequence[Event]) -> None:
        """Takes in events of one source."""
        if self._revisions is None or self.stated is None or source not in self._revising:
            self._in_order.take(source, events)
        else:
            self._revisions.take(source, events)
            self._derive(events[-1])
        if self.stated is not None:
            self.stated.tidy()

    def _derive(self, beside: Event | None = None) -> None:
        """Takes in what was derived. `beside` is the event of the batch that was taken in last."""
        if self.derived is not None and self.derived.waits:
            self.derived.enter(beside)

    # -- time ----------------------------------------------------------------------------------------------

    def ended(self, source: str) -> None:
        """A source will bring nothing any more, and holds time back no longer."""
        self.time.end(source)
        self._agenda.run(self.lta)

    def idle(self, away: Collection[str] = ()) -> Sequence[Event]:
        """Nothing came for a while: does what time has come for.

        Args:
            away: The sources that are not connected.

        Returns:
            The events that are taken in now, as it was the arrival clock that was wrong and not their time.
        """
        to, silence = self.lta, self.time.silence
        again: Sequence[Event] = ()
        if silence is not None:
            set_by = silence.listen(away)
            if set_by < 0:
                # The clock was set back, and what waits for slack would wait that much longer.
                self._run_slack()
            elif set_by > 0 and self._quarantine is not None:
                again = self._quarantine.judged_again(set_by)
                self.feed(again)
            to = max(self.lta, silence.reached())
        self._agenda.run(to)
        return again

    def advance(self, to: int) -> None:
        """Event time has come to `to`, in microseconds, although no event says so."""
        self.time.tell(to)
        self._agenda.run(to)

    def settle(self) -> None:
        """Does what waits for slack; what waits for time goes on waiting."""
        self._run_slack()
        self._agenda.run(self.lta)
        while self.derived is not None and self.derived.told:
            # It may wait for slack with those that read it.
            self.derived.told = False
            self._run_slack()
            self._agenda.run(self.lta)

    def _run_slack(self) -> None:
        for manager in self.managers:
            manager.run_slack(FOREVER)
        self._derive()

    def finish(self) -> None:
        """The input is over: time has passed for everything."""
        self.time.over = True
        self.settle()

    def stop(self, pattern: str, reason: str) -> None:
        """A pattern has stopped in another process, as one of its components has failed there."""
        for manager in self.managers:
            if manager.plan.name == pattern:
                manager.stop(reason)

    # -- figures -------------------------------------------------------------------------------------------

    def patterns(self) -> dict[str, dict[str, Any]]:
        """The figures of each pattern, for the report."""
        self._router.tell()
        return {
            d.plan.name: figures_of(d.context, m, self._side.unrepaired, self.retention.cut)
            for d, m in zip(self.detectors, self.managers, strict=True)
        }

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive, the tables and the events aside."""
        self._router.tell()
        return {
            "store": self.store.snapshot(),
            "statistics": self.statistics.snapshot(),
            "managers": {m.plan.name: m.snapshot() for m in self.managers},
            "retention": self.retention.snapshot(),
            "refusals": self.refusals.snapshot(),
            "repair": self._repair.snapshot(),
            "time": self.time.snapshot(),
            "in_order": self._in_order.snapshot(),
            "late": self.late.snapshot(),
            "ties": self._ties.snapshot(),
            "side": self._side.snapshot(),
        }

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot: the store has been restored, the tables are filled."""
        self.statistics.restore(known["statistics"])
        for manager in self.managers:
            manager.restore(known["managers"][manager.plan.name])
        self.retention.restore(known["retention"])
        self.refusals.restore(known["refusals"])
        self._repair.restore(known["repair"])
        self.time.restore(known["time"])
        self._in_order.restore(known["in_order"])
        self.late.restore(known["late"])
        self._ties.restore(known["ties"])
        self._side.restore(known["side"])
        if self.stated is not None:
            self.stated.restore()
        self._agenda.look_at(self.managers)
        self._agenda.note()
