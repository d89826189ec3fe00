"""A pipeline that a program feeds: what it is given goes through detection, state and sinks, one call after
the other."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from limecep.clock import Stopwatch, SystemClock
from limecep.intake.given import InvalidEvent, Records, check_fields, rows
from limecep.intake.values import instant
from limecep.output.late_records import late_record
from limecep.runtime.retrieval import Retrieval
from limecep.runtime.updates import Change, Refused, Updates

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator

    from limecep.clock import Clock
    from limecep.config.model import PipelineConfig
    from limecep.detection.detection import Detection
    from limecep.model.event import Event
    from limecep.model.update import Update
    from limecep.output.delivery import Delivery
    from limecep.output.late import LateOutput
    from limecep.patterns.detector import Refusal
    from limecep.runtime.assembly import Assembly
    from limecep.runtime.observing import Observing
    from limecep.runtime.report import Account
    from limecep.state.keeper import Keeper

#: Of an event that cannot be used, the late output has the beginning.
_RAW_CHARACTERS = 1000


class Feeding:
    """Takes what a program feeds. Threads take turns: each gets what its own call has caused.

    Args:
        config: The pipeline.
        clock: The arrival clock. The machine's gives the arrival of records that have none.
        account: Counts.
        delivery: The sinks, not open yet.
        late: The late output.

    Attributes:
        detection: What detects, once it is made; its updates go to `found`.
    """

    detection: Detection

    def __init__(
        self, config: PipelineConfig, clock: Clock, account: Account, delivery: Delivery, late: LateOutput
    ) -> None:
        self._clock = clock
        self._account = account
        self._delivery = delivery
        self._late = late
        self._keeper: Keeper | None = None
        self._logger: Any = None
        self._observing: Observing | None = None
        self._blame: Callable[[BaseException], object] = _raise
        self._lock = threading.Lock()
        self._feeder: int | None = None
        self._closed = self._finished = False
        self._failed: BaseException | None = None
        self._records: dict[tuple[tuple[str, Any], ...], Records] = {}
        self._updates: list[Change] = []
        self._refused: list[Refused] = []
        # What is returned need not go to standard output as well.
        delivery.leave_out([s.name for s in config.sinks if s.implied])

    def keep(self, keeper: Keeper | None) -> Keeper | None:
        """Its state is this one, which is given back. Before detection is made, whose past it has."""
        if keeper is not None:
            self._keeper = self._account.keeper = keeper
            self._account.retrieval = Retrieval((), keeper.journal)
        return keeper

    def begin(
        self,
        logger: Any,
        resume: Callable[[Keeper, Detection], object],
        assembly: Assembly,
    ) -> None:
        """Goes on from the state, and opens observers and sinks.

        Args:
            logger: The logger.
            resume: Has detection know what the state knows.
            assembly: Makes observers, and says whose an error is.

        Raises:
            RunFailure: The state, a sink or an observer cannot be had.
        """
        self._logger, self._blame = logger, assembly.blame
        try:
            if self._account.config.observers:
                from limecep.runtime.observing import Observing

                observing = Observing(assembly, self._account, lambda: self.detection, fed=True)
                self._observing = observing.__enter__()
            if self._keeper is not None:
                resume(self._keeper, self.detection)
            self._delivery.open()
            if self._keeper is not None:
                self._keeper.send()
        except (Exception, SystemExit) as error:
            self._failed = error
            self.close()
            self._blame(error)

    # -- what detection gives back -------------------------------------------------------------------------

    def found(self, update: Update) -> None:
        """Takes an update."""
        self._updates.append(Change.of(update))
        if self._delivery.wants_updates:
            self._delivery.update(update)

    def refused(self, refusal: Refusal) -> None:
        """Takes what detection refuses."""
        self._refused.append(Refused.by_detection(refusal))

    # -- what a program calls ------------------------------------------------------------------------------

    def feed(self, data: Any, invalid: Literal["raise", "refuse"], fields: dict[str, Any]) -> Updates:
        """As of `Pipeline.feed`."""
        if invalid not in ("raise", "refuse"):
            raise ValueError(f"invalid must be 'raise' or 'refuse', not {invalid!r}")
        # What gives them may take its time, or feed as well.
        given = list(rows(data))
        with self._turn():
            refuse = None if invalid == "raise" else self._refuse
            events = self._reader(fields).read(given, refuse)
            return self._caused(lambda: self.detection.feed(events), events)

    def advance(self, to: int | datetime) -> Updates:
        """As of `Pipeline.advance`."""
        if isinstance(to, bool) or not isinstance(to, int | datetime):
            raise TypeError(f"'to' must be a datetime, or microseconds since 1970 UTC, not {to!r}")
        if isinstance(to, datetime) and to.tzinfo is None:
            raise ValueError(f"'to' has no time zone, {to}: give the datetime a tzinfo, such as UTC")
        moment = to if isinstance(to, int) else instant(to)
        with self._turn():
            return self._caused(lambda: self.detection.advance(moment))

    def finish(self) -> Updates:
        """As of `Pipeline.finish`."""
        with self._turn(more=False):
            updates = self._caused(self.detection.finish)
            self._finished = True
            return updates

    async def stream(
        self,
        events: AsyncIterable[Any],
        refused: Callable[[Refused], object] | None,
        fields: dict[str, Any],
    ) -> AsyncIterator[Change]:
        """As of `Pipeline.stream`."""
        async for item in events:
            # Sinks and states wait, which the loop must not.
            piece = item if refused is None else _pieces(item)
            found = await asyncio.to_thread(self.feed, piece, "refuse" if refused else "raise", fields)
            for one in found.refused if refused else ():
                refused(one)  # type: ignore[misc]
            for update in found:
                yield update
        if self._keeper is None:
            for update in await asyncio.to_thread(self.finish):
                yield update

    def leave(self) -> None:
        """The program is done without an error. Without state nothing goes on waiting for time."""
        if self._closed or self._finished or self._keeper is not None:
            return
        left = self.finish()
        if left and not self._delivery.wants_updates:
            said = "updates that only the end of the input has caused went to no sink: call finish() for them"
            self._logger.warning(said, updates=len(left))

    def close(self) -> None:
        """Takes nothing more, and lets go of the state. May be called twice."""
        if self._feeder == threading.get_ident():
            raise RuntimeError("a pipeline cannot be closed from inside of its own feed, as by a sink")
        with self._lock:
            self._closed = True
            if self._keeper is not None:
                self._keeper.close()
            if self._observing is not None:
                observing, self._observing = self._observing, None
                observing.__exit__(None, self._failed, None)

    # -- how -----------------------------------------------------------------------------------------------

    @contextmanager
    def _turn(self, *, more: bool = True) -> Iterator[None]:
        """The turn of a thread. `more` says whether more of the input comes."""
        if self._feeder == threading.get_ident():
            raise RuntimeError("a pipeline cannot be fed from inside of its own feed, as by a sink")
        with self._lock:
            if self._closed:
                raise RuntimeError("this pipeline is closed: make another one")
            if self._finished and more:
                said = "the input of this pipeline is over since finish() was called: make another one"
                raise RuntimeError(said)
            if self._failed is not None:
                said = "this pipeline failed, and its state is that before: close it, and make another one"
                raise RuntimeError(said) from self._failed
            self._feeder = threading.get_ident()
            try:
                yield
            finally:
                self._feeder = None
                self._updates, self._refused = [], []

    def _reader(self, fields: dict[str, Any]) -> Records:
        check_fields(fields)
        key = tuple(sorted(fields.items()))
        if key not in self._records:
            now = self._clock.now if isinstance(self._clock, SystemClock) else None
            self._records[key] = Records(**fields, now=now, latest=self.detection.lta)
        return self._records[key]

    def _refuse(self, invalid: InvalidEvent) -> None:
        self._refused.append(Refused.by_intake(invalid))
        raw = repr(invalid.given)[:_RAW_CHARACTERS]
        position = str(invalid.number)
        self._late.take(late_record("invalid", source="", position=position, raw=raw, error=invalid.error))

    def _caused(self, act: Callable[[], object], events: list[Event] | None = None) -> Updates:
        watch = Stopwatch()
        try:
            self._account.handed += len(events or ())
            act()
            if self._keeper is None:
                self._delivery.flush()
            else:
                self._keeper.entered(events or ())
                self._keeper.commit()
                self._account.committed(self.detection)
                self._keeper.deliver()
            if self._observing is not None:
                self._observing.turn(None)
        except BaseException as error:
            if self._keeper is not None:
                # What is in memory may be half of a batch, and must not be kept.
                self._failed = error
            if isinstance(error, (Exception, SystemExit)):
                self._blame(error)
            raise
        finally:
            self._account.seconds += watch.seconds
        return Updates(self._updates, self._refused)


def _pieces(item: Any) -> Any:
    """What holds events; of what holds none a list, whose one element is refused as an event is."""
    try:
        return rows(item)
    except TypeError:
        return [item]


def _raise(error: BaseException) -> NoReturn:
    raise error
