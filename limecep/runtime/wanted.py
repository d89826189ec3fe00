"""Ranges of events to be had again, and what of them has not come yet."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from limecep.detection.past import Unavailable
from limecep.detection.spans import Spans
from limecep.errors import RunFailure
from limecep.runtime.arrived import within

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.contracts.journal import Journal
    from limecep.detection.spans import Span
    from limecep.model.event import Event
    from limecep.runtime.arrived import Arrived
    from limecep.runtime.feeds import Feed
    from limecep.runtime.rereader import Rereader

    #: What tells an event, and copies of it.
    _Key = tuple[str, str, str, int]


class Wanted:
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

    def take(self, unseen: Unseen | None = None, waiting: Sequence[Event] = ()) -> None:
        """Takes what was read, in the order of arrival, less what has not come yet: of the batch, and of what
        waits."""
        self._read.sort(key=_arrival)
        events = [event for _, event in self._read]
        self._read = []
        self.found += events if unseen is None else unseen.left_out(events, waiting)


class Unseen:
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


def of_journal(
    wanted: Wanted, journal: Journal, entered: Sequence[Event], raise_if_stopped: Callable[[], None]
) -> None:
    """Takes what is wanted from a journal.

    Args:
        wanted: What is wanted.
        journal: The journal.
        entered: The events of the batch so far, which are not in the journal yet.
        raise_if_stopped: As of `Context`.
    """
    for low, high in wanted.spans:
        raise_if_stopped()
        wanted.add([(0, e) for e in journal.events(low, high)])
    copies = [(0, msgspec.structs.replace(e)) for e in entered if e.ordinal]
    wanted.add(within(wanted.spans, copies))
    wanted.take()


def of_logs(
    wanted: Wanted,
    rereaders: Mapping[Feed, Rereader],
    unseen: Unseen,
    raise_if_stopped: Callable[[], None],
) -> None:
    """Takes what is wanted from the logs of sources.

    Args:
        wanted: What is wanted.
        rereaders: What reads the log of each source again.
        unseen: Tells what of it has not come yet.
        raise_if_stopped: As of `Context`.

    Raises:
        Unavailable: There is a source that cannot be read again, or none at all.
    """
    if not rereaders:
        raise Unavailable("there is no source to read again")
    for feed, rereader in rereaders.items():
        try:
            log = rereader.read(wanted.spans)
            if log is None:
                raise Unavailable(f"source '{feed.name}' cannot be read again")
            for arrived in log:
                raise_if_stopped()
                wanted.add(arrived)
        except RunFailure as error:
            raise Unavailable(str(error)) from None
        wanted.take(unseen, feed.waiting)
