"""Streams of any size as PySpark DataFrames: made, disordered, and what a pipeline finds in them.

`limecep data` does the same from a shell. Times are whole microseconds since 1970-01-01 UTC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from limecep_lab.arrival.deliveries import Columns
    from limecep_lab.sweeps.sweep import Swept


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
    from limecep_lab.generation.frames import stream_of
    from limecep_lab.generation.streams import read_stream

    return stream_of(spark, read_stream(spec), seed)


def planted(
    spark: SparkSession, spec: str | os.PathLike[str] | Mapping[str, Any], seed: int = 0
) -> DataFrame:
    """The matches that `generate` plants, given the same: `match` (its name), the attributes of the key,
    `events` (ids), `start` and `end`. Arguments and errors are those of `generate`."""
    from limecep_lab.generation.frames import planted_in
    from limecep_lab.generation.streams import read_stream

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
    from limecep_lab.arrival.deliveries import Columns, read_deliveries
    from limecep_lab.arrival.disorder import Disorder

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
    from limecep.embedding.pipelines import Host, load
    from limecep_lab.truths.truth import Truth

    registry = Host.load().registry
    found = Truth(spark, load(pipeline, registry).checked(), registry)
    return found.of_sources() if events is None else found.of_table(events)


def evaluate(spark: SparkSession, runs: Mapping[str, str], truth: str | DataFrame) -> DataFrame:
    """How right the results of runs are, and what it took: a row for each run and pattern, in the order of
    the runs, with the columns of `limecep_lab.evaluation.accuracy.figures`.

    Args:
        spark: The session.
        runs: The change log of each run, by what the run is called: JSON lines, in a file or in the folder
            that the runner `spark` makes; or Parquet.
        truth: The matches there are, as `truth` gives them, written or not; or the change log of a run on the
            stream in order. Matches are the same where their `content` is: events have the same type, source
            and id there and here.

    Raises:
        LimecepError: There is nothing at a path, or something else than matches.
    """
    from limecep_lab.evaluation.runs import evaluated

    return evaluated(spark, runs, truth)


def sweep(
    spark: SparkSession,
    pipeline: str | os.PathLike[str],
    vary: Mapping[str, Sequence[Any]],
    *,
    levels: Sequence[str] = ("own",),
    delay: str | None = None,
    seed: int = 0,
    overrides: Sequence[str] = (),
) -> Swept:
    """Runs a pipeline with every choice of policies over its recording, in several orders of arrival, each
    beside what there is in order. `limecep_lab.sweeps.recommendation.recommended` says which choice to take.

    Args:
        spark: The session.
        pipeline: The file of the pipeline, whose sources are files.
        vary: The values of each key: `lateness.factor` is that of each pattern,
            `patterns.fire.lateness.factor` that of one.
        levels: `own`, the order that the recording has; `in-order`; shares of late events such as `0.2`; or
            files of YAML that say what happens to events, as for `disorder`.
        delay: By how much events are late at most at levels that are shares; None: by ten times the mean time
            between two events.
        seed: The same seed gives the same orders.
        overrides: Values instead of those in the file, each `path=value`.

    Raises:
        ConfigurationError: A choice makes no pipeline, or there is no such level.
        LimecepError: The sources are no recording, or there is no event.
        RunFailure: A source cannot be read.
    """
    from pathlib import Path

    from limecep.embedding.pipelines import Host
    from limecep_lab.sweeps.documents import read_document
    from limecep_lab.sweeps.grids import grid
    from limecep_lab.sweeps.recordings import arriving, read_levels, recorded
    from limecep_lab.sweeps.sweep import sweep as swept

    registry = Host.load().registry
    choices = grid(read_document(pipeline, registry, overrides), vary, registry, Path(pipeline).parent)
    events = recorded(choices.choices[0].config, registry)
    stream = arriving(spark, events, read_levels(levels, delay), seed)
    return swept(spark, choices, stream, registry)
