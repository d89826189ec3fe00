"""In the workers: what Spark calls for a key, when something came to it, and when its time has come."""

from __future__ import annotations

import gc
from functools import lru_cache
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
        # Turns are rubbish soon, and few of their objects are in circles: it is enough to look now and then.
        gc.set_threshold(20_000, 10, 10)
        # What is known of the key, the timer it has, when it is to have its turn, and whether nothing waits
        # for that, so that all that is to be done then is to forget it.
        self._known = handle.getValueState("known", "memory binary, timer long, due long, idle boolean")
        self._kernels = _at_hand(self._work)
        self._rendering = Rendering(self._work)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Row]:
        """Something came to a key."""
        (name,) = key
        if name == ASIDE:
            return self._aside(rows)
        return self._came(name, rows, timerValues)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:
        """Time has come for a key to which nothing came, or has just come."""
        known = self._known.get()
        if known is None:
            return
        (name,) = key
        memory, _, due, idle = known
        told = timerValues.getCurrentWatermarkInMs() * 1000
        # Spark lets go of the timer that expired.
        if told <= due and told < OVER:
            self._known.update((bytes(memory), self._called_by(due, None), due, idle))
        elif idle:
            self._known.clear()
        else:
            yield from self._turned(self._turn(name, memory, told), None)

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

    def _came(self, name: str, rows: Iterator[Any], timer_values: Any) -> Iterator[Row]:
        decoded = [value for row in rows for value in decode(row.body)]
        # As one process would have merged them: by arrival, ties in the order of sources, files and lines.
        decoded.sort(key=lambda d: (d[2], d[3], d[1].rpartition(":")[0], d[4]))
        memory, timer, *_ = self._known.get() or (None, None)
        turn = self._turn(name, memory, timer_values.getCurrentWatermarkInMs() * 1000)
        turn.feed([event_in(d[0]) for d in decoded], [d[1] for d in decoded])
        yield from self._turned(turn, timer)

    def _turn(self, name: str, memory: Any, told: int) -> Turn:
        kernel = self._kernels[group_of(name, self._work.groups).number]
        return kernel.turn(None if memory is None else bytes(memory), told)

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
            if timer is not None and timer * 1000 <= turn.told:
                # It would expire in this very batch.
                self._handle.deleteTimer(timer)
                timer = None
            due = turn.due
            timer = self._called_by(due, timer)
            self._known.update((memory, timer, due, turn.idle))
            return
        self._known.clear()
        if timer is not None:
            self._handle.deleteTimer(timer)

    def _called_by(self, due: int, timer: int | None) -> int | None:
        """Sees to it that the key is called once a time has strictly passed; gives the timer that does. One
        that it has stays where it is earlier: a call in vain now and then costs less than a new timer each
        batch."""
        if due >= FOREVER:
            return timer
        expiry = min(max(due // 1000 + 1, 1), OVER // 1000)
        if timer is not None and timer <= expiry:
            return timer
        if timer is not None:
            self._handle.deleteTimer(timer)
        self._handle.registerTimer(expiry)
        return expiry


@lru_cache(maxsize=2)
def _at_hand(work: Work) -> list[Kernel]:
    """What lasts from task to task, as long as the worker does."""
    return [Kernel(group.config, work) for group in work.groups]


def _row(value: tuple[int, str]) -> Row:
    return Row(sink=value[0], value=value[1])
