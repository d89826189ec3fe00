"""A pipeline whose detection is divided among workers by key: this process reads, counts and writes."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import structlog

from limecep import Pipeline
from limecep.clock import MovableClock, SettableClock, Stopwatch
from limecep.embedding.pipelines import Assembly
from limecep.errors import RunFailure, Stopped
from limecep.statistics import Statistics
from limecep_local.figures import latency_of, patterns_of
from limecep_local.keeping import Keeping
from limecep_local.merging import refused_in_order, told_in_order
from limecep_local.messages import Task, columns, pack
from limecep_local.processes import Process

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from types import FrameType

    from limecep import Event
    from limecep.contracts.runner import Progress
    from limecep.embedding.pipelines import Book, Divided, Invalid, PipelineConfig, Registry, WaysOut
    from limecep_local.messages import Answer

#: So many messages may be under way: workers have the next batch at hand when they are done with one.
AHEAD = 2


class DividedPipeline:
    """A pipeline with workers, as a runner.

    Args:
        config: The pipeline.
        registry: The components there are.
        workers: The number of workers.
    """

    def __init__(self, config: PipelineConfig, registry: Registry, workers: int) -> None:
        self._registry = registry
        self._config = config
        self._count = workers
        self._processes: list[Process] = []
        self._division: Division | None = None
        self._pipeline = Pipeline(config, registry, self._divide)

    def _divide(self, ways: WaysOut) -> Divided:
        tasks = [self._task(number) for number in range(self._count)]
        for number, task in enumerate(tasks):
            process = Process(number, self._count)
            self._processes.append(process)
            process.send(task)
        self._division = Division(self._config, self._registry, ways, self._processes)
        return self._division

    def _task(self, number: int) -> bytes:
        try:
            # This process observes.
            return pack(Task(replace(self._config, observers=()), number, self._count))
        except Exception as error:
            raise RunFailure(
                f"the pipeline cannot be sent to workers ({error}): run it with workers: 1"
            ) from error

    def run(self, stop: Callable[[], bool], duration_seconds: float | None) -> None:
        """As of `Runner`."""
        try:
            self._pipeline.run(stop, duration_seconds)
        finally:
            self._end()

    def progress(self) -> Progress | None:
        """As of `Runner`."""
        return self._pipeline.progress()

    def overdue(self) -> float:
        """As of `Prompt`."""
        return self._pipeline.overdue()

    def running(self, frames: Sequence[FrameType]) -> str:
        """As of `Prompt`."""
        return self._pipeline.running(frames)

    def report(self) -> dict[str, Any]:
        """As of `Runner`; `workers` has what each of them took."""
        report = {**self._pipeline.report(), "workers": []}
        return report if self._division is None else {**report, **self._division.told()}

    def close(self) -> None:
        """As of `Runner`."""
        self._end()
        self._pipeline.close()

    def _end(self) -> None:
        for process in self._processes:
            process.close()


class Division:
    """Detection by several processes (`Divided` of the kernel). Each is given all events; what they answer
    goes out in the order of the events that caused it, then of the patterns.

    Args:
        config: The pipeline.
        registry: The components there are.
        ways: Where it goes out.
        processes: The workers.

    Attributes:
        detectors: The patterns.
        statistics: Those of the whole stream, as the first worker has them.
        irrelevant_types: As of `Detecting`.
        evicted: As of `Detecting`.
    """

    def __init__(
        self, config: PipelineConfig, registry: Registry, ways: WaysOut, processes: Sequence[Process]
    ) -> None:
        self.irrelevant_types: Mapping[str, int] = {}
        self.evicted = 0
        self._config = config
        self._ways = ways
        self._processes = processes
        self._logger = structlog.get_logger().bind(pipeline=config.name)
        # What there is to tell before a worker has answered.
        assembly = Assembly(config, registry, ways.clock, self._logger)
        nothing = assembly.detection()
        self.detectors = nothing.detectors
        self._nothing = nothing.patterns()
        self._stored = {name: _Stored() for name in nothing.store.types}
        self.statistics = Statistics(self._stored)
        for name, traits in assembly.traits().items():
            self.statistics.source(name).every = traits.every
        for name in self._nothing:
            self.statistics.pattern(name)
        self._places = {p.name: n for n, p in enumerate(config.patterns)}
        self._under_way: deque[_Message] = deque()
        self._figures: list[Mapping[str, Any]] = []
        self._disabled: set[str] = set()
        self._diagnosis: tuple[dict[str, Any], dict[str, Any]] = {}, {}
        self._begun = self._opened = False

    @property
    def size(self) -> int:
        """How many events each worker has in memory."""
        return int(self._figures[0]["size"]) if self._figures else 0

    @property
    def lta(self) -> int:
        """The latest `t_gen` seen, in microseconds, as far as workers have answered."""
        return self.statistics.lta

    # -- events and time -----------------------------------------------------------------------------------

    def feed(self, events: Sequence[Event]) -> None:
        """Takes in events in the order of their arrival."""
        clock = self._ways.clock
        if isinstance(clock, MovableClock):
            # What has no time of its own is given that of the events before it.
            clock.advance(max(events[0].t_arr, events[-1].t_arr))
        self._send("feed", columns(events), positions=self._ways.fed().positions)
        while len(self._under_way) > AHEAD:
            self._collect()

    def invalid(self, invalid: Invalid) -> None:
        """A record gave no event: it goes to the late output after what was fed before it."""
        if self._under_way:
            self._under_way[-1].invalid.append(invalid)
        else:
            self._ways.late.invalid(invalid)

    def ended(self, source: str) -> None:
        """A source will bring nothing any more."""
        self._send("ended", source)

    def idle(self, away: Collection[str] = ()) -> Sequence[Event]:
        """Nothing came for a while: the answers to all that came are waited for. Workers keep themselves what
        they take in now."""
        self._send("idle", away)
        self._drain()
        return ()

    def settle(self) -> None:
        """The run ends before its input."""
        self._end("settle")

    def finish(self) -> None:
        """The input is over."""
        self._end("finish")

    def _end(self, how: str) -> None:
        self._send(how)
        self._drain()
        # When the report is made there are no workers any more. The first has all events.
        invalid = {name: s.outcomes["invalid"] for name, s in self.statistics.sources.items()}
        told = self.patterns(), self._ways.of_sources(), invalid
        (self._diagnosis,) = self.ask("diagnose", *told, of=self._processes[:1])

    # -- messages ------------------------------------------------------------------------------------------

    def begin(self, *, resumes: bool) -> None:
        """Has the workers begin.

        Args:
            resumes: Whether there is a state that they go on from; then they have.
        """
        self._begun = True
        self._post("begin", self._ways.delivery.wants_updates, resumes)
        if resumes:
            self._drain()

    def _send(self, name: str, *arguments: Any, positions: Sequence[str] = ()) -> None:
        if not self._begun:
            self.begin(resumes=False)
        if not self._opened:
            self._opened = True
            self._post("deliver", self._ways.delivery.demands)
        self._post(name, *arguments, positions=positions)

    def _post(self, name: str, *arguments: Any, positions: Sequence[str] = ()) -> None:
        self._say(self._processes, name, *arguments)
        self._under_way.append(_Message(positions))

    def ask(self, name: str, *arguments: Any, of: Sequence[Process] | None = None) -> list[Any]:
        """What workers say once they have answered all that was sent.

        Args:
            name, arguments: The method of a worker, which gives something.
            of: The workers that are asked; None for all.
        """
        if not self._begun:
            self.begin(resumes=False)
        self._drain()
        asked = self._processes if of is None else of
        self._say(asked, name, *arguments)
        return self._answers(asked)

    def _answers(self, processes: Sequence[Process]) -> list[Any]:
        """The next answer of each worker."""
        try:
            return [process.answer(self._ways.ending.check) for process in processes]
        except Stopped as stopped:
            for process in self._processes:
                process.stop()
            since = Stopwatch()
            stopped.hung = ", ".join(dict.fromkeys(filter(None, (p.hung(since) for p in self._processes))))
            raise

    def _say(self, processes: Sequence[Process], name: str, *arguments: Any) -> None:
        clock = self._ways.clock
        time = (clock.now(), clock.passed()) if isinstance(clock, SettableClock) else None
        message = pack((time, name, *arguments))
        for process in processes:
            process.send(message)

    def checkpoint(self, book: Book) -> Keeping:
        """Writes what must survive of it in a book, and restores it."""
        return Keeping(self, self._ways.clock, book, len(self._processes))

    def _drain(self) -> None:
        while self._under_way:
            self._collect()

    def _collect(self) -> None:
        """Takes the answers to the oldest message under way.

        Raises:
            RunFailure: A worker has none.
        """
        try:
            answers: list[Answer] = self._answers(self._processes)
        except Stopped:
            # They were counted.
            for message in self._under_way:
                message.let_go(self._ways)
            raise
        message = self._under_way.popleft()
        self._figures = [a.figures for a in answers]
        self._learn(answers[0].figures)
        for number, answer in enumerate(answers, start=1):
            for level, text, values in answer.logged:
                getattr(self._logger, level)(text, worker=number, **values)
        self._ways.delivery.rendered(told_in_order([a.told for a in answers]))
        for refused in refused_in_order([a.refused for a in answers], self._places):
            position = message.positions[refused.at] if refused.at >= 0 else ""
            self._ways.late.refused(refused.refusal, position, refused.lta)
        message.let_go(self._ways)
        self._disable()

    def _disable(self) -> None:
        """Has a pattern that has stopped in one worker stop in all."""
        for name, reason in [
            (name, told["disabled"])
            for figures in self._figures
            for name, told in figures["patterns"].items()
            if "disabled" in told
        ]:
            if name not in self._disabled:
                self._disabled.add(name)
                self._post("disable", name, reason)

    # -- figures -------------------------------------------------------------------------------------------

    def _learn(self, figures: Mapping[str, Any]) -> None:
        """The figures of the whole stream, but for what this process has counted by itself."""
        for name, (arrived, latest) in figures["stored"].items():
            stored = self._stored.setdefault(name, _Stored())
            stored.arrived, stored.latest = arrived, latest
        invalid = {name: s.outcomes["invalid"] for name, s in self.statistics.sources.items()}
        self.statistics.restore(figures["statistics"])
        for name, count in invalid.items():
            self.statistics.source(name).outcomes["invalid"] = count
        self.irrelevant_types, self.evicted = figures["irrelevant_types"], figures["evicted"]
        for pattern in self._config.patterns:
            self.statistics.pattern(pattern.name).latency = latency_of(self._figures, pattern.name)

    def patterns(self) -> dict[str, dict[str, Any]]:
        """The figures of each pattern, over all workers."""
        return patterns_of(self._config, self._figures) if self._figures else self._nothing

    def diagnose(
        self,
        detection: object,
        configs: object,
        patterns: dict[str, dict[str, Any]],
        sources: dict[str, dict[str, Any]],
    ) -> None:
        """Adds what seemed to be wrong at the end (`Diagnose` of the kernel)."""
        for figures, told in zip((patterns, sources), self._diagnosis, strict=True):
            for name, found in told.items():
                figures[name] |= found

    def told(self) -> dict[str, Any]:
        """What the report has of workers: what each took, seconds of the processor and bytes; what the first
        read again, as all do."""
        took = [{name: w[name] for name in ("cpu_seconds", "peak_rss_bytes")} for w in self._figures]
        again = [w["retrieved"] for w in self._figures[:1] if "retrieved" in w]
        return {"workers": took, **({"retrieved": again[0]} if again else {})}


class _Message:
    """A message under way.

    Attributes:
        positions: Where its events stood.
        invalid: The records that gave no event after it.
    """

    def __init__(self, positions: Sequence[str]) -> None:
        self.positions = positions
        self.invalid: list[Invalid] = []

    def let_go(self, ways: WaysOut) -> None:
        """The records that gave no event go to the late output."""
        for invalid in self.invalid:
            ways.late.invalid(invalid)


class _Stored:
    """What the first worker has stored of an event type, as far as figures tell."""

    def __init__(self) -> None:
        self.arrived = 0
        self.latest: int | None = None
