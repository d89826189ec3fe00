"""The source of what Spark reads."""

from __future__ import annotations

import json
import shutil
import tempfile
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limecep.errors import RunFailure
from limecep_spark.failures import reason
from limecep_spark.frames import Rows, Shape, message_column, read, taken
from limecep_spark.readers import Stream, Table, rows
from limecep_spark.session import kafka_package, running

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.contracts.context import Context
    from limecep.contracts.source import Message
    from limecep_spark.config import SparkSettings, SparkSourceOptions


class SparkSource:
    """Rows of a table, or of a stream (`limecep.contracts.source`).

    A stream is a query of Spark, whose micro-batches end when all their messages are committed: only then
    does its checkpoint say that they are done with. What was committed of the one that goes on is noted
    beside it. Positions are `channel:number`, those of Kafka `topic:partition:offset`.

    Attributes:
        fields: The columns, once it is open; None where they hold messages.
    """

    def __init__(
        self, channel: str, settings: SparkSettings, options: SparkSourceOptions, context: Context
    ) -> None:
        self.fields: Sequence[str] | None = None
        self._channel = channel
        self._settings = settings
        self._options = options
        self._context = context
        self._name = context.label.partition(".")[2]
        self._messages = Rows(["value"], channel, placed=False)
        self._frame: Any = None
        self._brought: Table | Stream | None = None
        self._checkpoint = context.root / settings.checkpoint
        self._passing = ""
        self._batch = 0
        self._left: Sequence[tuple[int, Any]] = ()
        #: The last place of each log that was polled, or is not to be; and the last one that is done with.
        self._reached: dict[str, int] = {}
        self._done: dict[str, int] = {}
        self._count = self._arrived = 0

    # -- beginning and end ---------------------------------------------------------------------------------

    def seek(self, positions: Sequence[str]) -> None:
        """Goes on after these positions: of a table, what is before them is read, and left out."""
        self._reached = dict(map(_place, positions))

    def open(self) -> None:
        """Begins to read, and does not wait.

        Raises:
            RunFailure: There is no Java, or Spark cannot read this, or its checkpoint and the state do not go
                together.
        """
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        packages = [kafka_package()] if self._options.format == "kafka" else []
        spark, _ = running(self._options, self._context.pipeline, packages)
        try:
            frame = read(spark, self._channel, self._settings, self._options, self._context.root)
            message = message_column(self._settings, self._options)
            shape = Shape(taken(frame, self._settings.select), message)
            self.fields, self._frame = shape.fields, shape.frame
            # Only a topic itself is known to come in the order of its offsets.
            topic = self._options.format == "kafka" and not self._settings.select
            self._messages = Rows(shape.columns, self._channel, placed=topic)
            if self._settings.stream:
                self._resume()
                self._brought = Stream(shape.frame, self._checkpoint, self._context.logger.warning)
            else:
                self._brought = Table(shape.frame)
        except (PySparkException, Py4JError, ValueError) as error:
            raise self._failure(error) from None

    def _resume(self) -> None:
        """Finds out what of the next micro-batch is done with."""
        if not self._settings.checkpoint:
            self._passing = tempfile.mkdtemp(prefix="limecep-spark-")
            self._checkpoint = Path(self._passing)
        note = self._checkpoint / "done.json"
        self._done = json.loads(note.read_text()) if note.exists() else {}
        if self._reached and not (self._checkpoint / "offsets").exists():
            raise ValueError(
                "the state goes on from where another run was, but no checkpoint of Spark's does: "
                "use the 'checkpoint' of that run, or remove the state"
            )
        if any(place < self._done.get(log, -1) for log, place in self._reached.items()):
            raise ValueError(
                f"the checkpoint {self._checkpoint} is ahead of the state, what is between them would be "
                "lost: use a state and a checkpoint of one run, or remove both"
            )
        self._reached = {**self._done, **self._reached}

    def close(self) -> None:
        """Brings no more. Spark goes on running, for whoever needs it next, until the process ends."""
        if self._brought is not None:
            self._brought.stop()
            self._brought = None
        if self._passing:
            shutil.rmtree(self._passing, ignore_errors=True)

    # -- reading -------------------------------------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether what comes from now on will be read."""
        return self._brought is not None and self._brought.begun

    @property
    def ended(self) -> bool:
        """Whether the table was read to its end."""
        if self._settings.stream or self._brought is None or self._left:
            return False
        return self._brought.handover.over and self._brought.handover.empty

    def poll(self, limit: int, timeout: float) -> Sequence[Message]:
        """Up to `limit` messages, after at most `timeout` seconds.

        Raises:
            RunFailure: Spark could not go on.
        """
        if self._brought is None:
            return []
        handover = self._brought.handover
        if not self._left:
            chunk = handover.take(timeout)
            if chunk is None:
                self._brought.look()
                if handover.error is not None and handover.empty:
                    raise self._failure(handover.error)
                return []
            self._batch, self._left = chunk
        now, self._left = self._left[:limit], self._left[limit:]
        self._count += len(now)
        messages = list(self._made(now, self._reached))
        handover.done(len(now) - len(messages))
        return messages

    def _made(self, numbered: Iterable[tuple[int, Any]], reached: dict[str, int]) -> Iterator[Message]:
        """Messages of rows, but for those that are done with."""
        stream = self._settings.stream
        if stream:
            self._arrived = max(self._arrived, self._context.clock.now())
        for number, row in numbered:
            log, place = self._messages.place(row, self._batch, number)
            if place <= reached.get(log, -1):
                continue
            reached[log] = place
            self._arrived += 1
            yield self._messages.message(row, f"{log}:{place}", self._arrived if stream else None)

    def commit(self, positions: Sequence[str]) -> None:
        """These are done with: when all of a micro-batch are, Spark notes that the batch is.

        Raises:
            RunFailure: It cannot be noted.
        """
        self._done.update(map(_place, positions))
        if self._settings.checkpoint and positions:
            note = self._checkpoint / "done.json"
            new = note.with_suffix(".new")
            try:
                new.write_text(json.dumps(self._done))
                new.replace(note)
            except OSError as error:
                raise RunFailure(f"cannot write {note}: {error.strerror or error}") from None
        if self._brought is not None:
            self._brought.handover.done(len(positions))

    def replay(self, t_from: int, t_to: int) -> Iterable[Message] | None:
        """The rows of a table that were read so far; None of a stream. Of an empty range, nothing.

        Raises:
            RunFailure: While they are read: Spark cannot.
        """
        if self._settings.stream:
            return None
        return self._again(self._count) if t_from <= t_to else ()

    def _again(self, count: int) -> Iterator[Message]:
        try:
            yield from self._made(islice(rows(self._frame), count), {})
        except Exception as error:
            raise self._failure(error) from None

    def _failure(self, error: BaseException) -> RunFailure:
        return RunFailure(f"source '{self._name}': {reason(error)}")


def _place(position: str) -> tuple[str, int]:
    log, _, place = position.rpartition(":")
    return log, int(place)
