"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_spark.config import SparkOptions
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
    capabilities=frozenset({"finite"}),
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


@hookimpl
def limecep_sources() -> list[ComponentSpec]:
    return [SOURCE]


@hookimpl
def limecep_runners() -> list[ComponentSpec]:
    return [RUNNER]
