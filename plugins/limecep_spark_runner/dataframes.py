"""Detection as a function of DataFrames: rows in, updates out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep import Pipeline
from limecep.embedding.pipelines import (
    ComponentConfig,
    Host,
    PipelineConfig,
    SinkConfig,
    load,
    load_dict,
    returned_kinds,
)
from limecep.errors import RunFailure
from limecep_spark.config import SparkSettings
from limecep_spark.failures import reason
from limecep_spark.frames import message_column, taken
from limecep_spark.records import records
from limecep_spark.session import keeps_state, same_python
from limecep_spark_runner.sources.rows import Tables
from limecep_spark_runner.work import Output, Work

if TYPE_CHECKING:
    import os

    from pyspark.sql import DataFrame

    from limecep.embedding.pipelines import Registry, SourceConfig


def detect(
    frame: DataFrame,
    pipeline: str | os.PathLike[str] | Mapping[str, Any] | PipelineConfig | Pipeline,
    *,
    source: str = "",
) -> DataFrame:
    """The updates that the patterns of a pipeline make of rows.

    Which columns are an event's type, time, id and so on is said by the pipeline's source, as for any source;
    where that is of type `spark`, its `select` and `message` hold as well. The pipeline's sinks, and where
    its source would be read, mean nothing here.

    A table is detected as a whole, and time has passed for everything in the end. Its events arrive when they
    happened, unless the source names the column with their `arrival`. Of a stream comes a stream, which is
    written wherever Spark writes; it needs RocksDB for its state, and the session is set to it.

    Args:
        frame: A table or a stream.
        pipeline: A YAML file, a dictionary of the same form, or what was made of one.
        source: The source that the rows are, where the pipeline has more than one.

    Returns:
        A row for each record of the change log (`op` is `emit`, `correct`, `retract` or `final`), and for
        each event that was not used and each row that gave none (`op` is `late`, and `late` says why).
        `record` is the record as JSON.

    Raises:
        ConfigurationError: Everything that is wrong with the pipeline.
        RunFailure: The rows have not the columns that it names.
    """
    from pyspark.errors import PySparkException

    same_python(frame.sparkSession)
    registry = Host.load().registry
    config = _config(pipeline, registry)
    chosen = _chosen(config, source)
    settings, options = chosen.settings, chosen.connector.options
    message = ""
    try:
        if isinstance(settings, SparkSettings):
            frame, message = taken(frame, settings.select), message_column(settings, options)
        elif chosen.connector.spec.name == "kafka":
            message = "value"
        if not message:
            chosen = replace(chosen, codec=_component(registry, "codec", "json"))
        work = _work(config, chosen, registry)
        tables = Tables(work, chosen, frame, message)
        if not frame.isStreaming and chosen.time is None:
            raise RunFailure(f"source '{chosen.name}' names no 'time', and a table has none of its own")
        rows = _streamed(work, tables) if frame.isStreaming else _whole(work, tables)
        # What was counted is left out.
        returned = returned_kinds(config, {} if message else _kinds(frame))
        return records(rows.where("sink >= 0"), "full", returned)
    except PySparkException as error:
        raise RunFailure(f"source '{chosen.name}': {reason(error)}") from None


def _config(pipeline: Any, registry: Registry) -> PipelineConfig:
    if isinstance(pipeline, Pipeline):
        return pipeline.config
    if isinstance(pipeline, PipelineConfig):
        return pipeline
    loaded = load_dict(pipeline, registry) if isinstance(pipeline, Mapping) else load(pipeline, registry)
    return loaded.checked()


def _chosen(config: PipelineConfig, name: str) -> SourceConfig:
    """The source that the rows are."""
    found = [s for s in config.sources if s.name == name or not name]
    if len(found) == 1:
        return found[0]
    names = ", ".join(s.name for s in config.sources)
    if not names:
        raise RunFailure(
            "the pipeline has no source: one has to say which columns are an event's time, type, id"
        )
    if found:
        raise RunFailure(f"the pipeline has more than one source: say which of {names} the rows are")
    raise RunFailure(f"the pipeline has no source '{name}'; there are: {names}")


def _work(config: PipelineConfig, source: SourceConfig, registry: Registry) -> Work:
    """What workers are to do, and no more: updates first, then the late output."""
    nowhere = _component(registry, "sink", "none")
    sinks = (
        SinkConfig(name="updates", connector=nowhere),
        SinkConfig(name="late", connector=nowhere, of="late"),
    )
    return Work(
        config=replace(config, sources=(source,), sinks=sinks, state=None, runner=None),
        specs=tuple(registry.specs()),
        outputs=tuple(Output(sink=n, form="record", events="full") for n in range(len(sinks))),
    )


def _component(registry: Registry, kind: str, name: str) -> ComponentConfig:
    spec = registry.find(kind, name)
    assert spec is not None
    return ComponentConfig(spec=spec, options=spec.options())


def _whole(work: Work, tables: Tables) -> DataFrame:
    from limecep_spark_runner.whole_tables import over_all

    return over_all(work, tables)


def _streamed(work: Work, tables: Tables) -> DataFrame:
    from limecep_spark_runner.intake import ROWS, Intake
    from limecep_spark_runner.processor import BucketProcessor
    from limecep_spark_runner.sinks.rendering import RENDERED
    from limecep_spark_runner.sources.union import timed

    keeps_state(tables.frame.sparkSession)
    return (
        timed(tables.frame.mapInArrow(Intake(work, 0, tables).rows, ROWS))
        .groupBy("bucket")
        .transformWithState(
            statefulProcessor=BucketProcessor(work),
            outputStructType=RENDERED,
            outputMode="Append",
            timeMode="EventTime",
        )
    )


def _kinds(frame: DataFrame) -> dict[str, str]:
    """What the columns of a table hold, of those of which `returned_kinds` has the kind."""
    from pyspark.sql import types as t

    kinds = (
        ((t.ByteType, t.ShortType, t.IntegerType, t.LongType), "int"),
        ((t.FloatType, t.DoubleType), "float"),
        (t.StringType, "str"),
        (t.BooleanType, "bool"),
    )
    found = ((f.name, next((k for of, k in kinds if isinstance(f.dataType, of)), "")) for f in frame.schema)
    return {name: kind for name, kind in found if kind}
