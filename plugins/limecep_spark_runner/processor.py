"""In the workers: what Spark calls for a bucket of keys when something came to it, and when time has come."""

from __future__ import annotations

import gc
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pyspark.sql import Row
from pyspark.sql.streaming import StatefulProcessor

from limecep.embedding.pipelines import FOREVER, decode
from limecep_spark_runner.bucket import Bucket
from limecep_spark_runner.sinks.rendering import Rendering
from limecep_spark_runner.turns import Kernel
from limecep_spark_runner.work import ASIDE, OVER_US

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limecep_spark_runner.work import Work


class BucketProcessor(StatefulProcessor):  # type: ignore[misc]
    """The pipeline's patterns for each key of a bucket.

    Each call of Spark for a key, or of its state, goes through a socket: a bucket takes as many as a key
    would. The state of a bucket is read and written once a batch.

    Args:
        work: The pipeline.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    def init(self, handle: Any) -> None:
        """A task begins."""
        self._handle = handle
        # Turns are rubbish soon, and few of their objects are in circles: it is enough to look now and then.
        gc.set_threshold(20_000, 10, 10)
        # What is known of the keys, and the timer there is.
        self._known = handle.getValueState("known", "keys binary, timer long")
        self._kernels = _at_hand(self._work)
        self._rendering = Rendering(self._work)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Row]:
        """Something came to a bucket."""
        (number,) = key
        if number == ASIDE:
            return self._aside(rows)
        return self._turns(number, rows, timerValues.getCurrentWatermarkInMs() * 1000)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:
        """Time has come for a bucket to which nothing came, or has just come."""
        (number,) = key
        return self._turns(number, (), timerValues.getCurrentWatermarkInMs() * 1000, expired=True)

    def close(self) -> None:
        """A task is over."""

    def _aside(self, rows: Iterator[Any]) -> Iterator[Row]:
        """What belongs to no key goes out as it is."""
        for row in rows:
            for what, *value in decode(row.body):
                if what == "late":
                    yield from map(_row, self._rendering.late(value))
                elif what == "counts":
                    yield from map(_row, self._rendering.counts(*value))
        yield from map(_row, self._rendering.counts({}))

    def _turns(self, number: int, rows: Iterable[Any], told: int, *, expired: bool = False) -> Iterator[Row]:
        """Has the keys of a bucket do what they have to do.

        Args:
            number: The bucket's.
            rows: What came.
            told: How far time has come over all keys, in microseconds.
            expired: Whether the bucket's timer has expired.
        """
        packed, timer = self._known.get() or (None, None)
        bucket = Bucket(self._kernels, None if packed is None else bytes(packed), told)
        for turn in bucket.turns(value for row in rows for value in decode(row.body)):
            yield from map(_row, self._rendering.updates(turn.updates))
            yield from map(_row, self._rendering.late(turn.late))
        yield from map(_row, self._rendering.counts({**bucket.counts, "keys": {number: len(bucket)}}))
        # Spark lets go of a timer that expired.
        expiry = self._called_by(bucket.due, None if expired else timer, told)
        packed = bucket.packed()
        if packed is None:
            self._known.clear()
        else:
            self._known.update((packed, expiry))

    def _called_by(self, due: int, timer: int | None, told: int) -> int | None:
        """Sees to it that a bucket is called once a time has strictly passed; gives the timer that does.

        Args:
            due: The time, in microseconds.
            timer: The timer that there is.
            told: How far time has come, in microseconds: what is no later would expire in this very batch.
        """
        expiry = None if due >= FOREVER else min(max(due // 1000 + 1, 1), OVER_US // 1000)
        if timer is None or expiry is None or not told < timer * 1000 <= expiry * 1000:
            if timer is not None:
                self._handle.deleteTimer(timer)
            if expiry is not None:
                self._handle.registerTimer(expiry)
            return expiry
        # One that is earlier stays: a call in vain now and then costs less than a new timer each batch.
        return timer


@lru_cache(maxsize=2)
def _at_hand(work: Work) -> list[Kernel]:
    """What lasts from task to task, as long as the worker does."""
    return [Kernel(group.config, work) for group in work.groups]


def _row(value: tuple[int, str]) -> Row:
    return Row(sink=value[0], value=value[1])
