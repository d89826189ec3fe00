"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_spark.config import SparkOptions
from limecep_spark.sink_config import SparkSinkOptions
from limecep_spark.source_config import SparkSettings, SparkSourceOptions

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
    capabilities=frozenset({"channel"}),
)
RUNNER = ComponentSpec(
    kind="runner",
    name="spark",
    factory="limecep_spark.runner:SparkRunner",
    options=SparkOptions,
    summary="Runs a pipeline on Apache Spark, each key of a partition by itself",
    example="""\
runner: {type: spark, master: "local[2]", checkpoint: ./checkpoint}""",
    requires=("pyspark", "pandas", "pyarrow", "google"),
    extra="spark",
    stability="alpha",
)

DATA = ComponentSpec(
    kind="command",
    name="data",
    factory="limecep_spark.data.command:DataCommand",
    summary="Makes and judges streams of any size, as jobs of Apache Spark",
    example="""\
limecep data generate --events 1000000 --into stream.jsonl""",
    requires=RUNNER.requires,
    extra="spark",
    stability="alpha",
)


@hookimpl
def limecep_sources() -> list[ComponentSpec]:
    return [SOURCE]


@hookimpl
def limecep_sinks() -> list[ComponentSpec]:
    return [SINK]


@hookimpl
def limecep_runners() -> list[ComponentSpec]:
    return [RUNNER]


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [DATA]
