"""Topics of Kafka: Spark's own connector brings records as they are, and the workers decode them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.source import Message
from limecep.embedding.pipelines import Fed
from limecep.errors import RunFailure
from limecep_spark_runner.kafka_settings import settings
from limecep_spark_runner.sources.contract import Piece

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from limecep.embedding.pipelines import Batch, SourceConfig
    from limecep_spark_runner.config import SparkOptions
    from limecep_spark_runner.work import Work

#: Who gave a record its time stamp, as Spark has it.
_NOBODY = -1
_BROKER = 1


class Topics:
    """Reads a topic, or those that a regular expression matches (`limecep_spark_runner.sources.contract`).

    Args:
        work: The pipeline.
        source: The source.
    """

    def __init__(self, work: Work, source: SourceConfig) -> None:
        self._work = work
        self._source = source

    def look(self) -> None:
        """The brokers are asked by Spark."""

    def raw(self, spark: SparkSession, options: SparkOptions) -> DataFrame:
        """Records as the broker has them, with the time of the batch they came in: it is the same when that
        is done again."""
        from pyspark.sql import functions as f

        reader = spark.readStream.format("kafka").option("includeHeaders", "true")
        for key, value in (self._where() | settings(self._source.connector.options, "source")).items():
            reader = reader.option(key, value)
        if options.records_per_batch:
            reader = reader.option("maxOffsetsPerTrigger", options.records_per_batch)
        return reader.load().select(
            "topic",
            "partition",
            "offset",
            "key",
            "value",
            "headers",
            f.unix_micros("timestamp").alias("stamp"),
            f.col("timestampType").alias("stamped_by"),
            f.unix_micros(f.current_timestamp()).alias("now"),
        )

    def _where(self) -> dict[str, str]:
        """What is read, and from where on if nothing was read yet."""
        channel, options = self._source.channel, self._source.connector.options
        found = {"subscribe": channel}
        if channel.startswith("^"):
            # Spark's expressions match whole names.
            found = {"subscribePattern": f"(?:{channel}).*"}
        if options.since is None:
            return {**found, "startingOffsets": options.start}
        # A record is stamped in milliseconds: what happened in the one begun belongs to it.
        stamp = str(max(0, options.since // 1000))
        return {
            **found,
            "startingTimestamp": stamp,
            "startingOffsetsByTimestampStrategy": "latest",
        }

    def pieces(self, batches: Iterable[pa.RecordBatch], counts: Counter[str]) -> Iterator[Piece]:
        """What is in records. They are put in order by their time stamps, as a backlog came about."""
        from limecep_kafka.topics import matcher

        reader = self._work.assembly().reader(self._source)
        takes = matcher(self._source.channel)
        stamps: dict[str, int] = {}
        reached: dict[str, int] = {}

        def piece(read: Batch) -> Piece:
            arrivals = [stamps[position] for position in read.positions]
            return Piece(Fed(read.events, read.positions, read.invalid), arrivals)

        for batch in batches:
            counts["messages"] += batch.num_rows
            messages = []
            for message, stamp in _messages(batch):
                log = message.position.rpartition(":")[0]
                if log not in reached and not takes(message.channel):
                    raise RunFailure(
                        f"the topic {message.channel} was read, but belongs to no source: write its regular "
                        "expression with what Python and Java have in common"
                    )
                stamps[message.position] = reached[log] = max(stamp, reached.get(log, 0))
                messages.append(message)
            yield piece(reader.read(messages))
            if not reader.holding:
                stamps.clear()
        yield piece(reader.finish())
        counts.update(reader.changes)


def _messages(batch: pa.RecordBatch) -> Iterator[tuple[Message, int]]:
    """The messages of records, each with the time by which it is put in order."""
    names = ("topic", "partition", "offset", "key", "value", "headers", "stamp", "stamped_by", "now")
    columns: list[list[Any]] = [batch.column(name).to_pylist() for name in names]
    for topic, partition, offset, key, value, headers, stamp, stamped_by, now in zip(*columns, strict=True):
        message = Message(
            value or b"",
            topic,
            f"{topic}:{partition}:{offset}",
            min(stamp, now) if stamped_by == _BROKER else now,
            key,
            tuple([(h["key"], h["value"] or b"") for h in headers or ()]),
            None if stamped_by == _NOBODY else stamp,
        )
        yield message, now if stamped_by == _NOBODY else stamp
