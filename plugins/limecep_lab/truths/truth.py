"""What there is to be found: the kernel over events in order, each key by itself."""

from __future__ import annotations

import glob
from collections import Counter
from functools import reduce
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from limecep.embedding.pipelines import FOREVER, decode, match_record, rfc3339
from limecep.encoding import to_json
from limecep.errors import ConfigurationError, RunFailure
from limecep.model.event import event_in
from limecep.problems import Problem
from limecep_lab.truths.reference import in_order
from limecep_lab.truths.rows import ORDER, SORTED, Rows, TableReader, check_table
from limecep_spark_runner.groups import group_of
from limecep_spark_runner.sources.files import Files
from limecep_spark_runner.turns import Kernel
from limecep_spark_runner.work import Work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.accumulators import Accumulator
    from pyspark.sql import DataFrame, SparkSession

    from limecep.embedding.pipelines import PatternConfig, PipelineConfig, Registry, SourceConfig
    from limecep.model.event import Event
    from limecep.model.update import Update

#: A match: its pattern and key, what it is (`content`, as in change logs), its times, and the ids of its
#: events by variable. `detected` is when it can first be told, were there no disorder.
TRUTH = (
    "pattern string, key string, content string, start string, end string, detected string, "
    "events map<string, array<string>>"
)
_TRUTH = pa.schema(
    [
        *((name, pa.string()) for name in ("pattern", "key", "content", "start", "end", "detected")),
        ("events", pa.map_(pa.string(), pa.list_(pa.string()))),
    ]
)
#: How many events the kernel is given at a time, and matches Spark.
_BATCH_ROWS = 4096


class Truth:
    """The matches of a pipeline on its events in order.

    Args:
        spark: The session.
        config: The pipeline.
        registry: The components there are.

    Raises:
        ConfigurationError: A policy that is needed is not there, or a pattern derives events.
    """

    def __init__(self, spark: SparkSession, config: PipelineConfig, registry: Registry) -> None:
        for pattern in config.patterns:
            if pattern.derives is not None:
                said = f"pattern '{pattern.name}' derives events: the truth is looked for pattern by pattern"
                hint = "run the pipeline with the runner local on the ordered stream: what is net is true"
                raise ConfigurationError([Problem(code="no-recording", message=said, hint=hint)])
        self._spark = spark
        self._work = Work(config=in_order(config, registry), specs=tuple(registry.specs()), outputs=())
        self._found = spark.sparkContext.accumulator(0)
        self._left_out = spark.sparkContext.accumulator(0)

    @property
    def found(self) -> int:
        """How many matches there were, once they were asked for."""
        return int(self._found.value)

    @property
    def left_out(self) -> int:
        """How many records gave no event, or one from the future, once matches were asked for."""
        return int(self._left_out.value)

    def of_sources(self) -> DataFrame:
        """The matches on the pipeline's sources, which are files, of the columns of `TRUTH`.

        Raises:
            ConfigurationError: A source has no files.
        """
        return self._matches(
            reduce(lambda one, other: one.unionByName(other), map(self._events, self._work.config.sources))
        )

    def _events(self, source: SourceConfig) -> DataFrame:
        files = _files(source, self._work.config)
        frame = self._spark.createDataFrame([(path,) for path in files], "path string")
        reader = _FileReader(self._work, source, self._left_out)
        return frame.repartition(len(files)).mapInArrow(reader.events, SORTED)

    def of_table(self, events: DataFrame) -> DataFrame:
        """The matches on a table such as `generate` gives, of the columns of `TRUTH`.

        Args:
            events: The table, with the columns `id`, `type` and `t_gen`. An event is of the pipeline's source
                that `source` names, or of the only one. The other columns are attributes.

        Raises:
            ConfigurationError: It has no such columns, or others that can be no attributes.
        """
        check_table(events.dtypes)
        return self._matches(events.mapInArrow(TableReader(self._work).events, SORTED))

    def _matches(self, events: DataFrame) -> DataFrame:
        return (
            events.repartition("key")
            .sortWithinPartitions("key", *ORDER)
            .select("key", "body")
            .mapInArrow(_Finder(self._work, self._found).matches, TRUTH)
        )


