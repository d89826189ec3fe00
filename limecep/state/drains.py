"""Drains: each hands sinks what waits for them in a thread of its own, so that none waits for another."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from limecep.clock import Stopwatch
from limecep.errors import Stopped
from limecep.whereabouts import frames_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from limecep.output.outlets import Outlet
    from limecep.state.outbox import Load

#: How long a run waits at its beginning for sinks to connect, in seconds. What is for those that have not
#: waits for them.
OPENING_SECONDS = 2.0
#: How often the wait for a sink is looked up from, in seconds.
_GLANCE_SECONDS = 0.05


class Drain:
    """A thread that opens some sinks, and hands them their loads one after the other.

    Args:
        outlets: The sinks: those that share a connector.
        done: Takes what was carried.

    Attributes:
        opened: Set once they are open, or cannot be.
        failure: Why it ended before it was to.
    """

    def __init__(self, outlets: Sequence[Outlet], done: SimpleQueue[Load]) -> None:
        self.opened = threading.Event()
        self.failure: BaseException | None = None
        self.outlets = outlets
        self._done = done
        self._loads: SimpleQueue[Load | None] = SimpleQueue()
        names = ", ".join(outlet.name for outlet in outlets)
        self._thread = threading.Thread(target=self._run, name=f"limecep sink {names}", daemon=True)
        self._thread.start()

    def hand(self, load: Load) -> None:
        """It is to carry this."""
        self._loads.put(load)

    def end(self) -> None:
        """It is to end after what it has."""
        self._loads.put(None)

    def ended(self, seconds: float) -> bool:
        """Whether it does within so many seconds."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def frames(self) -> list[FrameType]:
        """What it is in, the outermost first."""
        return frames_of(self._thread.ident or 0)

    def _run(self) -> None:
        outlet = self.outlets[0]
        try:
            for outlet in self.outlets:
                outlet.open()
            self.opened.set()
            while (load := self._loads.get()) is not None:
                outlet = load.outlet
                load.carry()
                self._done.put(load)
        except Stopped:
            # What it did not take waits for the next run.
            outlet.stuck = True
        except (Exception, SystemExit) as error:
            self.failure = error
        except BaseException as error:
            # Such as SystemExit, which would end this thread without a word.
            self.failure = RuntimeError(f"{type(error).__name__}: {error}")
            self.failure.__cause__ = error
        finally:
            self.opened.set()


class Drains:
    """The drains of a pipeline: one for the sinks of each connector.

    Args:
        outlets: The sinks.
    """

    def __init__(self, outlets: Sequence[Outlet]) -> None:
        self._done: SimpleQueue[Load] = SimpleQueue()
        lanes: list[list[Outlet]] = []
        for outlet in outlets:
            lane = next((lane for lane in lanes if lane[0].shares == outlet.shares), None)
            if lane is None:
                lanes.append(lane := [])
            lane.append(outlet)
        self._drains = [Drain(lane, self._done) for lane in lanes]
        self._of = {outlet.name: drain for drain in self._drains for outlet in drain.outlets}

    def opening(self) -> list[str]:
        """Waits for the sinks to open, for a moment; gives the names of those that have not.

        Raises:
            Exception: Whatever one of them raises that cannot be opened.
        """
        watch = Stopwatch()
        for drain in self._drains:
            drain.opened.wait(max(0.0, OPENING_SECONDS - watch.seconds))
        self.check()
        return [o.name for drain in self._drains if not drain.opened.is_set() for o in drain.outlets]

    def check(self) -> None:
        """Raises what a sink has raised.

        Raises:
            Exception: Whatever that is.
        """
        for drain in self._drains:
            if drain.failure is not None:
                raise drain.failure

    def hand(self, loads: Sequence[Load]) -> None:
        """The sinks are to be handed these."""
        for load in loads:
            self._of[load.outlet.name].hand(load)

    def carried(self, *, wait: bool = False) -> list[Load]:
        """What sinks have taken since this was asked last; where that is nothing it may be waited for, for a
        moment."""
        found = []
        try:
            if wait:
                found.append(self._done.get(timeout=_GLANCE_SECONDS))
            while True:
                found.append(self._done.get_nowait())
        except Empty:
            return found

    def end(self, seconds: float) -> list[Drain]:
        """They are to end after what they have; gives those that did not within so many seconds."""
        for drain in self._drains:
            drain.end()
        watch = Stopwatch()
        return [d for d in self._drains if not d.ended(max(_GLANCE_SECONDS, seconds - watch.seconds))]
