"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_spark.config import SparkOptions

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
def limecep_runners() -> list[ComponentSpec]:
    return [RUNNER]


@hookimpl
def limecep_commands() -> list[ComponentSpec]:
    return [DATA]
