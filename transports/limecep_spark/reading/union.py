"""On the driver: all sources as one stream of rows for keys, with how far time has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.state.writing import encode
from limecep_spark.intake import BELL, ROWS, TICKS, Intake
from limecep_spark.work import ASIDE, OVER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from limecep_spark.config import SparkOptions
    from limecep_spark.reading.contract import Reading
    from limecep_spark.work import Work

#: Later than any time, so that no event is ever too late for Spark: that is for the policies to say.
_NEVER_LATE = OVER + 86_400_000_000


def rows(
    spark: SparkSession, work: Work, options: SparkOptions, readings: Sequence[Reading], bell: Path
) -> DataFrame:
    """What comes to each key, and the column `wm` that Spark knows the time by.

    The sources are read twice: for the rows, which are never too late, and for how far time has come. Spark's
    time is the earlier of the two, so it is the latter.

    Args:
        spark: The session.
        work: The pipeline.
        options: Those of the runner.
        readings: One for each source.
        bell: A folder in which a file appears when all input is over.
    """
    from pyspark.sql import functions as f

    rung = spark.readStream.format("text").load(str(bell))
    over = rung.select(
        f.lit(ASIDE).alias("key"),
        f.lit(encode(["over"]).decode()).cast("binary").alias("body"),
        f.lit(OVER).alias("arrived"),
        f.lit(BELL).alias("source"),
        f.lit(0).cast("long").alias("number"),
    )
    came, times = over, rung.select(f.lit(OVER).alias("t_gen"))
    for number, reading in enumerate(readings):
        raw, intake = reading.raw(spark, options), Intake(work, number, reading)
        came = came.unionByName(raw.mapInArrow(intake.rows, ROWS))
        times = times.unionByName(raw.mapInArrow(intake.ticks, TICKS))
    never_late = f.timestamp_micros(f.lit(_NEVER_LATE))
    came = came.withColumn("wm", never_late).withWatermark("wm", "0 seconds")
    ticks = (
        times.select(f.timestamp_micros("t_gen").alias("at"))
        .withWatermark("at", "0 seconds")
        .select(
            f.lit(ASIDE).alias("key"),
            f.lit(None).cast("binary").alias("body"),
            f.lit(0).cast("long").alias("arrived"),
            f.lit(0).alias("source"),
            f.lit(0).cast("long").alias("number"),
            never_late.alias("wm"),
        )
    )
    return came.unionByName(ticks)
