"""The sink that Spark writes, for pipelines in one process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from limecep.encoding import to_json
from limecep_spark.row_sinks import row_sink
from limecep_spark.session import running

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_spark.config import SparkSinkOptions


class SparkSink:
    """Adds rows to what Spark writes (`limecep.contracts.sink`): at each flush those that came since."""

    counts_only: ClassVar[bool] = False

    def __init__(self, channel: str, settings: None, options: SparkSinkOptions, context: Context) -> None:
        name = context.label.partition(".")[2]
        self._table = row_sink(name, channel, options, context.root, context.returned)
        self._options = options
        self._pipeline = context.pipeline
        self._spark: Any = None
        self._values: list[tuple[str]] = []

    def open(self) -> None:
        """Starts Spark, if none runs.

        Raises:
            RunFailure: There is no Java, or Spark cannot be started.
        """
        self._spark, _ = running(self._options, self._pipeline)

    def send(self, records: Sequence[Record]) -> None:
        """Gathers records."""
        self._values += [(to_json(record).decode(),) for record in records]

    def flush(self) -> None:
        """Writes what was gathered.

        Raises:
            RunFailure: Spark cannot.
        """
        if self._values:
            self._table.write(self._spark.createDataFrame(self._values, "value string"), 0)
            self._values = []

    def close(self) -> None:
        """Flushes. Spark goes on running, for whoever needs it next, until the process ends."""
        self.flush()
