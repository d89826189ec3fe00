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
    from limecep.detection.past import Past
    from limecep.detection.quarantine import Quarantine
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
    """

    #: They follow from the rest, or are told of one run. (Before a snapshot the router tells its figures.)
    transient: ClassVar[frozenset[str]] = frozenset({"groups", "strangers", "agenda", "router"})

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
        self.store = store = Store(sequenced=sequenced, share=share)
        self.statistics = statistics = Statistics(store.types)
        self.time = EventTime(statistics, clock, dict(sources or {}), awaits_sources=awaits_sources)
        shared = len({d.group for d in detectors}) < 2
        self.managers = managers = [
            self._manager(d, None if shared else d.group, deliver, tables) for d in detectors
        ]
        self.groups = list(dict.fromkeys([m.group for m in managers]))
        self.strangers = Strangers(store.types)
        self.refusals = Refusals(tables, self.groups)
        self._ties = Ties()
        self._side = side = SideOutput(refuse)
        self._agenda = Agenda(managers, clock, self.time, statistics)
        self._router = router = Router(managers, store)
        memories = {
            m: PatternMemory(m, d.lateness, d.results, statistics)
            for d, m in zip(detectors, managers, strict=True)
        }
        packed = None
        if shared and all(memory.repairs for memory in memories.values()):
            past = packed = Packed(past)
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
            store, router, self.late, self._quarantine, self._agenda, self.time, statistics
        )

    def _manager(
        self, d: Detector, group: Hashable, deliver: Callable[[Update], None] | None, tables: Tables
    ) -> EventManager:
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
            self._in_order.take(events[0].source, events)
        else:
            for source, run in groupby(events, key=attrgetter("source")):
                self._in_order.take(source, list(run))
        self.retention.apply()
        # What had to be looked at before its events leave may have begun to wait for time.
        self._agenda.note()

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

    def _run_slack(self) -> None:
        for manager in self.managers:
            manager.run_slack(FOREVER)

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
        self._agenda.look_at(self.managers)
        self._agenda.note()
