"""On the driver: all sources as one stream of rows for buckets of keys, with how far time has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.embedding.pipelines import encode
from limecep_spark_runner.intake import ROWS, Intake
from limecep_spark_runner.work import ASIDE, OVER_US

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from limecep_spark_runner.config import SparkOptions
    from limecep_spark_runner.sources.contract import Reading
    from limecep_spark_runner.work import Work


def rows(
    spark: SparkSession, work: Work, options: SparkOptions, readings: Sequence[Reading], bell: Path
) -> DataFrame:
    """What comes to each bucket of keys.

    The time of each row is the latest that its source has brought so far, and is dropped before rows come to
    their buckets: so it moves Spark's time, and no row is ever too late for Spark. That is for the policies
    to say.

    Args:
        spark: The session.
        work: The pipeline.
        options: Those of the runner.
        readings: One for each source.
        bell: A folder in which a file appears when all input is over.
    """
    from pyspark.sql import functions as f

    came = (
        spark.readStream.format("text")
        .load(str(bell))
        .select(
            f.lit(ASIDE).alias("bucket"),
            f.lit(encode([["over"]]).decode()).cast("binary").alias("body"),
            f.lit(OVER_US).alias("t_gen"),
        )
    )
    for number, reading in enumerate(readings):
        intake = Intake(work, number, reading)
        came = came.unionByName(reading.raw(spark, options).mapInArrow(intake.rows, ROWS))
    return timed(came)


def timed(came: DataFrame) -> DataFrame:
    """Rows for buckets, whose times Spark takes note of and lets go."""
    from pyspark.sql import functions as f

    return (
        came.withColumn("at", f.timestamp_micros("t_gen"))
        .withWatermark("at", "0 seconds")
        .select("bucket", "body")
    )
