"""Retrieval: events that memory no longer holds, from where they still stand."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from limecep.clock import Stopwatch
from limecep.errors import RunFailure
from limecep.rereading import read_again
from limecep.spans import Spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from limecep.contracts.journal import Journal
    from limecep.feeding import Feed
    from limecep.model.event import Event
    from limecep.spans import Span


class Unavailable(Exception):
    """Events cannot be had again, and why, in words for the user."""


class Retrieval:
    """Reads events again: from a journal, which has them as they entered, else from the logs of the
    sources.

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

    @cached_property
    def possible(self) -> bool:
        """Whether there was anything to read from when this was first asked."""
        if self._journal is not None:
            return True
        try:
            # Whoever has a log has it for a range in which there is nothing, too.
            return bool(self._feeds) and all(read_again(feed, 0, -1) is not None for feed in self._feeds)
        except RunFailure:
            return True

    def fetch(
        self, needed: Span, others: Sequence[Span], room: int, batch: Sequence[Event], at: int
    ) -> tuple[Spans, list[Event]]:
        """The events of some ranges.

        Args:
            needed: The range that must be had.
            others: Ranges that are had with it, the first ones as far as there is room.
            room: How many events there is room for.
            batch: What is being taken in.
            at: The place in it from which on nothing has come yet. That is left out, an earlier copy is not.

        Returns:
            The ranges; all events in them, those of a source in the order in which they came.

        Raises:
            Unavailable: They cannot be had.
        """
        watch = Stopwatch()
        journal = self._journal
        try:
            if journal is not None and journal.begins <= needed[0]:
                wanted = _Wanted(needed, [s for s in others if journal.begins <= s[0]], room)
                for low, high in wanted.spans:
                    self._raise_if_stopped()
                    wanted.add(journal.events(low, high))
                # What has entered of the batch is not in the journal yet.
                wanted.add([msgspec.structs.replace(e) for e in batch[:at] if e.ordinal])
            else:
                wanted = _Wanted(needed, others, room)
                self._from_logs(wanted, batch[at:])
        except Unavailable as error:
            if journal is None:
                raise
            raise Unavailable(f"{error}, and the journal does not reach back so far") from None
        finally:
            self.times += 1
            self.seconds += watch.seconds
        self.events += len(wanted.found)
        return wanted.spans, wanted.found

    def _from_logs(self, wanted: _Wanted, unseen: Sequence[Event]) -> None:
        if not self._feeds:
            raise Unavailable("there is no source to read again")
        for feed in self._feeds:
            try:
                log = read_again(feed, *wanted.spans.hull)
                if log is None:
                    raise Unavailable(f"source '{feed.name}' cannot be read again")
                for events in log:
                    self._raise_if_stopped()
                    wanted.add(events)
            except RunFailure as error:
                raise Unavailable(str(error)) from None
            wanted.leave_out(e for e in (*unseen, *feed.waiting) if e.source == feed.name)


class _Wanted:
    """Ranges to be had, and what was found of them.

    Args:
        needed: The range that must be had.
        others: Ranges that are given up, the last ones first, where there is no room for what they hold.
        room: How many events there is room for.

    Attributes:
        spans: The ranges.
        found: The events in them.
    """

    def __init__(self, needed: Span, others: Sequence[Span], room: int) -> None:
        self._needed = needed
        self._others = others
        self._room = room
        self.spans = Spans([needed, *others])
        self.found: list[Event] = []

    def reduce(self, others: int) -> bool:
        """Gives up all but so many of the other ranges; says whether that was any."""
        if others >= len(self._others):
            return False
        self._others = self._others[:others]
        self.spans = Spans([self._needed, *self._others])
        self.found = self._within(self.found)
        return True

    def add(self, events: Sequence[Event]) -> None:
        """Takes of some events those that are wanted."""
        self.found += self._within(events)
        while len(self.found) > self._room and self.reduce(len(self._others) // 2):
            pass

    def leave_out(self, unseen: Iterable[Event]) -> None:
        """Drops what has not come yet: the last of each identity."""
        left = Counter(map(_identity, self._within(unseen)))
        if not left:
            return
        seen = []
        for event in reversed(self.found):
            identity = _identity(event)
            if left[identity]:
                left[identity] -= 1
            else:
                seen.append(event)
        self.found = seen[::-1]

    def _within(self, events: Iterable[Event]) -> list[Event]:
        spans = self.spans
        low, high = spans.hull
        return [e for e in events if low <= e.t_gen <= high and e.t_gen in spans]


def _identity(event: Event) -> tuple[str, str, str]:
    return event.type, event.source, event.id
