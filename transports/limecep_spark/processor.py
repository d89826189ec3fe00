"""In the workers: what Spark calls for a key, when something came to it, and when its time has come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import Row
from pyspark.sql.streaming import StatefulProcessor

from limecep.management.deadlines import FOREVER
from limecep.state.writing import decode, event_in
from limecep_spark.grouping import group_of
from limecep_spark.keyed import Kernel
from limecep_spark.rendering import Rendering
from limecep_spark.work import ASIDE, OVER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep_spark.keyed import Turn
    from limecep_spark.work import Work


class KeyProcessor(StatefulProcessor):  # type: ignore[misc]
    """The pipeline's patterns for each key.

    The state of a key is read and written once a batch: each call goes through a socket.

    Args:
        work: The pipeline.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    def init(self, handle: Any) -> None:
        """A task begins."""
        self._handle = handle
        self._memory = handle.getValueState("memory", "memory binary, timer long")
        self._kernels = [Kernel(group.config, self._work) for group in self._work.groups]
        self._rendering = Rendering(self._work)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Row]:
        """Something came to a key."""
        (name,) = key
        if name == ASIDE:
            return self._aside(rows)
        return self._came(name, rows, timerValues)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:
        """Time has come for a key to which nothing came, or has just come."""
        (name,) = key
        turn, _ = self._turn(name, timerValues)
        # Spark has let go of the timer that expired.
        yield from self._turned(turn, None)

    def close(self) -> None:
        """A task is over."""

    def _aside(self, rows: Iterator[Any]) -> Iterator[Row]:
        """What belongs to no key goes out as it is."""
        for row in rows:
            if row.body is None:
                continue  # it told how far time has come
            what, *value = decode(row.body)
            if what == "late":
                yield from map(_row, self._rendering.late(value))
            elif what == "counts":
                yield from map(_row, self._rendering.counts(*value))

    def _came(self, name: str, rows: Iterator[Any], timer_values: Any) -> Iterator[Row]:
        decoded = [(*decode(row.body), row.arrived, row.source, row.number) for row in rows]
        # As one process would have merged them: by arrival, ties in the order of sources, files and lines.
        decoded.sort(key=lambda d: (d[2], d[3], d[1].rpartition(":")[0], d[4]))
        turn, timer = self._turn(name, timer_values)
        turn.feed([event_in(d[0]) for d in decoded], [d[1] for d in decoded])
        yield from self._turned(turn, timer)

    def _turn(self, name: str, timer_values: Any) -> tuple[Turn, int | None]:
        """A turn of a key, and the timer it has."""
        known = self._memory.get()
        told = timer_values.getCurrentWatermarkInMs() * 1000
        kernel = self._kernels[group_of(name, self._work.groups).number]
        if known is None:
            return kernel.turn(None, told), None
        return kernel.turn(bytes(known[0]), told), known[1]

    def _turned(self, turn: Turn, timer: int | None) -> Iterator[Row]:
        """What goes out; what is known then is written down.

        Args:
            turn: The turn, in which all has come that is to come.
            timer: The timer that the key has.
        """
        turn.end()
        yield from map(_row, self._rendering.updates(turn.updates))
        yield from map(_row, self._rendering.late(turn.late))
        yield from map(_row, self._rendering.counts(turn.counts()))
        memory = turn.memory()
        if memory is not None:
            self._memory.update((memory, self._called_by(turn.due, timer)))
            return
        self._memory.clear()
        if timer is not None:
            self._handle.deleteTimer(timer)

    def _called_by(self, due: int, timer: int | None) -> int | None:
        """Sees to it that the key is called once a time has strictly passed; gives the timer that does. One
        that it has stays where it is earlier: being called in vain now and then costs less than a new timer
        each batch."""
        if due >= FOREVER:
            return timer
        expiry = min(max(due // 1000 + 1, 1), OVER // 1000)
        if timer is not None and timer <= expiry:
            return timer
        if timer is not None:
            self._handle.deleteTimer(timer)
        self._handle.registerTimer(expiry)
        return expiry


def _row(value: tuple[int, str]) -> Row:
    return Row(sink=value[0], value=value[1])
