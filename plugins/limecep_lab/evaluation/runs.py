"""Runs beside the truth: how right their results are, and what it took."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from limecep.errors import LimecepError
from limecep_lab.evaluation.accuracy import figures
from limecep_lab.evaluation.changelogs import live_matches, log_of, read_log

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession


def evaluated(spark: SparkSession, runs: Mapping[str, str], truth: str | DataFrame) -> DataFrame:
    """As `limecep_lab.evaluate`."""
    from pyspark.sql import functions as f

    named = [read_log(spark, path).withColumn("run", f.lit(name)) for name, path in runs.items()]
    logs = reduce(lambda one, other: one.unionByName(other), named).persist()
    there = read_log(spark, truth) if isinstance(truth, str) else log_of(truth, "truth")
    known = there.withColumn("run", f.lit("")).persist()
    try:
        for rows in (logs, known):
            _check(rows)
        names = f.array(*(f.lit(name) for name in runs))
        live = live_matches(known).withColumn("run", f.explode(names))
        found = figures(logs, live).orderBy(f.array_position(names, f.col("run")), "pattern").toArrow()
    finally:
        logs.unpersist()
        known.unpersist()
    return spark.createDataFrame(found)


def _check(rows: DataFrame) -> None:
    wrong = rows.where("wrong is not null").select("wrong").first()
    if wrong is not None:
        raise LimecepError(wrong["wrong"])