def _files(source: SourceConfig, config: PipelineConfig) -> list[str]:
    """The files of a source.

    Raises:
        ConfigurationError: It is none of files, or there are none.
    """
    if source.revise is not None:
        said = f"source '{source.name}' revises events: here the first record about one would count"
        hint = "run the pipeline with the runner local: what is net at its end is true"
        raise ConfigurationError([Problem(code="no-recording", message=said, hint=hint)])
    if source.connector.spec.name != "file" or source.live or source.channel == "-":
        said = f"source '{source.name}' is no recording: matches are looked for in files"
    else:
        root = (config.root / source.connector.options.root).absolute()
        if (root / source.channel).exists() or not glob.has_magic(source.channel):
            names = [source.channel]
        else:
            names = sorted(glob.glob(source.channel, root_dir=root, recursive=True))
        found = [str(root / name) for name in names if (root / name).is_file()]
        if found:
            return found
        said = f"there is no file of source '{source.name}' ({source.channel})"
    hint = f"name a recording of it: --set sources.{source.name}.channel=FILE"
    raise ConfigurationError([Problem(code="no-recording", message=said, hint=hint)])


class _FileReader:
    """In the workers: files of a source to rows that can be sorted."""

    def __init__(self, work: Work, source: SourceConfig, left_out: Accumulator[int]) -> None:
        self._work = work
        self._source = source
        self._left_out = left_out

    def events(self, files: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """A row for each event and key that it concerns."""
        rows = Rows(self._work)
        skew = FOREVER if self._source.max_future_skew is None else self._source.max_future_skew
        for fed, _ in Files(self._work, self._source).pieces(files, Counter()):
            kept = [e for e in fed.events if e.t_gen <= e.t_arr + skew]
            self._left_out.add(len(fed.invalid) + len(fed.events) - len(kept))
            yield from rows.of(kept)


class _Finder:
    """In the workers: the events of one key after those of another, each in order, to matches."""

    def __init__(self, work: Work, found: Accumulator[int]) -> None:
        self._work = work
        self._found = found

    def matches(self, rows: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows of `TRUTH`.

        Raises:
            RunFailure: A pattern has more matches than its `max_per_end` allows: they are not all there.
        """
        kernels = [Kernel(group.config, self._work) for group in self._work.groups]
        found: list[tuple[Any, ...]] = []
        for key, pairs in groupby(_pairs(rows), key=itemgetter(0)):
            kernel = kernels[group_of(key)]
            for _ in _fed(kernel, (event_in(decode(body)) for _, body in pairs), found):
                if len(found) >= _BATCH_ROWS:
                    yield self._batch(found)
        if found:
            yield self._batch(found)

    def _batch(self, found: list[tuple[Any, ...]]) -> pa.RecordBatch:
        self._found.add(len(found))
        arrays = [pa.array(c, t.type) for c, t in zip(zip(*found, strict=True), _TRUTH, strict=True)]
        found.clear()
        return pa.RecordBatch.from_arrays(arrays, schema=_TRUTH)


def _pairs(rows: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, bytes]]:
    for batch in rows:
        yield from zip(batch.column("key").to_pylist(), batch.column("body").to_pylist(), strict=True)


def _fed(kernel: Kernel, events: Iterator[Event], found: list[tuple[Any, ...]]) -> Iterator[None]:
    """Has a detection of its own look at the events of a key; what it finds is there by and by."""
    kernel.clock.begin()
    patterns = {p.name: p for p in kernel.config.patterns}

    def deliver(update: Update) -> None:
        found.append(_row(update, patterns[update.pattern]))

    detection = kernel.assembly.detection(deliver)
    while batch := list(islice(events, _BATCH_ROWS)):
        for event in batch:
            event.t_arr = event.t_gen
        detection.feed(batch)
        # A source that has ended holds nothing back.
        detection.advance(batch[-1].t_gen - 1)
        yield
    detection.finish()
    yield
    for label, counters in kernel.assembly.counters.items():
        if counters["truncated"]:
            raise RunFailure(
                f"pattern '{label.partition('.')[2]}' has more matches than are looked for at one end event: "
                "give its results a larger 'max_per_end'"
            )


def _row(update: Update, pattern: PatternConfig) -> tuple[Any, ...]:
    """A match as a row of `TRUTH`."""
    match = update.match
    record = match_record(update.pattern, update.key, match)
    filled = max(n for n, group in enumerate(match.groups) if len(group))
    waits = any(n.after > filled for n in match.alternative.negations)
    # What is picked among matches that wait is known when all of them are.
    last = match.start if pattern.pick in (None, "first") else match.end
    told = last.t_gen + pattern.pattern.within if waits else match.end.t_gen
    return (
        record["pattern"],
        None if record["key"] is None else to_json(record["key"]).decode(),
        record["content"],
        record["start"],
        record["end"],
        rfc3339(told),
        [(name, [e["id"] for e in group]) for name, group in record["events"].items()],
    )
