"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_spark.config import SparkSettings, SparkSinkOptions, SparkSourceOptions

SOURCE = ComponentSpec(
    kind="source",
    name="spark",
    factory="limecep_spark.source:SparkSource",
    options=SparkSourceOptions,
    settings=SparkSettings,
    summary="Rows of tables, or messages, that Apache Spark reads, as a whole or as a stream",
    example="""\
sources:
  readings:
    type: spark
    format: parquet
    channel: lake/readings
    select: SELECT * FROM input ORDER BY time
    as: Reading
    time: time""",
    requires=("pyspark",),
    extra="spark",
    stability="alpha",
    levels=".",
    capabilities=frozenset({"finite"}),
)
SINK = ComponentSpec(
    kind="sink",
    name="spark",
    factory="limecep_spark.sink:SparkSink",
    options=SparkSinkOptions,
    summary="Records as rows, added to what Apache Spark writes: files of a format, tables, the console",
    example="""\
sinks:
  matches: {type: spark, format: parquet, channel: lake/matches}""",
    requires=("pyspark",),
    extra="spark",
    stability="alpha",
    capabilities=frozenset({"channel", "encodes"}),
)


@hookimpl
def limecep_sources() -> list[ComponentSpec]:
    return [SOURCE]


@hookimpl
def limecep_sinks() -> list[ComponentSpec]:
    return [SINK]
