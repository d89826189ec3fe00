"""The runner: a pipeline as one query of Spark."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import structlog

import limecep
from limecep.clock import Stopwatch, SystemClock
from limecep.config.units import duration
from limecep.embedding.pipelines import (
    OUTCOMES,
    Assembly,
    ComponentConfig,
    Outlet,
    RunEnd,
    SinkConfig,
    differences,
    fingerprint,
    peak_rss,
    returned_kinds,
)
from limecep.errors import RunFailure
from limecep_spark.failures import reason
from limecep_spark.row_sinks import RowSink
from limecep_spark.session import Session, kafka_package
from limecep_spark_runner.batches import Batches
from limecep_spark_runner.config import AVAILABLE
from limecep_spark_runner.sinks.writers import Native, Writing, native, output_of
from limecep_spark_runner.sources.kinds import readings
from limecep_spark_runner.work import Output, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pyspark.sql import DataFrame
    from pyspark.sql.streaming import StreamingQuery

    from limecep.embedding.pipelines import PipelineConfig, Progress, Registry
    from limecep_spark_runner.config import SparkOptions

#: How often it is looked whether the run is to end, in seconds.
_GLANCE_SECONDS = 0.2
#: How long the batch in the making may take once the run is to end, in seconds; it is done again then.
_PARTING_SECONDS = 60.0
#: How long a sink may wait for its broker then, in seconds: less, so that it says what it did not take.
_WAITING_SECONDS = 5.0
#: How Spark says that there is one.
_BUSY = ("Processing", "No new data")


class SparkRunner:
    """Runs a pipeline on Spark (`limecep.contracts.runner`).

    Args:
        config: The pipeline.
        registry: The components there are.
        options: Those of the runner.
        each_batch: Is given the updates of each batch, as the columns of `limecep_spark.records`, and its
            number: as well as the sinks are. After a crash it may be given a batch once more.
    """

    def __init__(
        self,
        config: PipelineConfig,
        registry: Registry,
        options: SparkOptions,
        each_batch: Callable[[DataFrame, int], object] | None = None,
    ) -> None:
        # Workers are somewhere else.
        config = replace(config, root=config.root.absolute())
        self._function = None if each_batch is None else RowSink(each_batch, "full", returned_kinds(config))
        if each_batch is not None:
            # It has a place among the sinks.
            spec = registry.find("sink", "none")
            assert spec is not None
            place = SinkConfig(
                name="each_batch", connector=ComponentConfig(spec=spec, options=spec.options())
            )
            config = replace(config, sinks=(*config.sinks, place))
        self._config = config
        self._registry = registry
        self._options = options
        self._checkpoint = config.root / options.checkpoint
        self._logger = structlog.get_logger().bind(pipeline=config.name)
        self._ending = RunEnd(_WAITING_SECONDS)
        self._assembly = Assembly(config, registry, SystemClock(), self._logger, self._ending)
        self._session: Session | None = None
        self._outlets: dict[int, Outlet] = {}
        self._sent: dict[str, int] = {s.name: 0 for s in config.sinks}
        self._sources: dict[str, Counter[str]] = {s.name: Counter() for s in config.sources}
        self._withdrawals: dict[str, Counter[str]] = {s.name: Counter() for s in config.sources}
        self._patterns: dict[str, Counter[str]] = {p.name: Counter() for p in config.patterns}
        self._seconds = 0.0
        self._batches = Batches()
        self._read: dict[str, Counter[str]] = {s.name: Counter() for s in config.sources}

    def run(self, stop: Callable[[], bool] = lambda: False, duration_seconds: float | None = None) -> None:
        """Runs it until its input ends, `stop()` says so, or time is up."""
        watch = Stopwatch()
        # Sinks that wait for a broker look at it, too.
        self._ending.stop = stop
        self._ending.give(duration_seconds)
        specs = tuple(self._registry.specs())
        try:
            for reading in readings(Work(config=self._config, specs=specs, outputs=())):
                reading.look()
            bell = self._claim()
            outputs, writing = self._prepare()
            work = Work(config=self._config, specs=specs, outputs=outputs, buckets=self._options.buckets)
            self._session = Session(
                self._options, self._config.name, self._packages(), partitions=self._options.partitions
            )
            self._ending.start()
            self._follow(work, writing, bell, self._ending.asked)
        finally:
            self._seconds = watch.seconds

    def _packages(self) -> list[str]:
        """What Spark needs besides itself."""
        connectors = [s.connector for s in self._config.sources]
        connectors += [s.connector for s in self._config.sinks]
        named = {c.options.format if c.spec.name == "spark" else c.spec.name for c in connectors}
        return [kafka_package()] if "kafka" in named else []

    def _follow(self, work: Work, writing: Writing, bell: Path, asked: Callable[[], bool]) -> None:
        """Runs the query to the end of the input, if there is one; else until it is asked to end."""
        live = any(s.live for s in self._config.sources)
        over, anew, ended = (bell / "over").exists(), self._anew, self._checkpoint / "ended"
        if ended.exists():
            self._logger.warning(
                "the input of this checkpoint is over: what came since is late for everything; to read all "
                "anew use another checkpoint",
                checkpoint=str(self._checkpoint),
            )
        elif over:
            # A run was killed as it ended. Spark does nothing where nothing came, even if time has passed.
            _write(bell / f"over-{len(list(bell.iterdir()))}", "over\n")
        if not self._query(work, writing, bell, asked) or live:
            return
        if over:
            _write(ended, "ended\n")
            return
        for source in self._config.sources if anew else ():
            if source.connector.spec.name == "file" and not self._read[source.name]["files"]:
                raise RunFailure(f"Spark found no file of source '{source.name}' ({source.channel})")
        # All was read: now time has passed for everything.
        _write(bell / "over", "over\n")
        if self._query(work, writing, bell, asked):
            _write(ended, "ended\n")

    @property
    def _anew(self) -> bool:
        """Whether no batch of the checkpoint was begun."""
        return not (self._checkpoint / "offsets").exists()

    def _claim(self) -> Path:
        """Makes the checkpoint, or sees that it is this pipeline's; gives the folder of its bell."""
        bell, head = self._checkpoint / "bell", self._checkpoint / "pipeline.json"
        now = fingerprint(self._config, self._assembly.detectors())
        # Where events are revised, the id tells to which keys they go.
        now["sources"] = [[s.name, s.channel, *(s.id if s.revise else ())] for s in self._config.sources]
        now["buckets"] = self._options.buckets
        try:
            bell.mkdir(parents=True, exist_ok=True)
            if not head.exists():
                _write(head, json.dumps(now))
            known = json.loads(head.read_text())
        except OSError as error:
            raise RunFailure(f"the checkpoint {self._checkpoint} cannot be used: {error}") from None
        except ValueError:
            known = None
        if not isinstance(known, dict) or not known.keys() >= {"patterns", "ordered", "sources", "buckets"}:
            raise RunFailure(
                f"the checkpoint {self._checkpoint} is damaged, or is none of limecep's: look at {head}, "
                "or use another checkpoint"
            )
        said = differences(known, now)
        if known["sources"] != now["sources"]:
            said.append("it has other sources")
        if known["buckets"] != now["buckets"]:
            said.append(f"its keys are in {known['buckets']} buckets, not {now['buckets']}")
        if said:
            raise RunFailure(
                f"the checkpoint {self._checkpoint} is that of another pipeline: {'; '.join(said)}. Undo the "
                "change, or use another checkpoint"
            )
        return bell

    def _prepare(self) -> tuple[tuple[Output, ...], Writing]:
        """Opens the sinks; gives what is made for them, and what hands it out."""
        natives: dict[int, Native] = {}
        outputs: list[Output | None] = []
        for number, sink in enumerate(self._config.sinks):
            last = number + 1 == len(self._config.sinks)
            own = self._function if last and self._function else native(sink, self._config, self._anew)
            if own is not None:
                own.open()
                natives[number] = own
                outputs.append(Output(sink=number, form=own.form, events=sink.events))
            else:
                made = self._assembly.sinks.sink(sink)
                self._outlets[number] = Outlet(sink.name, made)
                self._outlets[number].open()
                outputs.append(output_of(number, sink, made))
        writing = Writing(natives, self._outlets, self._config.sinks, self._counted)
        self._sent = writing.sent
        return tuple(o for o in outputs if o is not None), writing

    @property
    def _trigger(self) -> dict[str, Any]:
        """When batches are made, in Spark's words."""
        every = self._options.trigger
        if every == AVAILABLE or not any(s.live for s in self._config.sources):
            return {"availableNow": True}
        return {"processingTime": f"{duration(every)} microseconds"}

    def _query(self, work: Work, writing: Writing, bell: Path, asked: Callable[[], bool]) -> bool:
        """Runs the query over what there is; says whether it came to the end."""
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        try:
            query = self._start(work, writing, bell)
            while not query.awaitTermination(_GLANCE_SECONDS):
                self._batches.note(query.lastProgress)
                if asked():
                    self._stop(query)
                    return False
            for progress in query.recentProgress:
                self._batches.note(progress)
        except (PySparkException, Py4JError) as error:
            raise RunFailure(f"Spark could not go on: {reason(error)}") from error
        return True

    def _start(self, work: Work, writing: Writing, bell: Path) -> StreamingQuery:
        from limecep_spark_runner.processor import BucketProcessor
        from limecep_spark_runner.sinks.rendering import RENDERED
        from limecep_spark_runner.sources.union import rows

        assert self._session is not None
        out = (
            rows(self._session.spark, work, self._options, readings(work), bell)
            .groupBy("bucket")
            .transformWithState(
                statefulProcessor=BucketProcessor(work),
                outputStructType=RENDERED,
                outputMode="Append",
                timeMode="EventTime",
            )
        )
        return (
            out.writeStream.foreachBatch(writing.batch)
            .queryName(self._config.name)
            .option("checkpointLocation", f"file://{self._checkpoint}")
            .trigger(**self._trigger)
            .start()
        )

    def _stop(self, query: StreamingQuery) -> None:
        """Stops a query when the batch in the making is done, so that all that went out is committed."""
        last, watch = self._batches.last, Stopwatch()
        while (
            query.isActive and query.status["message"].startswith(_BUSY) and watch.seconds < _PARTING_SECONDS
        ):
            query.awaitTermination(_GLANCE_SECONDS / 4)
            self._batches.note(query.lastProgress)
            if self._batches.last != last:
                break
        query.stop()

    def _counted(self, counts: dict[str, Any]) -> None:
        self._batches.keys(counts.get("keys", {}))
        for name, read in counts.get("read", {}).items():
            self._read[name].update(read)
        for name, outcomes in counts.get("sources", {}).items():
            self._sources[name].update(outcomes)
        for name, unmet in counts.get("withdrawals", {}).items():
            self._withdrawals[name].update(unmet)
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
            "sources": {
                n: {"read": c.total(), **c, **_changes(self._read[n]), **+self._withdrawals[n]}
                for n, c in self._sources.items()
            },
            "sinks": {
                name: {"records": n, **self._assembly.counters.get(f"sinks.{name}", {})}
                for name, n in self._sent.items()
            },
            "statistics": {},
            "spark": {
                "read": {name: dict(counts) for name, counts in self._read.items()},
                **self._batches.report(),
            },
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


def _changes(read: Mapping[str, int]) -> dict[str, int]:
    """What was counted of changes of the clocks."""
    return {name: n for name, n in read.items() if name.endswith("_times")}


def _write(file: Path, text: str) -> None:
    """Writes a file that a crash leaves whole, or out. Spark passes over names that begin with a dot."""
    new = file.with_name(f".{file.name}")
    new.write_text(text)
    new.replace(file)
