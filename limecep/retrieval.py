"""Retrieval: events that memory no longer holds, from where they still stand."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

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
        self, needed: Span, others: Iterable[Span], room: int, unseen: Sequence[Event]
    ) -> tuple[Spans, list[Event]]:
        """The events of some ranges.

        Args:
            needed: The range that must be had.
            others: Ranges that are had with it, if there is room.
            room: How many events there is room for.
            unseen: Events that were read, but have not come yet: they are left out, an earlier copy is not.

        Returns:
            The ranges; all events in them, those of a source in the order in which they came.

        Raises:
            Unavailable: They cannot be had.
        """
        watch = Stopwatch()
        only = Spans([needed])
        spans = Spans([needed, *others])
        try:
            journaled = None if self._journal is None else _from_journal(self._journal, spans, only, room)
            try:
                spans, found = journaled or self._from_logs(spans, only, room, unseen)
            except Unavailable as error:
                if self._journal is None:
                    raise
                raise Unavailable(f"{error}, and the journal does not reach back so far") from None
        finally:
            self.times += 1
            self.seconds += watch.seconds
        self.events += len(found)
        return spans, found

    def _from_logs(
        self, spans: Spans, only: Spans, room: int, unseen: Sequence[Event]
    ) -> tuple[Spans, list[Event]]:
        if not self._feeds:
            raise Unavailable("there is no source to read again")
        found: list[Event] = []
        for feed in self._feeds:
            mine: list[Event] = []
            try:
                log = read_again(feed, *spans.hull)
                if log is None:
                    raise Unavailable(f"source '{feed.name}' cannot be read again")
                for events in log:
                    self._raise_if_stopped()
                    mine += _within(spans, events)
                    if len(found) + len(mine) > room and spans is not only:
                        spans, found, mine = only, _within(only, found), _within(only, mine)
            except RunFailure as error:
                raise Unavailable(str(error)) from None
            found += _without(mine, [*unseen, *feed.waiting])
        return spans, found


def _from_journal(journal: Journal, spans: Spans, only: Spans, room: int) -> tuple[Spans, list[Event]] | None:
    """As `Retrieval.fetch`; None if the journal does not reach back so far."""
    found: list[Event] = []
    for low, high in spans:
        events = journal.events(low, high)
        if events is None:
            # How far it reaches back decides.
            return None if low >= only.hull[0] else _from_journal(journal, only, only, room)
        found += events
    if len(found) > room:
        return only, _within(only, found)
    return spans, found


def _within(spans: Spans, events: Sequence[Event]) -> list[Event]:
    low, high = spans.hull
    return [e for e in events if low <= e.t_gen <= high and e.t_gen in spans]


def _without(events: Sequence[Event], unseen: Sequence[Event]) -> list[Event]:
    """Events without those that have not come yet, which are the last of their identity."""
    left = Counter((e.type, e.source, e.id) for e in unseen)
    seen = []
    for event in reversed(events):
        identity = (event.type, event.source, event.id)
        if left[identity]:
            left[identity] -= 1
        else:
            seen.append(event)
    return seen[::-1]
