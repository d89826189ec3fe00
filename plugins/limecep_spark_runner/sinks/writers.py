"""On the driver: what goes out, batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from limecep.contracts.sink import Showing
from limecep.embedding.pipelines import decode, returned_kinds
from limecep.errors import RunFailure, Stopped
from limecep_spark.row_sinks import row_sink
from limecep_spark_runner.sinks.folders import Directory
from limecep_spark_runner.sinks.topics import Publication
from limecep_spark_runner.work import COUNTS, Output

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import DataFrame

    from limecep.embedding.pipelines import Outlet, PipelineConfig, SinkConfig
    from limecep_spark_runner.work import Form


class Native(Protocol):
    """A sink that Spark writes itself."""

    @property
    def form(self) -> Form:
        """What workers make for it."""

    def open(self) -> None:
        """Sees that it can be written.

        Raises:
            RunFailure: It cannot.
        """

    def write(self, values: DataFrame, batch: int) -> None:
        """Writes what workers have made for it, in the column `value`, in a batch that may have been begun
        before.

        Raises:
            RunFailure: It cannot be written.
        """


class Writing:
    """Hands out what batches give.

    Args:
        natives: The sinks that Spark writes, by their place in the pipeline.
        outlets: The other sinks that are sent anything.
        sinks: All sinks of the pipeline.
        counted: Takes what was counted.
    """

    def __init__(
        self,
        natives: dict[int, Native],
        outlets: dict[int, Outlet],
        sinks: Sequence[SinkConfig],
        counted: Callable[[dict[str, Any]], None],
    ) -> None:
        self._natives = natives
        self._outlets = outlets
        self._counted = counted
        self.sent = {s.name: 0 for s in sinks}
        self._names = [s.name for s in sinks]

    def batch(self, rows: DataFrame, number: int) -> None:
        """One batch, which may have been begun before."""
        from pyspark.sql import functions as f

        rows = rows.persist()
        try:
            for row in rows.where(f.col("sink") == COUNTS).collect():
                self._note(decode(row["value"]))
            for sink, native in self._natives.items():
                native.write(rows.where(f.col("sink") == sink).select("value"), number)
            if self._outlets:
                self._pass_on(rows.where(f.col("sink").isin(list(self._outlets))))
        finally:
            rows.unpersist()

    def _note(self, counts: dict[str, Any]) -> None:
        for sink, count in counts.pop("sinks", {}).items():
            self.sent[self._names[int(sink)]] += count
        self._counted(counts)

    def _pass_on(self, rows: DataFrame) -> None:
        try:
            for row in rows.toLocalIterator():
                self._outlets[row["sink"]].pass_on([decode(row["value"])])
            for outlet in self._outlets.values():
                outlet.flush()
        except Stopped as stopped:
            # Spark knows errors only.
            raise RunFailure(f"the run had to end: {stopped.undone}") from None


def native(sink: SinkConfig, config: PipelineConfig, anew: bool) -> Native | None:
    """A sink as Spark writes it; None for one that the driver writes.

    Args:
        sink: The sink.
        config: The pipeline.
        anew: Whether nothing was written for this checkpoint yet.
    """
    root = config.root
    kind, options = sink.connector.spec.name, sink.connector.options
    if kind == "file" and sink.channel != "-":
        return Directory(root / options.root / sink.channel, anew)
    if kind == "kafka":
        return Publication(options)
    if kind == "spark":
        return row_sink(sink.name, sink.channel, options, root, returned_kinds(config), sink.events)
    return None


def output_of(number: int, sink: SinkConfig, made: Any) -> Output | None:
    """What workers make for a sink that the driver writes; None if nothing is.

    Args:
        number: The sink's place in the pipeline.
        sink: The sink.
        made: The sink as the kernel knows it, opened.
    """
    if made.counts_only:
        return None
    people = isinstance(made, Showing) and made.for_people
    return Output(sink=number, form="record", events="full" if people else sink.events, delay=people)
