"""In the workers: a table that is there as a whole, some of its keys from the first event to the last."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from limecep.embedding.pipelines import decode, encode, late_record
from limecep.model.event import event_in, event_out
from limecep_spark_runner.groups import group_of
from limecep_spark_runner.refusals import Refusals
from limecep_spark_runner.sinks.rendering import Rendering
from limecep_spark_runner.statements import Versions, revising, unversioned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyspark.sql import DataFrame

    from limecep.embedding.pipelines import PipelineConfig
    from limecep.model.event import Event
    from limecep.model.update import Update
    from limecep.output.record import Record
    from limecep_spark_runner.sources.rows import Tables
    from limecep_spark_runner.work import Work

#: What came to a key, and when; a record of the late output has none.
_SPREAD = pa.schema([("key", pa.string()), ("arrived", pa.int64()), ("body", pa.binary())])
SPREAD = "key string, arrived long, body binary"
_ASIDE = ""
_MADE = pa.schema([("sink", pa.int32()), ("value", pa.string())])


def over_all(work: Work, tables: Tables) -> DataFrame:
    """What goes out of a table, as rows for sinks.

    Keys are divided among tasks; each runs the patterns once over all that concerns its keys, by arrival.
    """
    from limecep_spark_runner.sinks.rendering import RENDERED

    spread = tables.frame.mapInArrow(Spread(work, tables).rows, SPREAD)
    # Ties in one order, whatever came first over the network.
    ordered = spread.repartition("key").sortWithinPartitions("arrived", "body")
    return ordered.mapInArrow(Whole(work).rows, RENDERED)


class Spread:
    """Gives each key its events.

    Args:
        work: The pipeline.
        tables: How rows are read.
    """

    def __init__(self, work: Work, tables: Tables) -> None:
        self._work = work
        self._tables = tables

    def rows(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows for keys, of rows of the table."""
        groups = self._work.groups
        for fed, arrivals in self._tables.pieces(batches, Counter()):
            rows: list[tuple[str, int, bytes]] = []
            for i in fed.invalid:
                late = late_record("invalid", source=i.source, position=i.position, raw=i.raw, error=i.error)
                rows.append((_ASIDE, 0, encode(late)))
            for event, position, arrived in zip(fed.events, fed.positions, arrivals, strict=True):
                keys = [key for group in groups if (key := group.key(event)) is not None]
                if keys:
                    body = encode([event_out(event), position])
                    rows += [(key, arrived, body) for key in keys]
            yield _table(rows, _SPREAD)


class Whole:
    """Runs the patterns.

    Args:
        work: The pipeline.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    def rows(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows for sinks, of rows for keys in the order of arrival."""
        rendering = Rendering(self._work)
        runs = [_Run(group.config, self._work) for group in self._work.groups]
        for batch in batches:
            columns: list[list[Any]] = [batch.column(name).to_pylist() for name in ("key", "body")]
            came: list[list[Any]] = [[] for _ in runs]
            late: list[Record] = []
            for key, body in zip(*columns, strict=True):
                if key == _ASIDE:
                    late.append(decode(body))
                else:
                    came[group_of(key)].append(decode(body))
            for run, bodies in zip(runs, came, strict=True):
                run.feed([event_in(event) for event, _ in bodies], [position for _, position in bodies])
            yield _made(rendering, late, runs)
        for run in runs:
            run.finish()
        yield _made(rendering, [], runs)


class _Run:
    """The patterns of one group, from the first event to the last.

    Attributes:
        updates: What is to go out.
        refusals: The late output.
    """

    def __init__(self, config: PipelineConfig, work: Work) -> None:
        self.updates: list[Update] = []
        self.refusals = Refusals()
        self._versions = Versions(unversioned(config))
        self._detection = work.assembly(config).detection(
            self.updates.append, self.refusals.take, sources=revising(config)
        )

    def feed(self, events: Sequence[Event], positions: Sequence[str]) -> None:
        """Takes in events in the order of their arrival."""
        self.refusals.reading(events, positions)
        self._versions.number(events)
        if events:
            self._detection.feed(events)

    def finish(self) -> None:
        """Time has passed for everything."""
        self._detection.finish()


def _made(rendering: Rendering, late: Sequence[Record], runs: Sequence[_Run]) -> pa.RecordBatch:
    """All that is to go out now."""
    rows = list(rendering.late(late))
    for run in runs:
        rows += rendering.updates(run.updates)
        rows += rendering.late(run.refusals.records)
        run.updates.clear()
        run.refusals.records.clear()
    return _table(rows, _MADE)


def _table(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.RecordBatch:
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(c, field.type) for c, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
