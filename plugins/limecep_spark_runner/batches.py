"""What Spark says of the batches of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.errors import RunFailure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql.streaming import StreamingQueryProgress


class Batches:
    """Figures over all batches that it was shown.

    Attributes:
        last: The number of the last one.
    """

    def __init__(self) -> None:
        self.last = -1
        self._count = 0
        self._shortest = self._longest = 0.0
        self._keys: dict[str, int] = {}
        self._most_keys = self._bytes = 0

    def note(self, progress: StreamingQueryProgress | None) -> None:
        """A batch is done; it may have been shown before.

        Raises:
            RunFailure: Spark dropped something as too late, which is for the policies to do.
        """
        if progress is None or progress.batchId <= self.last:
            return
        self.last = progress.batchId
        if any(o.numRowsDroppedByWatermark for o in progress.stateOperators):
            raise RunFailure(
                "Spark dropped rows as too late, which it must not: this is a mistake, please report it"
            )
        self._most_keys = max(self._most_keys, sum(self._keys.values()))
        self._bytes = max([self._bytes, *(o.memoryUsedBytes for o in progress.stateOperators)])
        if progress.numInputRows:
            seconds = progress.durationMs["triggerExecution"] / 1000
            self._shortest = min(self._shortest, seconds) if self._count else seconds
            self._longest = max(self._longest, seconds)
            self._count += 1

    def keys(self, known: Mapping[str, int]) -> None:
        """How many keys are known in buckets, by the buckets' names, that had something to do."""
        self._keys.update(known)

    def report(self) -> dict[str, Any]:
        """The number of batches with input, how long they took, in seconds, and how large the state was at
        its largest."""
        return {
            "batches": self._count,
            "shortest_batch": self._shortest,
            "longest_batch": self._longest,
            "most_keys": self._most_keys,
            "most_state_bytes": self._bytes,
        }
