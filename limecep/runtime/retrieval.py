"""Retrieval: events that memory no longer holds, from where they still stand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from limecep.clock import Stopwatch
from limecep.detection.past import Unavailable
from limecep.errors import RunFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.journal import Journal
    from limecep.detection.spans import Span, Spans
    from limecep.model.event import Event
    from limecep.runtime.feeds import Feed
    from limecep.runtime.rereader import Rereader
    from limecep.runtime.wanted import Unseen


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

    @cached_property
    def _unseen(self) -> Unseen:
        from limecep.runtime.wanted import Unseen

        return Unseen()

    @cached_property
    def _rereaders(self) -> dict[Feed, Rereader]:
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
        # Most runs read nothing again.
        from limecep.runtime.wanted import Wanted, of_journal, of_logs

        watch = Stopwatch()
        journal = self._journal
        try:
            if journal is not None and journal.begins <= needed[0]:
                wanted = Wanted(needed, [s for s in others if journal.begins <= s[0]], room)
                of_journal(wanted, journal, batch[:at], self._raise_if_stopped)
            else:
                wanted = Wanted(needed, others, room)
                self._unseen.begin(batch, at)
                of_logs(wanted, self._rereaders, self._unseen, self._raise_if_stopped)
        except Unavailable as error:
            if journal is None:
                raise
            raise Unavailable(f"{error}, and the journal does not reach back so far") from None
        finally:
            self.times += 1
            self.seconds += watch.seconds
        self.events += len(wanted.found)
        return wanted.spans, wanted.found
