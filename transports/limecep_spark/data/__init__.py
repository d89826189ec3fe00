"""Streams of any size as PySpark DataFrames: made, disordered, and what a pipeline must find in them.

`limecep data` does the same from a shell. Times are whole microseconds since 1970-01-01 UTC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession

    from limecep_spark.data.deliveries import Columns


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


def disorder(
    events: DataFrame,
    deliveries: str | os.PathLike[str] | Mapping[str, Any],
    columns: Columns | None = None,
    seed: int = 0,
) -> tuple[DataFrame, DataFrame]:
    """Events in the order of their arrival, and what was done to each of them.

    Args:
        events: A stream such as `generate` gives, or any table with times.
        deliveries: What happens to events on their way: `in-order`, `partial` or `full`, a file of YAML, or a
            dict of that form.
        columns: Where the table has what must be known; by default as `generate` names it.
        seed: The same seed does the same to the same event, whatever the number of partitions.

    Returns:
        The events that arrive, with `t_gen` as stamped and `t_arr`; and for each event and copy when it
        `happened`, `t_gen`, `t_arr`, `delay` (all in microseconds), `outage`, `copy` and `lost`.

    Raises:
        ConfigurationError: Something is wrong with the deliveries or the columns.
    """
    from limecep_spark.data.deliveries import Columns, read_deliveries
    from limecep_spark.data.disordering import Disorder

    done = Disorder(events, read_deliveries(deliveries), columns or Columns(), seed)
    return done.arrivals(), done.done()


def truth(
    spark: SparkSession, pipeline: str | os.PathLike[str], events: DataFrame | None = None
) -> DataFrame:
    """The matches of a pipeline on its events in order: `pattern`, `key`, `content` (as in change logs),
    `start`, `end`, `detected` (when it can first be told) and `events` (ids by variable).

    Args:
        spark: The session.
        pipeline: The pipeline's file.
        events: A stream such as `generate` gives; by default what the pipeline's sources have, all files.

    Raises:
        ConfigurationError: The pipeline or the stream cannot be used.
    """
    import os

    from limecep.config.loader import load
    from limecep.errors import ConfigurationError
    from limecep.host import Host
    from limecep_spark.data.truths import Truth

    registry = Host.load().registry
    loaded = load(pipeline, registry, environment=os.environ)
    if loaded.config is None:
        raise ConfigurationError([p for p in loaded.problems if p.severity == "error"])
    found = Truth(spark, loaded.config, registry)
    return found.of_sources() if events is None else found.of_table(events)
