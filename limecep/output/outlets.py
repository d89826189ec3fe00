"""Outlets: a sink with what it is sent, and how much of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.contracts.sink import Showing, Transactional
from limecep.output.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.sink import Sink
    from limecep.model.update import Update
    from limecep.output.record import Events, Record
    from limecep.output.repeating import Repeating

    #: Copies a value.
    Own = Callable[[Any], Any]
    #: What gives the records that go out in the place of some.
    Change = Callable[[Sequence[Record]], Sequence[Record]]


class Demand(NamedTuple):
    """What a sink of updates takes, for whoever renders them somewhere else.

    Attributes:
        events: How much of each event a record carries.
        delay: Whether records say how late they are, for people.
        patterns: The patterns whose updates it takes; none for all.
    """

    events: Events
    delay: bool
    patterns: frozenset[str]


class Bound(NamedTuple):
    """How much may wait for a sink, where what waits is kept.

    Attributes:
        size: In bytes.
        drops: Whether the oldest go where there is more; else the input waits.
    """

    size: int = 64_000_000
    drops: bool = False


BOUND = Bound()


class Repeat(NamedTuple):
    """How a sink is told of a match again.

    Attributes:
        every: After how long, in microseconds of the arrival clock.
        until: The pattern whose matches acknowledge; "" for none.
        most: How often at most.
    """

    every: int
    until: str
    most: int


class Outlet:
    """A sink, and whether it was sent anything that it has not made durable.

    Args:
        name: Its name.
        sink: The sink.
        own: Copies what a sink is handed that may change it; None for one that leaves it as it is.
        through: Changes records at the last moment; None where they go out as they are.
        shares: Sinks for which that is equal share something: they are not used at the same time.
        bound: How much may wait for it.
        repeating: Has it told of matches again; None where nothing does.

    Attributes:
        sent: How many records it was sent.
        stuck: Whether the run had to end while it waited for this sink: it is sent nothing more.
        hung: Whether a thread is still in one of its methods.
        post: Takes records on their way to it: `pass_on`, or what lies between.
    """

    def __init__(
        self,
        name: str,
        sink: Sink,
        own: Own | None = None,
        through: Change | None = None,
        shares: object = None,
        bound: Bound = BOUND,
        repeating: Repeating | None = None,
    ) -> None:
        self.post: Callable[[Sequence[Record]], None] = self.pass_on
        self.name = name
        self.shares = shares
        self.bound = bound
        self.repeating = repeating
        self.sent = 0
        self.stuck = self.hung = False
        self._sink = sink
        self._own = own
        self._through = through
        self._transactional = sink if isinstance(sink, Transactional) else None
        self._flushed = 0

    @property
    def writes(self) -> bool:
        """Whether records have to be made for it at all."""
        return not self._sink.counts_only

    @property
    def transactional(self) -> bool:
        """Whether it takes all up to a flush or none of it."""
        return self._transactional is not None

    @property
    def waiting(self) -> int:
        """How many of the records that it was sent are not durable yet."""
        return self.sent - self._flushed

    def open(self) -> None:
        """Opens the sink.

        Raises:
            RunFailure: It cannot be written.
        """
        self._sink.open()

    def take(self, records: Sequence[Record]) -> None:
        """Takes records that others are handed, too."""
        self.accept(records if self._own is None else list(map(self._own, records)))

    def accept(self, records: Sequence[Record]) -> None:
        """Takes records that are its own."""
        self.post(records if self.repeating is None else self.repeating(records))

    def repeat(self) -> None:
        """Takes the records again whose time has come."""
        if self.repeating is not None and (due := self.repeating.due()):
            self.post(due)

    def pass_on(self, records: Sequence[Record]) -> None:
        """Sends records."""
        if records and self.writes:
            if self._through is not None and not (records := self._through(records)):
                return
            self._sink.send(records)
            self.sent += len(records)

    def begin(self, batch: str) -> bool:
        """The records of a batch are about to be passed on; says whether the sink does not have them yet."""
        return self._transactional is None or self._transactional.begin(batch)

    def flush(self) -> None:
        """Returns when everything sent is durable."""
        if self._flushed < self.sent:
            self._sink.flush()
            self._flushed = self.sent

    def close(self) -> None:
        """Closes the sink. May be called twice, and without `open`."""
        self._sink.close()


class UpdateOutlet(Outlet):
    """A sink that takes the updates of some patterns, or of all."""

    def __init__(
        self,
        name: str,
        sink: Sink,
        events: Events,
        patterns: Sequence[str],
        own: Own | None = None,
        through: Change | None = None,
        shares: object = None,
        bound: Bound = BOUND,
        repeating: Repeating | None = None,
    ) -> None:
        super().__init__(name, sink, own, through, shares, bound, repeating)
        self._renderer = Renderer(events, own=own)
        self._patterns = frozenset(patterns)
        self._demand = Demand(events, delay=False, patterns=self._patterns)

    def open(self) -> None:
        """As every outlet. People are shown all there is to a match."""
        super().open()
        if isinstance(self._sink, Showing) and self._sink.for_people:
            self._renderer = Renderer(delay=True, own=self._own)
            self._demand = Demand("full", delay=True, patterns=self._patterns)

    @property
    def demand(self) -> Demand | None:
        """What it takes, once it is open; None if no records have to be made for it."""
        return self._demand if self.writes else None

    def send(self, updates: Sequence[Update]) -> None:
        """Renders and sends what it takes."""
        if self.writes:
            render, wanted = self._renderer.render, self._patterns
            records = [render(u) for u in updates if not wanted or u.pattern in wanted]
            if records:
                self.accept(records)
