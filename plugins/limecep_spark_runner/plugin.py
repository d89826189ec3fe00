"""What this plugin brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_spark_runner.config import SparkOptions

RUNNER = ComponentSpec(
    kind="runner",
    name="spark",
    factory="limecep_spark_runner.runner:SparkRunner",
    options=SparkOptions,
    summary="Runs a pipeline on Apache Spark, each key of a partition by itself",
    example="""\
runner: {type: spark, master: "local[2]", checkpoint: ./checkpoint}""",
    requires=("pyspark", "pandas", "pyarrow", "google"),
    extra="spark",
    stability="alpha",
)


@hookimpl
def limecep_runners() -> list[ComponentSpec]:
    return [RUNNER]
