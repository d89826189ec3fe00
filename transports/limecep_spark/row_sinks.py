"""Sinks whose records Spark writes as rows, and those that a function takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from limecep.errors import RunFailure
from limecep_spark.failures import reason
from limecep_spark.frames import path, texts
from limecep_spark.records import records

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pyspark.sql import DataFrame

    from limecep.output.record import Events
    from limecep_spark.config import SparkSinkOptions


class RowSink:
    """Hands the records of each batch to a function, as a DataFrame with its number; a batch that a crash has
    cut short comes again.

    Args:
        function: The function.
        events: How much of each event records carry.
        returned: The kinds of the values that they carry, as of `records`.
    """

    form: Literal["record"] = "record"

    def __init__(
        self, function: Callable[[DataFrame, int], object], events: Events, returned: Mapping[str, str]
    ) -> None:
        self._function = function
        self._events = events
        self._returned = returned

    def open(self) -> None:
        """Nothing."""

    def write(self, values: DataFrame, batch: int) -> None:
        """Calls the function."""
        self._function(records(values, self._events, self._returned), batch)


def row_sink(
    name: str,
    channel: str,
    options: SparkSinkOptions,
    root: Path,
    returned: Mapping[str, str],
    events: Events = "full",
) -> RowSink:
    """A sink of type `spark`: rows are added to what is there.

    Args:
        name: The sink's.
        channel: The path, the table or the view.
        options: Those of its connector.
        root: The folder that relative paths are below.
        returned, events: As of `RowSink`.
    """

    def write(frame: DataFrame, batch: int) -> None:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        writer = frame.write.mode("append").options(**texts(options.options))
        try:
            if options.format == "console":
                if not frame.isEmpty():
                    writer.format("console").save()
            elif options.format:
                writer.format(options.format).save(path(channel, root))
            else:
                writer.saveAsTable(channel)
        except (PySparkException, Py4JError) as error:
            raise RunFailure(f"sink '{name}': {reason(error)}") from None

    return RowSink(_Memory(channel).add if options.format == "memory" else write, events, returned)


class _Memory:
    """Rows that stay in memory, as a view that all sessions see."""

    def __init__(self, view: str) -> None:
        self._view = view
        self._all: DataFrame | None = None

    def add(self, frame: DataFrame, batch: int) -> None:
        known = frame if self._all is None else self._all.union(frame)
        self._all = known.localCheckpoint()
        self._all.createOrReplaceGlobalTempView(self._view)
