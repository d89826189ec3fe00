"""Streams of any size as PySpark DataFrames: made, disordered, and what a pipeline finds in them.

`limecep data` does the same from a shell. Times are whole microseconds since 1970-01-01 UTC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession


def generate(
    spark: SparkSession, spec: str | os.PathLike[str] | Mapping[str, Any], seed: int = 0
) -> DataFrame:
    """A stream in order of time, with the columns `id`, `type`, `source`, `t_gen` and the attributes.

    Args:
        spark: The session.
        spec: What the stream is made of: a file of YAML, or a dict of that form.
        seed: The same seed gives the same rows, whatever the number of partitions.

    Raises:
        ConfigurationError: Something is wrong with the spec; all that is.
    """
    from limecep_spark.data.generating import stream_of
    from limecep_spark.data.streams import read_stream

    return stream_of(spark, read_stream(spec), seed)


def planted(
    spark: SparkSession, spec: str | os.PathLike[str] | Mapping[str, Any], seed: int = 0
) -> DataFrame:
    """The matches that `generate` plants, given the same: `match` (its name), the attributes of the key,
    `events` (ids), `start` and `end`. Arguments and errors are those of `generate`."""
    from limecep_spark.data.generating import planted_in
    from limecep_spark.data.streams import read_stream

    return planted_in(spark, read_stream(spec), seed)


def evaluate(spark: SparkSession, runs: Mapping[str, str], truth: str) -> DataFrame:
    """How right the results of runs are, and what it took: a row for each run and pattern, in the order of the
    runs, with the columns of `limecep_spark.data.figures.figures`.

    Args:
        spark: The session.
        runs: The change log of each run, by what the run is called: JSON lines, in a file or in the folder
            that the runner `spark` makes; or Parquet.
        truth: The matches there are, or the change log of a run on the stream in order. Matches are the same
            where their `content` is: events have the same type, source and id there and here.

    Raises:
        LimecepError: There is nothing at a path, or something else than matches.
    """
    from limecep_spark.data.evaluating import evaluated

    return evaluated(spark, runs, truth)
