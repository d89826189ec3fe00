"""Rows: Spark has read them, and they are records, or hold messages for a codec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import Fed, absent
from limecep.errors import RunFailure
from limecep_spark.frames import Rows, Shape
from limecep_spark_runner.sources.contract import Piece
from limecep_spark_runner.vetting import by_place, in_order

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame

    from limecep.contracts.source import Message
    from limecep.embedding.pipelines import Batch, SourceConfig
    from limecep_spark_runner.work import Work


class Tables:
    """Reads the rows of a DataFrame. Where no arrival is named, rows of a table arrive when their events
    happened; those of a stream arrive with their micro-batch, in the order in which their events happened. As
    rows that revise events they arrive in the order of the rows, which may say which of them counts.

    Args:
        work: The pipeline.
        source: The source.
        frame: The rows.
        message: The column that holds messages; none: each row is a record.

    Attributes:
        streams: Whether the rows are those of a stream.

    Raises:
        RunFailure: The pipeline names columns that are not there, or reads times by the order of rows.
    """

    def __init__(self, work: Work, source: SourceConfig, frame: DataFrame, message: str) -> None:
        from pyspark.sql import functions as f

        try:
            shape = Shape(frame, message)
        except ValueError as error:
            raise RunFailure(f"source '{source.name}': {error}") from None
        if shape.fields is not None and (said := absent(source, shape.fields)):
            raise RunFailure(f"source '{source.name}': {said}")
        ordered = [*in_order(source), *(() if frame.isStreaming else by_place(source))]
        for _, said, hint in ordered:
            raise RunFailure(f"source '{source.name}': {said}, which rows do not have: {hint}")
        self._work = work
        self._source = source
        self._columns = shape.columns
        self.streams = frame.isStreaming
        # The same time when a micro-batch is done again.
        self._frame: DataFrame | None = shape.frame.withColumn("now", f.unix_micros(f.current_timestamp()))

    @property
    def frame(self) -> DataFrame:
        """What the workers read."""
        assert self._frame is not None
        return self._frame

    def pieces(self, batches: Iterable[pa.RecordBatch], counts: Counter[str]) -> Iterator[Piece]:
        """What is in rows (`limecep_spark_runner.sources.contract`)."""
        from pyspark import TaskContext

        task = TaskContext.get()
        reader = self._work.assembly().reader(self._source)
        part = 0 if task is None else task.partitionId()
        messages = _Messages(self._columns, self._source.channel, part, self.streams)
        for batch in batches:
            counts["rows"] += batch.num_rows
            yield self._piece(reader.read(messages.of(batch)))
        yield self._piece(reader.finish())
        counts.update(reader.changes)

    def _piece(self, read: Batch) -> Piece:
        if self._source.arrival is not None or (self.streams and self._source.revise is not None):
            arrivals = [e.t_arr for e in read.events]
        else:
            arrivals = [e.t_gen for e in read.events]
            if not self.streams:
                for event in read.events:
                    event.t_arr = event.t_gen
        return Piece(Fed(read.events, read.positions, read.invalid), arrivals)

    def __getstate__(self) -> dict[str, Any]:
        # The frame stays on the driver.
        return self.__dict__ | {"_frame": None}


class _Messages:
    """Makes messages of batches of rows, one after the other."""

    def __init__(self, columns: list[str], channel: str, part: int, streams: bool) -> None:
        self._columns = [*columns, "now"]
        self._rows = Rows(columns, channel, placed=True)
        self._part = f"{channel}/{part}"
        self._streams = streams
        self._number = 0

    def of(self, batch: pa.RecordBatch) -> list[Message]:
        columns: list[list[Any]] = [batch.column(name).to_pylist() for name in self._columns]
        messages = []
        for *row, now in zip(*columns, strict=True):
            self._number += 1
            log, place = (
                self._rows.place(row, 0, self._number) if self._rows.placed else (self._part, self._number)
            )
            messages.append(self._rows.message(row, f"{log}:{place}", now if self._streams else None))
        return messages
