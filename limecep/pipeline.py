"""A pipeline: sources, detection, sinks. The same object that the command drives, for notebooks and tests."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

import limecep
from limecep.assembly import Assembly
from limecep.clock import ManualClock, Stopwatch, SystemClock
from limecep.config.loader import load, load_dict
from limecep.detection import Detection, Refusal
from limecep.errors import ConfigurationError
from limecep.feeding import Fed, Replay
from limecep.host import Host
from limecep.memory import peak_rss
from limecep.output.render import late_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from limecep.config.loader import Loaded
    from limecep.config.model import PipelineConfig
    from limecep.feeding import Part
    from limecep.model.event import Event
    from limecep.model.update import Update
    from limecep.output.record import Record
    from limecep.registry import Registry

#: How long a poll may wait for messages, in seconds, where nothing else is to be done.
PATIENCE = 0.1

#: Updates and late records are handed to the sinks at the latest when there are so many.
FULL = 4096


class Pipeline:
    """Events in, updates out (DESIGN 7).

    As a library: `Pipeline.from_yaml(path)`, then `feed(events)` gives the updates they cause, `advance(to)`
    and `finish()` those that time causes, or `run()` reads the sources and writes the sinks. A pipeline is fed
    or run, not both.
    """

    def __init__(self, config: PipelineConfig, registry: Registry) -> None:
        self.config = config
        live = any(s.live for s in config.sources)
        self.clock: SystemClock | ManualClock = SystemClock() if live else ManualClock()
        self._logger = structlog.get_logger().bind(pipeline=config.name)
        self._assembly = Assembly(config, registry, self.clock, self._logger)
        self._updates: list[Update] = []
        self._late: list[Record] = []
        self._told: set[tuple[str, str]] = set()
        self._positions: dict[int, str] = {}
        self._outlets = self._assembly.update_outlets()
        self._late_outlets = self._assembly.late_outlets()
        self._detection: Detection | None = None
        self._watch = Stopwatch()
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
            ValueError: An event whose time is outside the years 1 to 9999.
        """
        batch = events if isinstance(events, list) else list(events)
        detection = self._detecting(collect=True)
        if batch:
            detection.feed(batch)
        return self._collected()

    def advance(self, to: int) -> list[Update]:
        """Event time has come to `to`, in microseconds, although no event says so; gives what that causes."""
        self._detecting(collect=True).advance(to)
        return self._collected()

    def finish(self) -> list[Update]:
        """The input is over: time has passed for everything; gives what that causes."""
        self._detecting(collect=True).finish()
        return self._collected()

    def _collected(self) -> list[Update]:
        updates, self._updates = self._updates, []
        self._late.clear()
        return updates

    # -- as a service --------------------------------------------------------------------------------------

    def run(self, stop: Callable[[], bool] = lambda: False, duration_seconds: float | None = None) -> None:
        """Reads the sources and writes the sinks until the input ends, `stop()` says so, or time is up.

        Raises:
            RunFailure: It could not go on.
        """
        detection = self._detecting(collect=any(o.writes for o in self._outlets))
        for outlet in (*self._outlets, *self._late_outlets):
            outlet.sink.open()
        feeds = self._assembly.feeds()
        try:
            for feed in feeds:
                feed.open()
            # Finite input is replayed; what never ends is taken as it comes.
            replay = Replay([p for f in feeds if not f.live for p in f.parts])
            live = [p for f in feeds if f.live for p in f.parts]
            watch = Stopwatch()
            open_feeds = list(feeds)
            while open_feeds and not stop():
                left = PATIENCE if duration_seconds is None else duration_seconds - watch.seconds
                if left <= 0:
                    break
                busy = self._take(replay.step(0.0 if live else min(left, PATIENCE)))
                for part in live:
                    busy = self._take(self._polled(part, 0.0 if busy else min(left, PATIENCE))) or busy
                if not busy:
                    detection.idle()
                    self._deliver()
                for feed in [f for f in open_feeds if f.ended]:
                    self._take([feed.finish()])
                    detection.ended(feed.name)
                    open_feeds.remove(feed)
            if not open_feeds:
                detection.finish()
            self._deliver()
        finally:
            for feed in feeds:
                feed.source.close()
        for outlet in (*self._outlets, *self._late_outlets):
            outlet.sink.flush()

    def _polled(self, part: Part, timeout: float) -> list[Fed]:
        invalid = part.fill(timeout)
        fed = part.take(None)
        return [Fed(fed.source, fed.events, fed.positions, invalid)] if fed.events or invalid else []

    def _take(self, fed: Sequence[Fed]) -> bool:
        """Takes in what was fed; says whether there was anything."""
        detection = self._detection
        assert detection is not None
        for some in fed:
            if some.invalid:
                detection.statistics.source(some.source).outcomes["invalid"] += len(some.invalid)
                for i in some.invalid:
                    self._refuse_record(
                        late_record("invalid", source=i.source, position=i.position, raw=i.raw, error=i.error)
                    )
            if some.events:
                self._positions = dict(zip(map(id, some.events), some.positions, strict=True))
                detection.feed(some.events)
            self._deliver()
        return bool(fed)

    def close(self) -> None:
        """Closes the sinks. May be called twice."""
        for outlet in (*self._outlets, *self._late_outlets):
            outlet.sink.close()

    # -- results -------------------------------------------------------------------------------------------

    def _detecting(self, *, collect: bool) -> Detection:
        if self._detection is None:
            self._watch = Stopwatch()
            self._detection = Detection(
                self._assembly.detectors(),
                self.clock,
                sources=self._assembly.traits(),
                sequenced=any(s.order is not None for s in self.config.sources),
                deliver=self._collect if collect else None,
                refuse=self._refuse,
                retention_time=self.config.retention_time,
                retention_events=self.config.retention_events,
            )
        return self._detection

    def _collect(self, update: Update) -> None:
        self._updates.append(update)

    def _deliver(self) -> None:
        if self._updates:
            updates, self._updates = self._updates, []
            for outlet in self._outlets:
                outlet.send(updates)
        if self._late:
            records, self._late = self._late, []
            for late in self._late_outlets:
                late.send(records)

    def _refuse(self, refusal: Refusal) -> None:
        event, verdict = refusal.event, refusal.verdict
        self._refuse_record(
            late_record(
                refusal.reason,
                source=event.source,
                position=self._positions.get(id(event), ""),
                event=event,
                patterns=refusal.patterns or None,
                score=None if verdict is None else verdict.score,
                threshold=None if verdict is None else verdict.threshold,
            )
        )

    def _refuse_record(self, record: Record) -> None:
        """Late output: to its sinks, and the first of each reason and source to the log."""
        kind = (record["reason"], record["source"])
        if kind not in self._told:
            self._told.add(kind)
            self._logger.warning("first of its kind in the late output", **record)
        if self._late_outlets:
            self._late.append(record)

    def report(self) -> dict[str, Any]:
        """The accounting (DESIGN 6)."""
        detection = self._detecting(collect=True)
        seconds = self._watch.seconds
        events = detection.statistics.events()
        return {
            "events": events,
            "patterns": detection.patterns(),
            "sources": detection.statistics.snapshot(),
            "evicted": detection.evicted,
            "seconds": round(seconds, 6),
            "events_per_second": round(events["read"] / seconds, 1) if seconds else 0.0,
            "peak_rss_bytes": peak_rss(),
            "version": limecep.__version__,
        }
