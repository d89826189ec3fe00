"""The event manager of a pattern: decides which end events are evaluated, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.lateness import Verdict
from limecep.model.event import sort_key
from limecep.model.time import FOREVER
from limecep.patterns.deadlines import Deadlines
from limecep.patterns.ends import EndEvents
from limecep.patterns.pending import Held
from limecep.patterns.takers import takers_of, takes
from limecep.patterns.timing import Timing

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from limecep.clock import Clock
    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.match_codec import MatchCodec
    from limecep.patterns.pending import Pending
    from limecep.patterns.policies import Policies
    from limecep.patterns.result_manager import ResultManager
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics
    from limecep.store.view import View
    from limecep.store.views import Views


class EventManager:
    """Evaluation of one pattern.

    Args:
        plan: The pattern's plan.
        views: Its views of the store.
        results: Its result manager.
        policies: Its policies.
        clock: The arrival clock.
        statistics: What the policies decide on.
        progress: How far time has come for this pattern, in microseconds: what is before it has passed.
        tables: Makes the tables of this pattern.
        matches: Writes its matches in them.
        group: Patterns of one group refuse the same events.

    Attributes:
        refused: How many events it refused as extremely late.
        latest_accepted: How late the latest event was that it accepted, in microseconds.
        sound_from: The `t_gen` from which on it is known what was emitted for end events: those before are
            left as they are.
        gathers: Whether matches wait for slack.
        held: What waits for slack.
        slack_waits: How many late events waited for others.
    """

    #: They follow from the plan and the policies, or belong to others.
    transient = frozenset(
        {
            "timing",
            "final",
            "gathers",
            "announces",
            "waits",
            "decided",
            "keeps",
            "ends",
            "evaluation",
            "view",
            "taken",
        }
    )

    def __init__(
        self,
        plan: Plan,
        views: Views,
        results: ResultManager,
        policies: Policies,
        clock: Clock,
        statistics: Statistics,
        progress: Callable[[], int],
        tables: Tables,
        matches: MatchCodec,
        group: Hashable = None,
    ) -> None:
        self.group = group
        self.refused = 0
        self.slack_waits = 0
        self.latest_accepted = 0
        self.sound_from = -FOREVER
        self.plan = plan
        self.views = views
        self.results = results
        self._evaluation = results.evaluation
        self._policies = policies
        self._clock = clock
        self._statistics = statistics
        self._progress = progress
        self.held = Held(tables, views, matches, results.own_key)
        emit = policies.results.emit
        self._timing = Timing(plan, emit)
        self._final = emit == "final"
        self.gathers = emit == "slack"
        self._announces = policies.results.announces and not self._final
        #: Whether some matches wait for event time.
        self.waits = self._timing.waits or self._announces
        self._decided = self._has_passed if self._timing.waits else None
        self._deadlines = Deadlines(tables, "deadlines")
        # What was emitted, or may be dropped by others, and is not final yet.
        self._unsettled = Deadlines(tables, "unsettled")
        self._keeps = self._announces or (self._final and policies.results.skip is not None)
        # What was due before this has been decided: the progress of time when deadlines last ran. What waits
        # for nothing is due at -FOREVER.
        self._settled = 1 - FOREVER
        # No event before this is accepted: something may have been said to be final.
        self._closed = -FOREVER
        self._ends = EndEvents(plan)
        self._view = views.only
        self._taken = takers_of([f for a in plan.alternatives for f in a.filters])

    @property
    def awaited_types(self) -> frozenset[str]:
        """The event types that `came` is to be told of."""
        return self._ends.types | self._timing.exposing

    @property
    def pending(self) -> int:
        """How many evaluations wait for time."""
        return len(self._deadlines)

    @property
    def next_deadline(self) -> int:
        """The latest event time, once strictly passed, from which on there is something to do."""
        first = self._unsettled.first
        if self._final:
            first = min(first, self._deadlines.first)
        if first < FOREVER:
            # What is accepted reaches back as far as it did; if that changes, some is said a little later.
            first += max(0, self._statistics.lta - self._policies.horizon(self._statistics))
        return first if self._final else min(first, self._deadlines.first)

    @property
    def awaited_from(self) -> int:
        """No end event that waits for anything is earlier than this `t_gen`; FOREVER if none waits."""
        timed = min(self._deadlines.first, self._unsettled.first)
        held = [e.t_gen for p in self.held.by_view.values() for e in p.ends.values()]
        return min(timed - self.plan.within if timed < FOREVER else FOREVER, *held, FOREVER)

    # -- in order ------------------------------------------------------------------------------------------

    def came(self, event: Event) -> None:
        """An event of a type that can end a match has come in order."""
        view = self._view or self.views.of(event)
        if view is None:
            return
        if not self._final and event.type in self._timing.exposing:
            low = max(self._timing.exposed_from(event), self.sound_from)
            for end in self._ends.between(view, low, event.t_gen):
                if end is not event:
                    self._wait(end, view, self._evaluation.matches(end, view))
        # The look-up of the type saves a call.
        if event.type not in self._ends.surely and event not in self._ends:
            return
        if self._keeps:
            self._unsettled.add(self._timing.settled(event), event, view)
        if self._final:
            self._deadlines.add(event.t_gen, event, view)
            return
        if self.gathers and (wait := self._policies.slack.wait(self._statistics)) > 0:
            pending = self.held.of(view)
            pending.waits(event)
            self.held.hold(pending, self._clock.now() + wait)
        elif self._decided is None:
            self.results.ended(event, view)
        else:
            matches = list(self._evaluation.matches(event, view))
            self.results.settle([m for m in matches if self._decided(m)], "in_order", event)
            self._wait(event, view, matches)

    # -- late ----------------------------------------------------------------------------------------------

    def assess(self, event: Event) -> Verdict:
        """Whether a late event is still used."""
        statistics = self._statistics
        verdict = self._policies.lateness.assess(event, statistics)
        statistics.pattern(self.plan.name).note_score(event.type, verdict.score)
        if not verdict.extremely_late and (self._final or self._announces):
            closed = max(self._closed, self._final_before())
            if event.t_gen < closed:
                verdict = Verdict(
                    extremely_late=True,
                    score=(statistics.lta - event.t_gen) / 1e6,
                    threshold=(statistics.lta - closed) / 1e6,
                    reason="older than what is final",
                )
        if verdict.extremely_late:
            self.refused += 1
        else:
            self.latest_accepted = max(self.latest_accepted, statistics.lta - event.t_gen)
        return verdict

    def prepare(self, event: Event) -> Pending | None:
        """An event that is not the latest is about to enter the store: notes what it may change."""
        self.run_due()
        view = self._view or self.views.of(event)
        if view is None or not self.takes(event):
            return None
        pending = self.held.of(view)
        if self._final:
            # Nothing has been emitted that it could change.
            return pending
        ends = self._not_noted(event, pending)
        if ends:
            pending.before |= self.results.emitted(ends, view, self._decided)
            for end in ends:
                pending.ends[end.ordinal] = end
        return pending

    def entered(self, event: Event, pending: Pending) -> None:
        """The event is in the store: what it changed is said now, or after the slack."""
        # What comes at the latest time is in order, and evaluated like that.
        sound = event.t_gen >= min(self.sound_from, self._statistics.lta)
        ends = sound and event in self._ends
        if ends and self._keeps:
            self._unsettled.add(self._timing.settled(event), event, pending.view)
        if self._final:
            if ends:
                self._deadlines.add(event.t_gen, event, pending.view)
            return
        pending.late.append(event)
        if ends:
            pending.ends[event.ordinal] = event
        wait = self._policies.slack.wait(self._statistics)
        if wait > 0 and pending.ends:
            self.held.hold(pending, self._clock.now() + wait)
            self.slack_waits += 1
        elif pending.due == FOREVER:
            self._revise(pending)
        else:
            self.held.note(pending)

    def _release(self, pending: Pending) -> None:
        """Looks at what has waited, or need not wait longer."""
        self.held.take(pending)
        self._revise(pending)

    def run_slack(self, now: int) -> None:
        """Looks at what has waited long enough."""
        if self.held.due <= now:
            for pending in [p for p in self.held.by_view.values() if p.due <= now]:
                self._release(pending)

    def _revise(self, pending: Pending) -> None:
        if not pending.ends:
            return
        view = pending.view
        ends = sorted(pending.ends.values(), key=sort_key)
        self.results.revise(ends, pending, self._decided)
        if self._decided is not None:
            for end in ends:
                self._wait(end, view, self._evaluation.matches(end, view))

    def _not_noted(self, event: Event, pending: Pending) -> list[Event]:
        """The end events that an event can touch, but for those that are pending already."""
        low, high = self.touches(event)
        low = max(low, self.sound_from)
        touched = self._evaluation.touched(event, pending.view)
        if touched is not None:
            return [e for e in touched if low <= e.t_gen <= high and e.ordinal not in pending.ends]
        # Of what is at the latest time more may come in order.
        lacking = pending.widen(low, high, min(high, self._statistics.lta - 1))
        ends = [e for span in lacking for e in self._ends.between(pending.view, *span)]
        return [e for e in ends if e.ordinal not in pending.ends]

    # -- memory --------------------------------------------------------------------------------------------

    @property
    def horizon(self) -> int | None:
        """The `t_gen` before which no event is accepted any more, in microseconds; None if there is none."""
        known = self._policies.lateness.horizon(self._statistics)
        if self._closed > -FOREVER:
            known = self._closed if known is None else max(known, self._closed)
        return known

    def takes(self, event: Event) -> bool:
        """Whether an event may make a difference: under strict contiguity any does."""
        return self.plan.select == "sc" or takes(self._taken, event)

    def touches(self, event: Event) -> tuple[int, int]:
        """The range of end events, by `t_gen` and both ends included, that an event may change."""
        return self._policies.recompute.reach(event, self._statistics.lta)

    def settle(self, before: int) -> None:
        """Does what time has come for, and looks at once at what waits for slack and has to do with events
        before a `t_gen`."""
        self.run_due()
        for pending in list(self.held.by_view.values()):
            if pending.concerns(before):
                self._release(pending)
        self.run_due()

    def give_up(self, before: int) -> list[Event]:
        """Lets end events before a `t_gen` wait for time no longer; gives those whose matches so are never
        told, or never called final."""
        untold = self._deadlines.drop(before)
        self.sound_from = max([self.sound_from, *(end.t_gen + 1 for end in untold)])
        return [*untold, *self._unsettled.drop(before)]

    def rebuild(self, low: int, high: int, before: int) -> None:
        """Learns again what was emitted for the end events of a range of `t_gen`, both ends included, of
        matches that start before a `t_gen`."""
        for view in self.views.stored():
            self.results.rebuild(self._ends.between(view, low, high), view, self._decided, before)

    # -- time ----------------------------------------------------------------------------------------------

    def run_due(self) -> None:
        """Does what time has come for."""
        if not self.waits:
            return
        passed = self._final_before() if self._final else self._progress()
        for due, ends in self._deadlines.take(passed):
            # What is due at one time is settled together: the longer match stands for those it contains.
            found: list[Match] = []
            for end, view in ends:
                pending = self.held.by_view.get(id(view))
                if pending is not None and end.ordinal in pending.ends:
                    continue
                matches = list(self._evaluation.matches(end, view))
                found += [m for m in matches if self._timing.due(m) == due]
                if self._final:
                    self._settled = max(self._settled, due + 1)
                    self._wait(end, view, matches)
                else:
                    # What has been hit since waits for nothing more.
                    self._deadlines.keep(end, {self._timing.due(m) for m in matches})
            self.results.settle(found, "time", None, final=self._final)
        self._settled = max(self._settled, passed)
        if self._final:
            self._closed = max(self._closed, passed)
            if any(True for _ in self._unsettled.take(passed)):
                self.results.release(lambda end: self._timing.settled(end) < passed)
        elif self._announces:
            self._announce(self._final_before())

    def _announce(self, before: int) -> None:
        """Says of what was emitted that no event can change it any more."""
        self._closed = max(self._closed, before)
        for due, ends in self._unsettled.take(before):
            for end, view in ends:
                pending = self.held.by_view.get(id(view))
                # Also what ends later: it may contain what is to be final, or drop it.
                if pending is not None and any(e.t_gen <= due for e in pending.ends.values()):
                    self._release(pending)
                self.results.finish(end, view)

    def _final_before(self) -> int:
        """The time before which no event is accepted any more, as far as it has passed."""
        progress = self._progress()
        return FOREVER if progress == FOREVER else min(progress, self._policies.horizon(self._statistics))

    def _has_passed(self, match: Match) -> bool:
        """Whether time has passed for everything that a match waits for."""
        return self._timing.due(match) < self._settled

    def _wait(self, end: Event, view: View, matches: Iterable[Match]) -> None:
        for match in matches:
            if (due := self._timing.due(match)) >= self._settled:
                self._deadlines.add(due, end, view)

    # -- what survives a crash -----------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """What must survive, the tables aside."""
        return {
            "refused": self.refused,
            "slack_waits": self.slack_waits,
            "latest_accepted": self.latest_accepted,
            "sound_from": self.sound_from,
            "settled": self._settled,
            "closed": self._closed,
            "policies": self._policies.snapshot(),
            "results": self.results.snapshot(),
        }

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot: the tables are filled, the store has its events."""
        self.refused = known["refused"]
        self.slack_waits = known["slack_waits"]
        self.latest_accepted = known["latest_accepted"]
        self.sound_from = known["sound_from"]
        self._settled = known["settled"]
        self._closed = known["closed"]
        self._policies.restore(known["policies"])
        self.results.restore(known["results"])
        self._deadlines.restore(self.views)
        self._unsettled.restore(self.views)
        self.held.restore()
