"""Retrieval: events that memory no longer holds, from where they still stand."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from limecep.clock import Stopwatch
from limecep.detection.past import Unavailable
from limecep.detection.spans import Spans
from limecep.errors import RunFailure
from limecep.runtime.arrived import within

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.journal import Journal
    from limecep.detection.spans import Span
    from limecep.model.event import Event
    from limecep.runtime.arrived import Arrived
    from limecep.runtime.feeds import Feed
    from limecep.runtime.rereader import Rereader

    #: What tells an event, and copies of it.
    _Key = tuple[str, str, str, int]


class Retrieval:
    """A `Past` that reads events again: from a journal, which has them as they entered, else from the logs
    of the sources.

    Args:
        feeds: The sources of the pipeline; asked once they are open.
        journal: The journal, if there is one.
        raise_if_stopped: As of `Context`.

    Attributes:
        times: How often something was read again.
        events: How many events were had.
        seconds: How long that took.
    """

    def __init__(
        self,
        feeds: Sequence[Feed],
        journal: Journal | None = None,
        raise_if_stopped: Callable[[], None] = lambda: None,
    ) -> None:
        self.times = 0
        self.events = 0
        self.seconds = 0.0
        self._feeds = feeds
        self._journal = journal
        self._raise_if_stopped = raise_if_stopped
        self._unseen = _Unseen()

    @cached_property
    def _rereaders(self) -> dict[Feed, Rereader]:
        # Most runs read nothing again.
        from limecep.runtime.rereader import Memory, Rereader

        memory = Memory()
        return {feed: Rereader(feed, memory) for feed in self._feeds}

    @cached_property
    def possible(self) -> bool:
        """Whether there was anything to read from when this was first asked."""
        if self._journal is not None:
            return True
        try:
            # Whoever has a log has it for a range in which there is nothing, too.
            return bool(self._rereaders) and all(r.possible for r in self._rereaders.values())
        except RunFailure:
            return True

    def told(self) -> dict[str, Any]:
        """Its figures, for the report."""
        return {"times": self.times, "events": self.events, "seconds": round(self.seconds, 6)}

    def fetch(
        self, needed: Span, others: Sequence[Span], room: int, batch: Sequence[Event], at: int
    ) -> tuple[Spans, list[Event]]:
        """As of `Past`."""
        watch = Stopwatch()
        journal = self._journal
        try:
            if journal is not None and journal.begins <= needed[0]:
                wanted = _Wanted(needed, [s for s in others if journal.begins <= s[0]], room)
                for low, high in wanted.spans:
                    self._raise_if_stopped()
                    wanted.add([(0, e) for e in journal.events(low, high)])
                # What has entered of the batch is not in the journal yet.
                entered = [(0, msgspec.structs.replace(e)) for e in batch[:at] if e.ordinal]
                wanted.add(within(wanted.spans, entered))
                wanted.take()
            else:
                wanted = _Wanted(needed, others, room)
                self._unseen.begin(batch, at)
                self._from_logs(wanted)
        except Unavailable as error:
            if journal is None:
                raise
            raise Unavailable(f"{error}, and the journal does not reach back so far") from None
        finally:
            self.times += 1
            self.seconds += watch.seconds
        self.events += len(wanted.found)
        return wanted.spans, wanted.found

    def _from_logs(self, wanted: _Wanted) -> None:
        if not self._rereaders:
            raise Unavailable("there is no source to read again")
        for feed, rereader in self._rereaders.items():
            try:
                log = rereader.read(wanted.spans)
                if log is None:
                    raise Unavailable(f"source '{feed.name}' cannot be read again")
                for arrived in log:
                    self._raise_if_stopped()
                    wanted.add(arrived)
            except RunFailure as error:
                raise Unavailable(str(error)) from None
            wanted.take(self._unseen, feed.waiting)


class _Wanted:
    """Ranges to be had, and what was found of them.

    Args:
        needed: The range that must be had.
        others: Ranges that are given up, the last ones first, where there is no room for what they hold.
        room: How many events there is room for.

    Attributes:
        spans: The ranges.
        found: The events in them, as far as they were taken.
    """

    def __init__(self, needed: Span, others: Sequence[Span], room: int) -> None:
        self._needed = needed
        self._others = others
        self._room = room
        self._read: list[Arrived] = []
        self._all = True
        self.spans = Spans([needed, *others])
        self.found: list[Event] = []

    def add(self, arrived: Sequence[Arrived]) -> None:
        """Some events of the ranges that there were at first were read, each with its arrival time."""
        self._read += arrived if self._all else within(self.spans, arrived)
        while self._others and len(self._read) + len(self.found) > self._room:
            self._all = False
            self._others = self._others[: len(self._others) // 2]
            self.spans = Spans([self._needed, *self._others])
            self._read = within(self.spans, self._read)
            self.found = [e for e in self.found if e.t_gen in self.spans]

    def take(self, unseen: _Unseen | None = None, waiting: Sequence[Event] = ()) -> None:
        """Takes what was read, in the order of arrival, less what has not come yet: of the batch, and of what
        waits."""
        self._read.sort(key=_arrival)
        events = [event for _, event in self._read]
        self._read = []
        self.found += events if unseen is None else unseen.left_out(events, waiting)


class _Unseen:
    """What was read of a batch, and has not come yet."""

    def __init__(self) -> None:
        self._batch: Sequence[Event] = ()
        self._at = 0
        self._times: frozenset[int] = frozenset()
        self._count: Counter[_Key] = Counter()

    def begin(self, batch: Sequence[Event], at: int) -> None:
        """Of a batch nothing has come from a place on."""
        if batch is not self._batch:
            self._batch, self._at = batch, 0
            self._times = frozenset(e.t_gen for e in batch)
            self._count = Counter(map(_key, batch))
        self._count.subtract(map(_key, batch[self._at : at]))
        self._at = at

    def left_out(self, events: Sequence[Event], waiting: Sequence[Event]) -> list[Event]:
        """Some events, in the order of arrival, without those that have not come: the last of their like."""
        times, count = self._times, self._count
        if waiting:
            times = times | {e.t_gen for e in waiting}
            count = count + Counter(map(_key, waiting))
        left: Counter[_Key] = Counter()
        seen = []
        for event in reversed(events):
            if event.t_gen in times:
                key = _key(event)
                if left[key] < count[key]:
                    left[key] += 1
                    continue
            seen.append(event)
        return seen[::-1]


def _arrival(arrived: Arrived) -> int:
    return arrived[0]


def _key(event: Event) -> _Key:
    return event.type, event.source, event.id, event.t_gen
