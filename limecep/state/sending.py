"""Sending: what was committed is handed to the sinks, and struck out once they have it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from limecep.errors import Stopped
from limecep.state.drains import Drains

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from limecep.contracts.state import StateStore
    from limecep.output.delivery import Delivery
    from limecep.state.book import Book
    from limecep.state.outbox import Load, Outbox

#: How long sinks may take to end once a run does, in seconds.
ENDING_SECONDS = 0.4


class Ending(Protocol):
    """As far as a run that is to end says so."""

    def asked(self) -> bool:
        """Whether it is to end."""

    def check(self, undone: str = "") -> None:
        """Raises `Stopped` once that was longer ago than a run may still go on."""


class Sending:
    """Sends what the outbox has, when it is asked to, and waits for it.

    Args:
        outbox: Has it.
        store: Where it is struck out.
        book: Knows what is to be written before it is sent.
        state: What the state is called.

    Attributes:
        struck_out: Whether something was that is not committed.
    """

    def __init__(self, outbox: Outbox, store: StateStore, book: Book, state: str) -> None:
        self._outbox = outbox
        self._store = store
        self._book = book
        self._state = state
        self.struck_out = False

    def deliver(self) -> None:
        """Returns when the sinks have what was committed. They are open.

        Raises:
            RunFailure: A sink cannot take it.
        """
        while loads := self._next():
            for load in loads:
                load.carry()
            self._strike_out(loads)
            self.commit()

    def collect(self) -> None:
        """Strikes out what sinks have taken meanwhile, to be committed with what comes next."""

    def commit(self) -> None:
        """Keeps what was struck out. A power failure may undo it: it is then sent once more."""
        if self.struck_out:
            self._store.commit(durable=False)
            self.struck_out = False

    def _next(self) -> Sequence[Load]:
        if self._outbox.assign():
            put, deleted = self._book.changes()
            self._store.delete(deleted)
            self._store.put(put)
            self._store.commit()
        return self._outbox.loads(self._state)

    def _strike_out(self, loads: Sequence[Load]) -> None:
        for load in loads:
            self._store.delete(self._outbox.done(load))
            self.struck_out = True


class ThreadedSending(Sending):
    """Sends what the outbox has by threads, so that neither the input nor another sink waits for a sink, as
    long as there is room.

    Args:
        outbox, store, book, state: As of `Sending`.
        logger: The logger.
        ending: Knows whether the run is to end.
    """

    def __init__(
        self, outbox: Outbox, store: StateStore, book: Book, state: str, logger: Any, ending: Ending
    ) -> None:
        super().__init__(outbox, store, book, state)
        self._logger = logger
        self._ending = ending
        self._drains: Drains | None = None
        self._dropping: set[str] = set()

    def open(self, delivery: Delivery) -> None:
        """Opens the sinks, and begins. One that is not open after a moment opens later.

        Raises:
            Exception: Whatever a sink raises that cannot be opened.
        """
        self._drains = Drains(delivery.outlets)
        for name in self._drains.opening():
            self._logger.warning("a sink is not open yet: what is for it waits in the state", sink=name)
        delivery.open(each=False)

    def collect(self) -> None:
        """Strikes out what sinks have taken meanwhile."""
        if self._drains is not None:
            self._strike_out(self._drains.carried())

    def deliver(self) -> None:
        """Hands over what can be. Returns when there is room for more, or the run is to end.

        Raises:
            Exception: Whatever a sink has raised.
        """
        self._turn()
        self._drop()
        told = False
        while (full := self._full()) and not self._ending.asked():
            if not told:
                told = True
                self._logger.warning("the outbox is full, and the input waits for the sink", sinks=full)
            self._turn(wait=True)

    def finish(self) -> bool:
        """Returns when the sinks have everything, or the run was asked to end a moment ago; says whether they
        have.

        Raises:
            Exception: Whatever a sink has raised.
        """
        try:
            while self._outbox.count:
                self._turn(wait=True)
                self._ending.check()
        except Stopped:
            waiting = {name: box.count for name, box in self._outbox.boxes.items() if box.count}
            self._logger.warning("sinks did not take all records: they wait for the next run", **waiting)
            return False
        finally:
            # Nothing else is written any more.
            self.commit()
        return True

    def close(self) -> list[list[FrameType]]:
        """The threads are to end; gives what those are in that do not."""
        drains, self._drains = self._drains, None
        hung = [] if drains is None else drains.end(ENDING_SECONDS)
        for drain in hung:
            for outlet in drain.outlets:
                outlet.hung = True
        return [drain.frames for drain in hung]

    def _turn(self, *, wait: bool = False) -> None:
        drains = self._drains
        assert drains is not None
        self._strike_out(drains.carried(wait=wait))
        if wait:
            # Nothing else may be committed for a while.
            self.commit()
        drains.check()
        drains.hand(self._next())

    def _full(self) -> list[str]:
        return [name for name, box in self._outbox.boxes.items() if box.full and not box.outlet.bound.drops]

    def _drop(self) -> None:
        dropped = self._outbox.drop_oldest()
        for name in dropped:
            if name not in self._dropping:
                self._dropping.add(name)
                self._logger.warning(
                    "the outbox of a sink is full, and what has waited longest is dropped (more is counted)",
                    sink=name,
                    dropped=dropped[name],
                )
        self._dropping = {name for name in self._dropping if self._outbox.boxes[name].rows}
