"""In Spark's threads: the rows of a table, or of a stream, as they are handed over."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from limecep.clock import Stopwatch
from limecep_spark.failures import reason
from limecep_spark.handover import Closed, Handover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame

#: How often Spark looks whether there is more.
_PERIOD = "100 milliseconds"
#: What passes by itself: brokers that do not answer. And how long is waited for it, in seconds.
_PASSING = re.compile(r"org\.apache\.kafka\.common\.errors\.\w*(Timeout|Disconnect|Network|NotAvailable)\w*")
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 1.0, 30.0
#: How many rows are handed over at a time.
_CHUNK_ROWS = 4096


def rows(frame: DataFrame) -> Iterator[tuple[int, Any]]:
    """The rows, with their numbers from 1, of one part after the other: no more than a part is ever in
    memory."""
    return enumerate(frame.toLocalIterator(), 1)


def _hand_over(frame: DataFrame, batch: int, handover: Handover) -> None:
    left = rows(frame)
    while chunk := list(islice(left, _CHUNK_ROWS)):
        handover.give(batch, chunk)


class Table:
    """Brings a table, once.

    Args:
        frame: What it brings.

    Attributes:
        handover: Where to.
    """

    def __init__(self, frame: DataFrame) -> None:
        from pyspark import InheritableThread

        self._frame = frame
        self.handover = Handover()
        self._job = f"limecep-{uuid4().hex}"
        self._thread = InheritableThread(target=self._bring, daemon=True)
        self._thread.start()

    def _bring(self) -> None:
        context = self._frame.sparkSession.sparkContext
        context.setJobGroup(self._job, "limecep reads a table", interruptOnCancel=True)
        try:
            _hand_over(self._frame, 0, self.handover)
            self.handover.end()
        except Closed:
            pass
        except Exception as error:
            self.handover.end(error)

    @property
    def begun(self) -> bool:
        """Whether what comes from now on will be brought."""
        return True

    def look(self) -> None:
        """Nothing: the thread tells how it ended."""

    def stop(self) -> None:
        """Brings no more."""
        self.handover.close()
        self._frame.sparkSession.sparkContext.cancelJobGroup(self._job)
        self._thread.join()


class Stream:
    """Brings what comes, a micro-batch at a time. The next one begins when all of the one before is done
    with.

    Args:
        frame: What it brings.
        checkpoint: Where Spark notes how far it is.
        warn: Is told when brokers do not answer.

    Attributes:
        handover: Where to.
    """

    def __init__(self, frame: DataFrame, checkpoint: Path, warn: Callable[[str], object]) -> None:
        # This thread and one of Java's are one: so it learns that Spark has interrupted the query, and says
        # so to Spark. To return would say that the batch is done with.
        sleep = frame.sparkSession._jvm.java.lang.Thread.sleep
        self.handover = Handover(lambda: sleep(0))
        self._writer = (
            frame.writeStream.foreachBatch(self._bring)
            .option("checkpointLocation", f"file://{checkpoint.absolute()}")
            .trigger(processingTime=_PERIOD)
        )
        self._warn = warn
        self._error: Exception | None = None
        self._pausing: Stopwatch | None = None
        self._pause = _FIRST_PAUSE_SECONDS
        self._query = self._writer.start()

    def _bring(self, frame: DataFrame, number: int) -> None:
        self._pause = _FIRST_PAUSE_SECONDS
        try:
            _hand_over(frame, number, self.handover)
            self.handover.settle()
        except Exception as error:
            # In words that Spark's own account of this call does not have.
            self._error = error
            raise

    @property
    def begun(self) -> bool:
        """Whether what comes from now on will be brought."""
        return self._query.lastProgress is not None

    def look(self) -> None:
        """Tells that the query has ended, if it has; or, where that passes, begins it again after a while."""
        if self._pausing is not None:
            if self._pausing.seconds >= self._pause:
                self._pausing, self._pause = None, min(2 * self._pause, _LONGEST_PAUSE_SECONDS)
                self._query = self._writer.start()
        elif not self._query.isActive:
            error = self._error or self._query.exception() or RuntimeError("the query was stopped")
            self._error = None
            if _PASSING.search(str(error)):
                self._warn(f"{reason(error)}; trying again in {self._pause:.0f} s")
                self._pausing = Stopwatch()
            else:
                self.handover.end(error)

    def stop(self) -> None:
        """Brings no more."""
        self._query.stop()
