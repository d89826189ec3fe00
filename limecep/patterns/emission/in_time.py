"""Some matches go out when event time has passed: that no event forbids them, or that they grow no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.time import FOREVER
from limecep.patterns.emission.at_once import AtOnce
from limecep.patterns.emission.waiting import Waiting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.emission.leaving import Leaving
    from limecep.patterns.evaluation import Decided
    from limecep.patterns.match_codec import MatchCodec
    from limecep.patterns.pending import Pending
    from limecep.store.view import View


class InTime(AtOnce):
    """As at once, but matches that an event to come may forbid, or make longer, wait until its time has
    passed."""

    def _begin(self, tables: Tables, matches: MatchCodec) -> None:
        super()._begin(tables, matches)
        self._waiting = Waiting(self._timing, tables)
        if self.results.picking is not None and self._timing.picks_late:
            self.results.picking.waiting = self._waiting

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
        return min(self._waiting.deadlines.first, super().next_deadline)

    @property
    def awaited_from(self) -> int:
        first = self._waiting.deadlines.first
        return min(first - self.plan.within if first < FOREVER else FOREVER, super().awaited_from)

    def came(self, event: Event) -> None:
        if event.type in self._timing.exposing:
            self._expose(event)
        super().came(event)

    def _expose(self, event: Event) -> None:
        """An event may forbid one match and so bring another to light, which then waits."""
        view = self._view or self.views.of(event)
        if view is None:
            return
        low = max(self._timing.exposed_from(event), self.sound_from)
        ends = self._evaluation.exposed(event, view)
        for end in self._ends.between(view, low, event.t_gen) if ends is None else ends:
            if end is not event and end.t_gen >= low:
                self._waiting.add(end, view, self._evaluation.matches(end, view))

    def _ended(self, end: Event, view: View) -> None:
        passed = self._waiting.add(end, view, self._evaluation.matches(end, view))
        self.results.settle(passed, "in_order", end)

    def _again(self, ends: list[Event], pending: Pending) -> None:
        super()._again(ends, pending)
        for end in ends:
            self._waiting.add(end, pending.view, self._evaluation.matches(end, pending.view))
        if self._timing.picks_late:
            # They may have waited for slack when their time came.
            self.results.pick(ends)

    @property
    def leaving(self) -> Leaving:
        from limecep.patterns.emission.leaving import LeavingInTime

        return LeavingInTime(self)

    def run_due(self) -> None:
        waiting, due_of = self._waiting, self._timing.due
        passed = self._progress()
        for due, ends in waiting.deadlines.take(passed):
            # What is due at one time is settled together: the longer match stands for those it contains.
            found: list[Match] = []
            picked: list[Event] = []
            for end, view in ends:
                pending = self._held.by_view.get(id(view))
                if pending is not None and end.ordinal in pending.ends:
                    continue
                if self._timing.picks_late and self._timing.picked(end) == due:
                    picked.append(end)
                started = self._evaluation.started(end, view, due - self.plan.within)
                if started is not None:
                    settled = [m for m in started if due_of(m) == due]
                    found += settled
                    if settled or started == () or not waiting.deadlines.missed(end):
                        continue
                dues: set[int] = set()
                for match in self._evaluation.matches(end, view):
                    dues.add(when := due_of(match))
                    if when == due:
                        found.append(match)
                if self._timing.picks_late:
                    dues.add(self._timing.picked(end))
                # What has been hit since waits for nothing more.
                waiting.deadlines.keep(end, dues)
                for when in dues if self.plan.pick is not None else ():
                    # What is picked in its place may wait longer.
                    if when > due:
                        waiting.deadlines.add(when, end, view)
            self.results.settle(found, "time", None)
            if picked:
                waiting.settled = max(waiting.settled, due + 1)
                self.results.pick(picked)
        waiting.settled = max(waiting.settled, passed)
        super().run_due()

    def give_up(self, before: int) -> list[Event]:
        untold = self._waiting.deadlines.drop(before)
        self.sound_from = max([self.sound_from, *[end.t_gen + 1 for end in untold]])
        return [*untold, *super().give_up(before)]

    def snapshot(self) -> dict[str, Any]:
        return {**super().snapshot(), "waiting": self._waiting.snapshot()}

    def restore(self, known: Mapping[str, Any]) -> None:
        super().restore(known)
        self._waiting.restore(known["waiting"], self.views)
