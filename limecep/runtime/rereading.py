"""Reading again: from a journal, or from the logs of the sources."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from limecep.detection.past import Unavailable
from limecep.errors import RunFailure
from limecep.runtime.arrived import within
from limecep.runtime.rereader import Memory, Rereader
from limecep.runtime.wanted import Unseen, Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.journal import Journal
    from limecep.detection.spans import Span, Spans
    from limecep.model.event import Event
    from limecep.runtime.feeds import Feed


class Rereading:
    """What `limecep.runtime.retrieval.Retrieval` does when it is asked.

    Args:
        feeds: The sources of the pipeline, open.
        journal: The journal, if there is one.
        raise_if_stopped: As of `Context`.
    """

    def __init__(
        self, feeds: Sequence[Feed], journal: Journal | None, raise_if_stopped: Callable[[], None]
    ) -> None:
        self._feeds = feeds
        self._journal = journal
        self._raise_if_stopped = raise_if_stopped

    @cached_property
    def _unseen(self) -> Unseen:
        return Unseen()

    @cached_property
    def _rereaders(self) -> dict[Feed, Rereader]:
        memory = Memory()
        return {feed: Rereader(feed, memory) for feed in self._feeds}

    @cached_property
    def possible(self) -> bool:
        """Whether all sources could be read again when this was first asked."""
        try:
            # Whoever has a log has it for a range in which there is nothing, too.
            return bool(self._rereaders) and all(r.possible for r in self._rereaders.values())
        except RunFailure:
            return True

    def fetch(
        self, needed: Span, others: Sequence[Span], room: int, batch: Sequence[Event], at: int
    ) -> tuple[Spans, list[Event]]:
        """As of `Past`."""
        journal = self._journal
        try:
            if journal is not None and journal.begins <= needed[0]:
                wanted = Wanted(needed, [s for s in others if journal.begins <= s[0]], room)
                for low, high in wanted.spans:
                    self._raise_if_stopped()
                    wanted.add([(0, e) for e in journal.events(low, high)])
                # What has entered of the batch is not in the journal yet.
                entered = [(0, msgspec.structs.replace(e)) for e in batch[:at] if e.ordinal]
                wanted.add(within(wanted.spans, entered))
                wanted.take()
            else:
                wanted = Wanted(needed, others, room)
                self._unseen.begin(batch, at)
                self._from_logs(wanted)
        except Unavailable as error:
            if journal is None:
                raise
            raise Unavailable(f"{error}, and the journal does not reach back so far") from None
        return wanted.spans, wanted.found

    def _from_logs(self, wanted: Wanted) -> None:
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
