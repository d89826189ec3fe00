"""The runner: a pipeline as one query of Spark."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import structlog

import limecep
from limecep.assembly import Assembly
from limecep.clock import Stopwatch, SystemClock
from limecep.errors import RunFailure
from limecep.memory import peak_rss
from limecep.output.outlets import Outlet
from limecep.state.fingerprint import differences, fingerprint
from limecep.statistics import OUTCOMES
from limecep_spark.batches import Batches
from limecep_spark.session import Session
from limecep_spark.work import Work
from limecep_spark.writing import Directory, Writing, is_folder, output_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.config.model import PipelineConfig
    from limecep.progress import Progress
    from limecep.registry import Registry
    from limecep_spark.config import SparkOptions

#: How often it is looked whether the run is to end, in seconds.
_GLANCE = 0.2


class SparkRunner:
    """Runs a pipeline on Spark (`limecep.contracts.runner`).

    Args:
        config: The pipeline.
        registry: The components there are.
        options: Those of the runner.
    """

    def __init__(self, config: PipelineConfig, registry: Registry, options: SparkOptions) -> None:
        self._config = config
        self._registry = registry
        self._options = options
        self._checkpoint = (config.root / options.checkpoint).absolute()
        self._logger = structlog.get_logger().bind(pipeline=config.name)
        self._stopping: Callable[[], bool] = lambda: False
        self._assembly = Assembly(config, registry, SystemClock(), self._logger, lambda: self._stopping())
        self._session: Session | None = None
        self._outlets: dict[int, Outlet] = {}
        self._sent: dict[str, int] = {s.name: 0 for s in config.sinks}
        self._sources: dict[str, Counter[str]] = {s.name: Counter() for s in config.sources}
        self._patterns: dict[str, Counter[str]] = {p.name: Counter() for p in config.patterns}
        self._seconds = 0.0
        self._batches = Batches()
        self._files: Counter[str] = Counter()

    def run(self, stop: Callable[[], bool], duration_seconds: float | None) -> None:
        """Runs it until its input ends, `stop()` says so, or time is up."""
        watch = Stopwatch()
        self._stopping = stop

        def asked() -> bool:
            return stop() or (duration_seconds is not None and watch.seconds >= duration_seconds)

        try:
            self._look()
            bell = self._claim()
            work, writing = self._prepare()
            self._session = Session(self._options, self._config.name)
            over, anew = (bell / "over").exists(), not (self._checkpoint / "offsets").exists()
            if self._query(work, writing, bell, asked) and not over:
                for source in self._config.sources if anew else ():
                    if not self._files[source.name]:
                        raise RunFailure(f"Spark found no file of source '{source.name}' ({source.channel})")
                # All was read: now time has passed for everything.
                (bell / "over").write_text("over\n")
                self._query(work, writing, bell, asked)
        finally:
            self._seconds = watch.seconds

    def _look(self) -> None:
        """Sees that there is something to read: Spark itself would wait for it."""
        for feed in self._assembly.feeds():
            try:
                feed.open()
            finally:
                feed.close()

    def _claim(self) -> Any:
        """Makes the checkpoint, or sees that it is this pipeline's; gives the folder of its bell."""
        bell, head = self._checkpoint / "bell", self._checkpoint / "pipeline.json"
        now = fingerprint(self._config, self._assembly.detectors())
        now["sources"] = [[s.name, s.channel] for s in self._config.sources]
        try:
            bell.mkdir(parents=True, exist_ok=True)
            if not head.exists():
                head.write_text(json.dumps(now))
            known = json.loads(head.read_text())
        except (OSError, ValueError) as error:
            raise RunFailure(f"the checkpoint {self._checkpoint} cannot be used: {error}") from None
        said = differences(known, now)
        if known["sources"] != now["sources"]:
            said.append("it has other sources")
        if said:
            raise RunFailure(
                f"the checkpoint {self._checkpoint} is that of another pipeline: {'; '.join(said)}. Undo the "
                "change, or use another checkpoint"
            )
        return bell

    def _prepare(self) -> tuple[Work, Writing]:
        folders: dict[int, Directory] = {}
        outputs = []
        for number, sink in enumerate(self._config.sinks):
            made = None
            if is_folder(sink):
                options = sink.connector.options
                folders[number] = Directory(self._config.root / options.root / sink.channel)
                folders[number].open()
            else:
                made = self._assembly.sink(sink)
                self._outlets[number] = Outlet(sink.name, made)
                self._outlets[number].open()
            output = output_of(number, sink, made)
            if output is not None:
                outputs.append(output)
        writing = Writing(folders, self._outlets, self._config.sinks, self._counted)
        self._sent = writing.sent
        specs = tuple(self._registry.specs())
        work = Work(config=self._config, specs=specs, outputs=tuple(outputs), room=self._options.live_bytes)
        return work, writing

    def _query(self, work: Work, writing: Writing, bell: Any, asked: Callable[[], bool]) -> bool:
        """Runs the query over what there is; says whether it came to the end."""
        from pyspark.errors import StreamingQueryException

        from limecep_spark.processor import KeyProcessor
        from limecep_spark.reading import rows
        from limecep_spark.rendering import RENDERED

        assert self._session is not None
        out = (
            rows(self._session.spark, work, self._options, bell)
            .groupBy("key")
            .transformWithState(
                statefulProcessor=KeyProcessor(work),
                outputStructType=RENDERED,
                outputMode="Append",
                timeMode="EventTime",
            )
        )
        query = (
            out.writeStream.foreachBatch(writing.batch)
            .queryName(self._config.name)
            .option("checkpointLocation", self._checkpoint.as_uri())
            .trigger(availableNow=True)
            .start()
        )
        try:
            while not query.awaitTermination(_GLANCE):
                self._batches.note(query.lastProgress)
                if asked():
                    query.stop()
                    return False
            for progress in query.recentProgress:
                self._batches.note(progress)
        except StreamingQueryException as error:
            raise RunFailure(f"Spark could not go on: {_said(error)}") from error
        return True

    def _counted(self, counts: dict[str, Any]) -> None:
        self._files.update(counts.get("files", {}))
        for name, outcomes in counts.get("sources", {}).items():
            self._sources[name].update(outcomes)
        for name, figures in counts.get("patterns", {}).items():
            self._patterns[name].update(figures)

    def progress(self) -> Progress | None:
        """None: Spark does not say how much there is."""
        return None

    def report(self) -> dict[str, Any]:
        """The accounting of this run. An event counts once for each way of partitioning that it concerns."""
        total: Counter[str] = Counter()
        for outcomes in self._sources.values():
            total.update(outcomes)
        read = total.total()
        always = dict.fromkeys(("emitted", "corrected", "retracted", "live"), 0)
        return {
            "events": {"read": read, **{o: total[o] for o in reversed(OUTCOMES)}},
            "patterns": {name: {**always, **figures} for name, figures in self._patterns.items()},
            "sources": {n: {"read": c.total(), **c} for n, c in self._sources.items()},
            "sinks": {
                name: {"records": n, **self._assembly.counters.get(f"sinks.{name}", {})}
                for name, n in self._sent.items()
            },
            "statistics": {},
            "spark": {"files": dict(self._files), **self._batches.report()},
            "seconds": round(self._seconds, 6),
            "events_per_second": round(read / self._seconds, 1) if self._seconds else 0.0,
            "peak_rss_bytes": peak_rss(),
            "version": limecep.__version__,
        }

    def close(self) -> None:
        """Closes the sinks, and stops Spark if it was started for this. May be called twice."""
        try:
            for outlet in self._outlets.values():
                outlet.close()
        finally:
            if self._session is not None:
                self._session.close()


def _said(error: Exception) -> str:
    """What went wrong, out of what Spark makes of it: the last line that a worker said."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    named = [line for line in lines if line.startswith("limecep.errors.")]
    return (named or lines)[0].removeprefix("limecep.errors.")
