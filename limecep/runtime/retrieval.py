"""Retrieval: events that memory no longer holds, from where they still stand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.journal import Journal
    from limecep.detection.spans import Span, Spans
    from limecep.model.event import Event
    from limecep.runtime.feeds import Feed
    from limecep.runtime.rereading import Rereading


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
        self._journal = journal
        self._made_of = feeds, journal, raise_if_stopped

    @cached_property
    def _rereading(self) -> Rereading:
        # Most runs read nothing again.
        from limecep.runtime.rereading import Rereading

        return Rereading(*self._made_of)

    @cached_property
    def possible(self) -> bool:
        """Whether there was anything to read from when this was first asked."""
        return self._journal is not None or self._rereading.possible

    def told(self) -> dict[str, Any]:
        """Its figures, for the report."""
        return {"times": self.times, "events": self.events, "seconds": round(self.seconds, 6)}

    def fetch(
        self, needed: Span, others: Sequence[Span], room: int, batch: Sequence[Event], at: int
    ) -> tuple[Spans, list[Event]]:
        """As of `Past`."""
        watch = Stopwatch()
        try:
            spans, found = self._rereading.fetch(needed, others, room, batch, at)
        finally:
            self.times += 1
            self.seconds += watch.seconds
        self.events += len(found)
        return spans, found
