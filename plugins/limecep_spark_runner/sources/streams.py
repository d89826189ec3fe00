"""What Spark reads itself: files of a format, tables, and whatever else is a stream to it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from limecep_spark.frames import message_column, read, taken
from limecep_spark_runner.sources.rows import Tables

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from limecep.embedding.pipelines import SourceConfig
    from limecep_spark_runner.config import SparkOptions
    from limecep_spark_runner.sources.contract import Piece
    from limecep_spark_runner.work import Work

#: An order of whole rows, which no stream can have; events are put in order in any case.
_ORDER = re.compile(r"\s+ORDER\s+BY\s+(?!.*\b(LIMIT|OFFSET)\b)[\w.`, ]+$", re.IGNORECASE)


class Streams:
    """Reads a source of type `spark` as a stream, which ends if the source is none
    (`limecep_spark_runner.sources.contract`).

    Args:
        work: The pipeline.
        source: The source.
    """

    def __init__(self, work: Work, source: SourceConfig) -> None:
        self._work = work
        self._source = source
        self._tables: Tables | None = None

    def look(self) -> None:
        """Spark says itself what is not there."""

    def raw(self, spark: SparkSession, options: SparkOptions) -> DataFrame:
        """Rows as they come."""
        settings, connector = self._source.settings, self._source.connector.options
        # Files that are much older than others are not to be passed over.
        given = {"maxFileAge": "365000d", **connector.options}
        if options.files_per_batch:
            given.setdefault("maxFilesPerTrigger", options.files_per_batch)
        if options.records_per_batch and connector.format == "kafka":
            given.setdefault("maxOffsetsPerTrigger", options.records_per_batch)
        frame = read(
            spark,
            self._source.channel,
            replace(settings, stream=True),
            replace(connector, options=given),
            self._work.config.root,
        )
        select = settings.select if settings.stream else _ORDER.sub("", settings.select.rstrip())
        tables = Tables(self._work, self._source, taken(frame, select), message_column(settings, connector))
        tables.streams = settings.stream
        self._tables = tables
        return tables.frame

    def pieces(self, batches: Iterable[pa.RecordBatch], counts: Counter[str]) -> Iterator[Piece]:
        """What is in rows."""
        assert self._tables is not None
        return self._tables.pieces(batches, counts)
