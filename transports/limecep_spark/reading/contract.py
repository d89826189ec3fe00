"""What there is for each type of source."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from limecep.runtime.feeds import Fed
    from limecep_spark.config import SparkOptions


class Piece(NamedTuple):
    """Some events of a source, with the times by which those of all sources are put in order: they never go
    back within a log."""

    fed: Fed
    arrivals: Sequence[int]


class Pieces(Protocol):
    """Makes events of raw records. It is sent to the workers."""

    def pieces(self, batches: Iterable[pa.RecordBatch], counts: Counter[str]) -> Iterator[Piece]:
        """In the workers: what raw records give.

        Args:
            batches: The raw records.
            counts: Is told what else there is to count.

        Raises:
            RunFailure: They cannot be read.
        """


class Reading(Pieces, Protocol):
    """Reads one source."""

    def look(self) -> None:
        """On the driver: sees that there is something to read, where Spark would wait for it.

        Raises:
            RunFailure: There is not, and waiting will not help.
        """

    def raw(self, spark: SparkSession, options: SparkOptions) -> DataFrame:
        """On the driver: raw records as they come. Asked once a query."""
