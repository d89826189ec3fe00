"""A pipeline: sources, detection, sinks. The same object that the command drives, for notebooks and tests."""

from __future__ import annotations

import os
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import structlog

from limecep.clock import ManualClock, Stopwatch, SystemClock
from limecep.config.loader import load, load_dict
from limecep.contracts.tables import PLAIN
from limecep.detection.detection import Detection
from limecep.errors import RunFailure, Stopped
from limecep.host import components
from limecep.model.time import EARLIEST
from limecep.output.delivery import close_all
from limecep.output.late import LateOutput
from limecep.runtime.assembly import Assembly
from limecep.runtime.feedable import Feedable, with_objects
from limecep.runtime.feeds import Fed, Replay, poll_live
from limecep.runtime.listening import begin, listen
from limecep.runtime.report import Account
from limecep.runtime.run_end import RunEnd

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from types import FrameType

    from limecep.config.model import PipelineConfig
    from limecep.contracts.runner import Progress
    from limecep.model.update import Update
    from limecep.patterns.detector import Refusal
    from limecep.registry import Registry
    from limecep.runtime.detecting import Detecting, Divided, WaysOut
    from limecep.runtime.feeding import Feeding
    from limecep.runtime.feeds import Feed
    from limecep.state.keeper import Keeper

NOTHING: Mapping[str, Any] = MappingProxyType({})
#: How long a turn of the loop may wait for messages, in seconds.
POLL_SECONDS = 0.1
#: How long what was found may wait for the disk, in seconds, while there is more to read at once.
SETTLE_SECONDS = 0.2


