"""Runs beside the truth: how right their results are, and what it took."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from limecep.errors import LimecepError
from limecep_spark.data.changelogs import live_matches, read_log
from limecep_spark.data.figures import figures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession

#: A row of figures, by their names.
Row = dict[str, Any]


def evaluate(spark: SparkSession, runs: Mapping[str, str], truth: str) -> list[Row]:
    """The figures of each run and pattern (`limecep_spark.data.figures.figures`), in the order of the runs.

    Args:
        spark: The session.
        runs: The change log of each run, by what the run is called: JSON lines, in a file or in the folder
            that the runner `spark` makes; or Parquet.
        truth: The matches there are: what `truth` wrote, or the change log of a run on the stream in order.
            Matches are the same where their `content` is, so sources have the same names there and here.

    Raises:
        LimecepError: There is nothing at a path, or something else than matches.
    """
    from pyspark.sql import functions as f

    named = [read_log(spark, path).withColumn("run", f.lit(name)) for name, path in runs.items()]
    logs = reduce(lambda one, other: one.unionByName(other), named).persist()
    known = read_log(spark, truth).persist()
    try:
        for rows in (logs, known):
            _checked(rows)
        names = f.explode(f.array(*(f.lit(name) for name in runs)))
        found = figures(logs, live_matches(known).withColumn("run", names)).collect()
    finally:
        logs.unpersist()
        known.unpersist()
    order = {name: place for place, name in enumerate(runs)}
    return sorted((row.asDict() for row in found), key=lambda r: (order[r["run"]], r["pattern"]))


def _checked(rows: DataFrame) -> None:
    wrong = rows.where("wrong is not null").select("wrong").first()
    if wrong is not None:
        raise LimecepError(wrong["wrong"])
