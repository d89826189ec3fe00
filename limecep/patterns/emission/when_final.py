"""Matches go out when no event can change them any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.time import FOREVER
from limecep.patterns.deadlines import Deadlines
from limecep.patterns.emission.waiting import Waiting
from limecep.patterns.event_manager import EventManager
from limecep.patterns.pending import Pending

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.emission.leaving import Leaving
    from limecep.patterns.evaluation import Decided
    from limecep.patterns.match_codec import MatchCodec
    from limecep.store.view import View


class WhenFinal(EventManager):
    """What is found for an end event goes out when every event that could change it is too late to be
    accepted. So nothing is ever corrected, and a late event changes nothing that was said."""

    def _begin(self, tables: Tables, matches: MatchCodec) -> None:
        self._waiting = Waiting(self._timing, tables)
        if self.results.picking is not None and self._timing.picks_late:
            self.results.picking.waiting = self._waiting
        #: Events that may bring matches of earlier end events to light, at the time that they are final.
        self._exposing = Deadlines(tables, "exposing")
        #: End events whose matches others may drop; None where there is no skip strategy.
        self._unsettled = None if self._policies.results.skip is None else Deadlines(tables, "unsettled")

    @property
    def waits(self) -> bool:
        return True

    @property
    def awaited_types(self) -> frozenset[str]:
        return super().awaited_types | self._timing.exposing

    @property
    def decided(self) -> Decided:
        return self._waiting.has_passed

    @property
    def pending(self) -> int:
        return len(self._waiting.deadlines)

    @property
    def next_deadline(self) -> int:
        return self._reached(self._first)

    @property
    def awaited_from(self) -> int:
        return self._first - self.plan.within if self._first < FOREVER else FOREVER

    @property
    def _first(self) -> int:
        first = min(self._waiting.deadlines.first, self._exposing.first)
        return first if self._unsettled is None else min(first, self._unsettled.first)

    def came(self, event: Event) -> None:
        view = self._view or self.views.of(event)
        if view is not None:
            self._add(event, view, ends=event in self._ends)

    def prepare(self, event: Event, after: Pending | None = None) -> Pending | None:
        self.run_due()
        view = self._view or self.views.of(event)
        # Nothing has been emitted that it could change.
        return None if view is None or not self.takes(event) else Pending(view)

    def entered(self, event: Event, pending: Pending) -> None:
        self._add(event, pending.view, ends=self._is_sound_end(event))

    def _add(self, event: Event, view: View, *, ends: bool) -> None:
        if event.type in self._timing.exposing:
            self._exposing.add(event.t_gen, event, view)
        if ends:
            self._waiting.deadlines.add(event.t_gen, event, view)
            if self._unsettled is not None:
                self._unsettled.add(self._timing.settled(event), event, view)

    @property
    def leaving(self) -> Leaving:
        from limecep.patterns.emission.leaving import LeavingWhenFinal

        return LeavingWhenFinal(self)

    def run_slack(self, now: int) -> None:
        """Nothing waits for slack."""

    def run_due(self) -> None:
        waiting, due_of = self._waiting, self._timing.due
        passed = self._final_before()
        for due, ends in self._take(passed):
            # What is due at one time is settled together: the longer match stands for those it contains.
            found: list[Match] = []
            for end, view in ends:
                matches = list(self._evaluation.matches(end, view))
                found += [m for m in matches if due_of(m) == due]
                waiting.settled = max(waiting.settled, due + 1)
                waiting.add(end, view, matches)
            self.results.settle(found, "time", None, final=True)
            if self._timing.picks_late:
                picked = [end for end, _ in ends if self._timing.picked(end) == due]
                waiting.settled = max(waiting.settled, due + 1)
                self.results.pick(picked, final=True)
        waiting.settled = max(waiting.settled, passed)
        self._closed = max(self._closed, passed)
        if self._unsettled is not None and [*self._unsettled.take(passed)]:
            self.results.release(self._timing.settled_until(passed))

    def _take(self, passed: int) -> Iterator[tuple[int, list[tuple[Event, View]]]]:
        """Each time before one at which something is due, with the end events that are to be looked at."""
        deadlines, exposing = self._waiting.deadlines, self._exposing
        while (due := min(deadlines.first, exposing.first)) < passed:
            ends = {
                end.ordinal: (end, view) for _, due_now in deadlines.take(due + 1) for end, view in due_now
            }
            for event, view in [entry for _, due_now in exposing.take(due + 1) for entry in due_now]:
                low = max(self._timing.exposed_from(event), self.sound_from)
                for end in self._ends.between(view, low, event.t_gen):
                    ends[end.ordinal] = end, view
            yield due, list(ends.values())

    def _closed_now(self) -> int:
        return max(self._closed, self._final_before())

    def give_up(self, before: int) -> list[Event]:
        untold = self._waiting.deadlines.drop(before)
        self._exposing.drop(before)
        self.sound_from = max([self.sound_from, *[end.t_gen + 1 for end in untold]])
        return [*untold, *(() if self._unsettled is None else self._unsettled.drop(before))]

    def snapshot(self) -> dict[str, Any]:
        return {**super().snapshot(), "waiting": self._waiting.snapshot()}

    def restore(self, known: Mapping[str, Any]) -> None:
        super().restore(known)
        self._waiting.restore(known["waiting"], self.views)
        self._exposing.restore(self.views)
        if self._unsettled is not None:
            self._unsettled.restore(self.views)