class Pipeline(Feedable):
    """Events in, updates out.

    As a library: `Pipeline.from_yaml(path)`, then `feed(events)` gives the updates they cause, `advance(to)`
    and `finish()` those of time, or `run()` reads the sources. A pipeline is fed or run, not both, and writes
    its sinks. As a context manager it is closed at the end.

    Args:
        config: The pipeline, checked.
        registry: The components there are.
        divide: For runners that detect in other processes: makes what detects in a run.
    """

    def __init__(
        self, config: PipelineConfig, registry: Registry, divide: Callable[[WaysOut], Divided] | None = None
    ) -> None:
        self.config = config
        self._divide = divide
        live = any(s.live for s in config.sources)
        self.clock: SystemClock | ManualClock = SystemClock() if live else ManualClock()
        self._logger = structlog.get_logger().bind(pipeline=config.name)
        self._ending = RunEnd()
        self._assembly = Assembly(config, registry, self.clock, self._logger, self._ending)
        self._delivery = self._assembly.sinks.delivery()
        self._late = LateOutput(self._delivery, self._logger)
        self._invalid = self._late.invalid
        self._account = Account(config, self._assembly, self._delivery, self._late)
        self._feeds: list[Feed] = []
        self._keeper: Keeper | None = None
        self._detection: Detecting | None = None
        self._fed = Fed()
        self._beginning = Lock()

    # -- making --------------------------------------------------------------------------------------------

    @classmethod
    def from_yaml(
        cls,
        path: str | os.PathLike[str],
        *,
        overrides: Sequence[str] = (),
        environment: Mapping[str, str] = os.environ,
        registry: Registry | None = None,
        sources: Mapping[str, Any] = NOTHING,
        sinks: Mapping[str, Any] = NOTHING,
        tables: Mapping[str, Any] = NOTHING,
        plugins: Sequence[Any] = (),
    ) -> Pipeline:
        """The pipeline of a YAML file.

        Args:
            path: The file.
            overrides: Values instead of those in the file, each `path=value`.
            environment: What `${X}` is taken from.
            registry: The components there are; by default those installed.
            sources, sinks: Objects of the program as sources and sinks, by name, in the place of those in
                the file or beside them (`limecep.runtime.objects`).
            tables: Rows of the program by the names of tables, in the place of what the file has them read.
            plugins: Components that nobody installed, as `limecep.host.Host.with_plugins` takes them.

        Raises:
            ConfigurationError: Everything that is wrong with it.
            TypeError: One of the objects can be no source, or no sink.
        """
        registry, placed = with_objects(components(registry, plugins), sources, sinks, tables)
        loaded = load(path, registry, overrides=overrides, environment=environment, placed=placed)
        return cls(loaded.checked(), loaded.registry)

    @classmethod
    def from_dict(
        cls,
        document: Mapping[str, Any],
        *,
        root: Path | None = None,
        environment: Mapping[str, str] = os.environ,
        registry: Registry | None = None,
        sources: Mapping[str, Any] = NOTHING,
        sinks: Mapping[str, Any] = NOTHING,
        tables: Mapping[str, Any] = NOTHING,
        plugins: Sequence[Any] = (),
    ) -> Pipeline:
        """As `from_yaml`, of a dictionary. Relative paths are below `root`, by default the current folder."""
        registry, placed = with_objects(components(registry, plugins), sources, sinks, tables)
        loaded = load_dict(document, registry, root=root, environment=environment, placed=placed)
        return cls(loaded.checked(), loaded.registry)

    @classmethod
    def from_config(cls, config: PipelineConfig, registry: Registry) -> Pipeline:
        """The pipeline of a configuration that was checked."""
        return cls(config, registry)

    # -- as a library --------------------------------------------------------------------------------------

    def _feeder(self) -> Feeding:
        with self._beginning:
            if self._feeding is None:
                if self._detection is not None:
                    raise RuntimeError("this pipeline was run before: make another one to feed")
                from limecep.runtime.feeding import Feeding

                feeding = Feeding(self.config, self.clock, self._account, self._delivery, self._late)
                self._keeper = feeding.keep(self._assembly.keeper())
                self._open()
                self._detection = feeding.detection = self._detecting(feeding.found, awaits_sources=False)
                feeding.begin(self._logger, self._resume, self._assembly)
                self._feeding = feeding
            return self._feeding

    # -- as a service --------------------------------------------------------------------------------------

    def run(self, stop: Callable[[], bool] = lambda: False, duration_seconds: float | None = None) -> None:
        """Reads the sources and writes the sinks until the input ends, `stop()` says so, or time is up. Then
        `close` it.

        A run that is asked to end finishes its batch. What takes longer than
        `limecep.runtime.run_end.GRACE_SECONDS` is cut off where it calls `Context.raise_if_stopped`: in the
        search of an engine, in a sink that waits. With state the next run reads the batch again; without,
        what was found goes out.

        Args:
            stop: Asked several times a second.
            duration_seconds: Wall time from when all sources are connected, or from half a minute after the
                beginning where some are not by then; None for any.

        Raises:
            RunFailure: It could not go on; a `ComponentFailure` where a component raised what it should not.
            RuntimeError: The pipeline was fed or run before.
        """
        if self._detection is not None:
            raise RuntimeError("this pipeline was fed or run before: make another one")
        self._ending.give(duration_seconds)
        if not self.config.observers:
            self._run(stop)
            return
        from limecep.runtime.observing import Observing

        with Observing(self._assembly, self._account, lambda: self._detection) as observing:
            self._run(observing.watching(stop), observing.turn)

    def _run(self, stop: Callable[[], bool], seen: Callable[[Stopwatch], object] | None = None) -> None:
        watch = Stopwatch()
        self._ending.stop = stop
        account, keeper = self._account, None
        try:
            self._feeds = self._assembly.feeds()
            keeper = self._keeper = account.keeper = self._assembly.keeper()
            account.retrieval = self._assembly.retrieval(self._feeds, keeper)
            detection = self._detection = self._running()
            account.feeds = self._feeds
            if keeper is None:
                self._delivery.open()
            else:
                self._resume(keeper, detection)
                keeper.send(self._ending)
            begin(self._feeds, self._logger, kept=keeper is not None)
            self._pump(detection, seen)
        except Stopped as stopped:
            self._cut(stopped)
        except (Exception, SystemExit) as error:
            self._assembly.blame(error)
        finally:
            account.seconds += watch.seconds
            failure = close_all((*self._feeds, *(() if keeper is None else (keeper,))), account.cut)
            if keeper is not None and keeper.hung:
                account.stopped, account.hung = True, self._assembly.running(keeper.hung[0])
        if failure is not None:
            self._assembly.blame(failure)

    def _running(self) -> Detecting:
        """What detects in a run."""
        if self._divide is None:
            self._open()
            return self._detecting(self._delivery.update if self._delivery.wants_updates else None)
        from limecep.runtime.detecting import WaysOut

        divided = self._divide(
            WaysOut(
                clock=self.clock,
                delivery=self._delivery,
                late=self._late,
                ending=self._ending,
                fed=lambda: self._fed,
                of_sources=self._account.of_sources,
            )
        )
        self._account.diagnose, self._invalid = divided.diagnose, divided.invalid
        return divided

    def _open(self) -> None:
        """Takes the state; some patterns may see only a part of what it has."""
        if self._keeper is not None:
            self._assembly.since = self._keeper.open(self._assembly.detectors())

    def _resume(self, keeper: Keeper, detection: Detecting) -> None:
        from limecep.runtime.resuming import resume  # Most pipelines on a bench have no state.

        resume(keeper, detection, self._feeds, self._delivery, self._assembly, self._ending.check)
        self._account.resumed(detection)

    def _pump(self, detection: Detecting, seen: Callable[[Stopwatch], object] | None) -> None:
        ending = self._ending
        # Finite input is replayed; what never ends is taken as it comes.
        replay = Replay([part for feed in self._feeds if not feed.live for part in feed.parts])
        started, settled, running = False, Stopwatch(), list(self._feeds)
        while running and not ending.asked():
            if seen is not None:
                seen(settled)
            if not started and (ending.impatient or all(feed.connected for feed in running)):
                started = True
                ending.start()
            left = max(0.0, min(POLL_SECONDS, ending.left))
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
                    self._logger.info("the input ends in a record, left for the next run", source=feed.name)
                detection.ended(feed.name)
                running.remove(feed)
            if live or not busy:
                listen(detection, [f.name for f in running if not f.connected], self._keeper, self._logger)
            if live or not busy or self._keeper is not None:
                parts = [part for feed in running for part in feed.parts]
                behind = busy and any(part.behind for part in parts)
                least = max(SETTLE_SECONDS if behind else 0.0, self.config.state_every / 1_000_000)
                if settled.seconds >= least or any(part.pressed for part in parts):
                    self._settle(detection)
                    settled = Stopwatch()
        self._account.stopped = bool(running)
        if running or self._keeper is not None:
            # What waits for time goes on waiting where there is somewhere to keep it.
            detection.settle()
        else:
            detection.finish()
        self._settle(detection)
        if self._keeper is not None and not self._keeper.finish():
            self._account.stopped = True

    def _take(self, detection: Detecting, fed: Fed) -> bool:
        """Takes in what was fed; says whether there was anything."""
        self._account.handed += len(fed.events) + len(fed.invalid)
        for i in fed.invalid:
            detection.statistics.source(i.source).outcomes["invalid"] += 1
            self._invalid(i)
        if fed.events:
            self._fed = fed
            detection.feed(fed.events)
            if self._keeper is not None:
                self._keeper.entered(fed.events)
        self._delivery.send()
        return bool(fed.events or fed.invalid)

    def _settle(self, detection: Detecting) -> None:
        """Makes durable what went out; only then are the messages that caused it done with."""
        if self._keeper is not None:
            self._keeper.commit()
            self._account.committed(detection)
            self._keeper.deliver()
        else:
            self._delivery.flush()
        for part in [part for feed in self._feeds for part in feed.parts]:
            part.commit()

    def _cut(self, stopped: Stopped) -> None:
        """The run had to end in the middle of something. Detection is not whole any more, and not used again,
        or something hung while it was made.

        Raises:
            RunFailure: A sink did not take what was found, and nothing keeps it.
        """
        self._account.cut(stopped)
        if self._detection is None:
            return
        if self._keeper is None:
            # What was found goes out. Its messages are not done with: a broker may give them again.
            self._ending.part()
            try:
                self._delivery.flush()
            except Stopped as again:
                stopped = again if again.undone else stopped
            if self._delivery.stuck:
                why = stopped.undone or f"{', '.join(self._delivery.stuck)} did not take all records"
                raise RunFailure(f"the run had to end: {why}")
        said = "the run was cut off in the middle of something"
        self._logger.warning(said, **self._account.left_undone(self._detection))

    def overdue(self) -> float:
        """How many seconds ago the time that the run was given was up; below 0 while it is not."""
        return -self._ending.left

    def running(self, frames: Sequence[FrameType]) -> str:
        """Which component runs in these frames, the outermost first, in words; "" if none does."""
        return self._assembly.running(frames)

    def close(self) -> None:
        """Closes the sinks, and the state where it was fed. May be called twice."""
        try:
            if self._feeding is not None:
                self._feeding.close()
            self._delivery.close(self._account.cut)
        except (Exception, SystemExit) as error:
            self._assembly.blame(error)

    # -- results -------------------------------------------------------------------------------------------

    def _detecting(
        self, deliver: Callable[[Update], None] | None, *, awaits_sources: bool = True
    ) -> Detection:
        return self._assembly.detection(
            deliver,
            self._refuse,
            sources=self._assembly.traits(),
            awaits_sources=awaits_sources,
            past=self._account.retrieval,
            tables=PLAIN if self._keeper is None else self._keeper.book,
        )

    def _refuse(self, refusal: Refusal) -> None:
        lta = EARLIEST if self._detection is None else self._detection.lta
        self._late.refused(refusal, self._fed.position(refusal.event), lta)
        if self._feeding is not None:
            self._feeding.refused(refusal)

    def progress(self) -> Progress | None:
        """How far a run over finite input has come; None before a run, and where some input never ends."""
        # Only a bar asks.
        from limecep.runtime.progress import progress

        return progress(self._feeds, self._detection)

    @property
    def detection(self) -> Detection | None:
        """What detected in this process; None before a run, or where others did."""
        return self._detection if isinstance(self._detection, Detection) else None

    def outcomes(self) -> dict[str, int]:
        """How many events had each outcome so far, and `read`, their sum."""
        return {} if self._detection is None else self._detection.statistics.events()

    def report(self) -> dict[str, Any]:
        """The accounting. What components counted of their own stands with their source, pattern or sink."""
        if self._account.cut_off and self._detection is None:
            # What hung while it was made is not made again.
            self._detection = Detection([], self.clock, sources=self._assembly.traits())
        return self._account.report(self._detection or self._detecting(None))
