"""A pipeline: sources, detection, sinks. The same object that the command drives, for notebooks and tests."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

import limecep
from limecep.assembly import Assembly
from limecep.clock import ManualClock, Stopwatch, SystemClock
from limecep.config.loader import load, load_dict
from limecep.detection import Detection
from limecep.errors import ConfigurationError
from limecep.feeding import Fed, Replay, poll_live
from limecep.host import Host
from limecep.intake.times import EARLIEST, LATEST
from limecep.memory import peak_rss
from limecep.output.instants import rfc3339
from limecep.output.render import late_record, refused_record
from limecep.progress import Progress, progress
from limecep.retention import Limits
from limecep.retrieval import Retrieval
from limecep.state.keeper import Keeper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from limecep.config.loader import Loaded
    from limecep.config.model import PipelineConfig
    from limecep.detector import Refusal
    from limecep.feeding import Feed
    from limecep.model.event import Event
    from limecep.model.update import Update
    from limecep.output.record import Record
    from limecep.registry import Registry

#: How long a turn of the loop may wait for messages, in seconds.
PATIENCE = 0.1

#: What a live pipeline without state says at the start.
WITHOUT_STATE = (
    "no state is kept: a crash would lose the events in memory, the matches begun with them and corrections "
    "of those found, and may send again what was sent last"
)


class Pipeline:
    """Events in, updates out.

    As a library: `Pipeline.from_yaml(path)`, then `feed(events)` gives the updates they cause, `advance(to)`
    and `finish()` those that time causes, or `run()` reads the sources and writes the sinks. A pipeline is
    fed or run, not both.
    """

    def __init__(self, config: PipelineConfig, registry: Registry) -> None:
        self.config = config
        live = any(s.live for s in config.sources)
        self.clock: SystemClock | ManualClock = SystemClock() if live else ManualClock()
        self._logger = structlog.get_logger().bind(pipeline=config.name)
        self._stopping: Callable[[], bool] = lambda: False
        self._assembly = Assembly(config, registry, self.clock, self._logger, lambda: self._stopping())
        self._delivery = self._assembly.delivery()
        self._feeds: list[Feed] = []
        self._retrieval: Retrieval | None = None
        self._keeper: Keeper | None = None
        self._detection: Detection | None = None
        self._updates: list[Update] = []
        self._fed = Fed()
        self._told: set[tuple[str, str]] = set()
        #: The latest event time when an event was last refused as extremely late, and how many were while
        #: it stood there.
        self._behind = (EARLIEST, 0)
        self._seconds = 0.0

    # -- making --------------------------------------------------------------------------------------------

    @classmethod
    def from_yaml(
        cls,
        path: str | os.PathLike[str],
        *,
        overrides: Sequence[str] = (),
        environment: Mapping[str, str] = os.environ,
        registry: Registry | None = None,
    ) -> Pipeline:
        """The pipeline of a YAML file.

        Raises:
            ConfigurationError: Everything that is wrong with it.
        """
        registry = registry or Host.load().registry
        return cls._loaded(load(path, registry, overrides=overrides, environment=environment), registry)

    @classmethod
    def from_dict(
        cls,
        document: Mapping[str, Any],
        *,
        root: Path | None = None,
        environment: Mapping[str, str] = os.environ,
        registry: Registry | None = None,
    ) -> Pipeline:
        """The pipeline of a dictionary of the same form.

        Raises:
            ConfigurationError: Everything that is wrong with it.
        """
        registry = registry or Host.load().registry
        return cls._loaded(load_dict(document, registry, root=root, environment=environment), registry)

    @classmethod
    def _loaded(cls, loaded: Loaded, registry: Registry) -> Pipeline:
        if loaded.config is None:
            raise ConfigurationError([p for p in loaded.problems if p.severity == "error"])
        return cls(loaded.config, registry)

    @classmethod
    def from_config(cls, config: PipelineConfig, registry: Registry) -> Pipeline:
        """The pipeline of a configuration that was checked."""
        return cls(config, registry)

    # -- as a library --------------------------------------------------------------------------------------

    def feed(self, events: Iterable[Event]) -> list[Update]:
        """Takes in events in the order of their arrival; gives the updates they cause.

        Raises:
            ValueError: An event whose time is outside the years 1 to 9999. None of the events is taken in.
        """
        batch = events if isinstance(events, list) else list(events)
        _check_times(batch)
        return self._caused(lambda detection: detection.feed(batch))

    def advance(self, to: int) -> list[Update]:
        """Event time has come to `to`, in microseconds, although no event says so; gives what that causes."""
        return self._caused(lambda detection: detection.advance(to))

    def finish(self) -> list[Update]:
        """The input is over: time has passed for everything; gives what that causes."""
        return self._caused(lambda detection: detection.finish())

    def _caused(self, act: Callable[[Detection], object]) -> list[Update]:
        watch = Stopwatch()
        if self.config.state is not None:
            raise RuntimeError("a pipeline with state is run, not fed: leave 'state' out to feed it")
        if self._detection is None:
            self._detection = self._detecting(self._updates.append, awaits_sources=False)
        try:
            act(self._detection)
            return self._updates.copy()
        finally:
            self._updates.clear()
            self._seconds += watch.seconds

    # -- as a service --------------------------------------------------------------------------------------

    def run(self, stop: Callable[[], bool] = lambda: False, duration_seconds: float | None = None) -> None:
        """Reads the sources and writes the sinks until the input ends, `stop()` says so, or time is up. Then
        `close` it.

        Args:
            stop: Asked several times a second.
            duration_seconds: Wall time from when all sources are connected; None for any.

        Raises:
            RunFailure: It could not go on.
            RuntimeError: The pipeline was fed or run before.
        """
        if self._detection is not None:
            raise RuntimeError("this pipeline was fed or run before: make another one")
        watch = Stopwatch()
        delivery = self._delivery
        self._stopping = stop
        self._feeds = self._assembly.feeds()
        store = self._assembly.state()
        keeper = self._keeper = None if store is None else Keeper(store, self.config, self._logger)
        self._retrieval = Retrieval(self._feeds, None if keeper is None else keeper.journal)
        self._detection = self._detecting(delivery.update if delivery.wants_updates else None)
        try:
            if keeper is not None:
                keeper.open()
                keeper.resume(self._detection, self._feeds, delivery)
            delivery.open()
            if keeper is not None:
                keeper.send_again()
            for feed in self._feeds:
                feed.open()
            if keeper is None and any(feed.live for feed in self._feeds):
                self._logger.info(WITHOUT_STATE)
            self._pump(self._detection, stop, duration_seconds)
        finally:
            self._seconds += watch.seconds
            for feed in self._feeds:
                feed.close()
            if keeper is not None:
                keeper.close()

    def _pump(self, detection: Detection, stop: Callable[[], bool], duration_seconds: float | None) -> None:
        # Finite input is replayed; what never ends is taken as it comes.
        replay = Replay([part for feed in self._feeds if not feed.live for part in feed.parts])
        watch: Stopwatch | None = None
        running = list(self._feeds)
        while running and not stop():
            if watch is None and all(feed.connected for feed in running):
                watch = Stopwatch()
                if duration_seconds is not None:
                    # What waits for a sink's broker is to know it, too.
                    self._stopping = partial(_over, stop, watch, duration_seconds)
            left = PATIENCE
            if watch is not None and duration_seconds is not None:
                left = min(PATIENCE, duration_seconds - watch.seconds)
            if left <= 0:
                break
            live = [part for feed in running if feed.live for part in feed.parts]
            busy = False
            for fed in replay.step(0.0 if live else left):
                busy = self._take(detection, fed) or busy
            if live:
                busy = self._take(detection, poll_live(live, 0.0 if busy else left)) or busy
            for feed in [f for f in running if f.ended]:
                if self._keeper is None:
                    self._take(detection, feed.finish())
                elif feed.reader.holding:
                    # The state has what was read of it, or says to read it again.
                    self._logger.info(
                        "the input ends within a record, left for the next run", source=feed.name
                    )
                detection.ended(feed.name)
                running.remove(feed)
            if live or not busy:
                detection.idle()
            if live or not busy or self._keeper is not None:
                self._settle()
        if running or self._keeper is not None:
            # What waits for time goes on waiting where there is somewhere to keep it.
            detection.settle()
        else:
            detection.finish()
        self._settle()

    def _take(self, detection: Detection, fed: Fed) -> bool:
        """Takes in what was fed; says whether there was anything."""
        for i in fed.invalid:
            detection.statistics.source(i.source).outcomes["invalid"] += 1
            self._refuse_record(
                late_record("invalid", source=i.source, position=i.position, raw=i.raw, error=i.error)
            )
        if fed.events:
            self._fed = fed
            detection.feed(fed.events)
            if self._keeper is not None:
                self._keeper.entered(fed.events)
        self._delivery.send()
        return bool(fed.events or fed.invalid)

    def _settle(self) -> None:
        """Makes durable what went out; only then are the messages that caused it done with."""
        if self._keeper is not None:
            self._keeper.commit()
        else:
            self._delivery.flush()
        for feed in self._feeds:
            for part in feed.parts:
                part.commit()

    def close(self) -> None:
        """Closes the sinks. May be called twice."""
        self._delivery.close()

    # -- results -------------------------------------------------------------------------------------------

    def _detecting(
        self, deliver: Callable[[Update], None] | None, *, awaits_sources: bool = True
    ) -> Detection:
        return Detection(
            self._assembly.detectors(),
            self.clock,
            sources=self._assembly.traits(),
            awaits_sources=awaits_sources,
            sequenced=any(s.order is not None for s in self.config.sources),
            deliver=deliver,
            refuse=self._refuse,
            limits=Limits(
                time=self.config.retention_time,
                events=self.config.retention_events,
                size=self.config.retention_bytes,
            ),
            retrieval=self._retrieval,
        )

    def _refuse(self, refusal: Refusal) -> None:
        if refusal.reason == "extremely_late" and self._detection is not None:
            latest, count = self._behind
            self._behind = self._detection.lta, count + 1 if latest == self._detection.lta else 1
        self._refuse_record(refused_record(refusal, self._fed.position(refusal.event)))

    def _refuse_record(self, record: Record) -> None:
        """Late output: to its sinks, if there are any, and the first of each reason and source to the log."""
        kind = (record["reason"], record["source"])
        if kind not in self._told:
            self._told.add(kind)
            # The logger calls its own text `event`.
            shown = {("record" if key == "event" else key): value for key, value in record.items()}
            what = "not used wholly" if record["reason"] == "evicted" else "refused"
            self._logger.warning(f"{what}, the first of its kind (later ones are not logged)", **shown)
        self._delivery.late(record)

    def progress(self) -> Progress | None:
        """How far a run over finite input has come; None before a run, and where some input never ends."""
        if self._detection is None or not self._feeds or any(f.live for f in self._feeds):
            return None
        return progress(self._feeds, self._detection)

    def report(self) -> dict[str, Any]:
        """The accounting. What components counted of their own stands with their source, pattern or sink."""
        detection = self._detection or self._detecting(None)
        seconds = self._seconds
        events = detection.statistics.events()
        read = events["read"] - (self._keeper.read_before if self._keeper is not None else 0)
        sources = detection.statistics.outcomes()
        counters = self._assembly.counters
        for feed in self._feeds:
            sources[feed.name] |= {**counters[f"sources.{feed.name}"], **feed.reader.counted()}
        return {
            "events": events,
            "patterns": detection.patterns(),
            "sources": sources,
            "sinks": {
                o.name: {"records": o.sent, **counters[f"sinks.{o.name}"]} for o in self._delivery.outlets
            },
            "behind": self._behind_latest(detection),
            "evicted": detection.retention.evicted,
            "retrieved": self._retrieved(),
            "state": None if self._keeper is None else self._keeper.report(),
            "statistics": detection.statistics.snapshot(),
            "seconds": round(seconds, 6),
            "events_per_second": round(read / seconds, 1) if seconds else 0.0,
            "peak_rss_bytes": peak_rss(),
            "version": limecep.__version__,
        }

    def _retrieved(self) -> dict[str, Any]:
        """How often events that had left memory were read again, how many, and how long that took."""
        had = self._retrieval or Retrieval([])
        return {"times": had.times, "events": had.events, "seconds": round(had.seconds, 6)}

    def _behind_latest(self, detection: Detection) -> dict[str, Any] | None:
        """How many events were extremely late since event time has come to where it is, and which source
        brought it there: one wrong stamp may make everything late. None if there were none."""
        latest, count = self._behind
        if not count or latest != detection.lta:
            return None
        figures = detection.statistics.sources.items()
        source = next((name for name, s in figures if s.latest == latest), "")
        return {"event_time": rfc3339(latest), "source": source, "extremely_late": count}


def _over(stop: Callable[[], bool], watch: Stopwatch, duration_seconds: float) -> bool:
    return stop() or watch.seconds >= duration_seconds


def _check_times(events: Sequence[Event]) -> None:
    for event in events:
        if not (EARLIEST <= event.t_gen <= LATEST and EARLIEST <= event.t_arr <= LATEST):
            raise ValueError(f"a time is not in the years 1 to 9999: {event}")
