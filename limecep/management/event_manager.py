"""The event manager of a pattern: decides which end events are evaluated, and when."""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from limecep.clock import Clock
    from limecep.contracts.lateness import LatenessPolicy
    from limecep.contracts.results import ResultPolicy
    from limecep.contracts.slack import SlackPolicy
    from limecep.management.result_manager import ResultManager
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.plan.plan import Plan, StepFilter
    from limecep.store.store import Views
    from limecep.store.view import View

#: After every time.
FOREVER = 1 << 62


class Pending:
    """What late events may have changed in one view, until it is looked at: the end events they can touch,
    and what had been emitted for these before.

    Attributes:
        due: The arrival time at which it is looked at.
    """

    __slots__ = ("before", "due", "ends", "late", "view")

    def __init__(self, view: View) -> None:
        self.view = view
        self.due = FOREVER
        self.ends: dict[int, Event] = {}
        self.before: list[Match] = []
        self.late: list[Event] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """The policies of one pattern."""

    lateness: LatenessPolicy
    slack: SlackPolicy
    results: ResultPolicy


class EventManager:
    """Evaluation of one pattern.

    Args:
        plan: The pattern's plan.
        views: Its views of the store.
        results: Its result manager.
        policies: Its policies.
        clock: The arrival clock.
        statistics: What slack is decided on.
        progress: How far time has come for this pattern, in microseconds: what is before it has passed.
        group: Patterns of one group refuse the same events.

    Attributes:
        refused: How many events it refused as extremely late.
    """

    def __init__(
        self,
        plan: Plan,
        views: Views,
        results: ResultManager,
        policies: Policies,
        clock: Clock,
        statistics: Any,
        progress: Callable[[], int],
        group: Hashable = None,
    ) -> None:
        self.group = group
        self.refused = 0
        self.plan = plan
        self.views = views
        self.results = results
        self.lateness = policies.lateness
        self._slack = policies.slack
        self._clock = clock
        self._pending: dict[int, Pending] = {}
        self._progress = progress
        self._statistics = statistics
        #: How many late events waited for others.
        self.slack_waits = 0
        self._negated = frozenset(
            t for a in plan.alternatives for n in a.negations for t in n.filter.types
        ) - frozenset(t for a in plan.alternatives for s in a.steps for t in s.filter.types)
        #: Alternatives whose matches wait for time: those with a negation after what can be their last event,
        #: and where results are to be complete, those that can grow.
        self._waiting = {
            id(a)
            for a in plan.alternatives
            if any(n.after > a.ends[0] for n in a.negations) or (policies.results.complete and a.growing)
        }
        # Where a later negated event may hit one match and spare a smaller one, it brings that to light.
        self._exposing = frozenset(
            t
            for a in plan.alternatives
            for n in a.negations
            if n.after > a.ends[0] and n.hits is not None
            for t in n.filter.types
        )
        # A negation after the last event, or an end step that may take several, lets an event touch end
        # events before it (SEMANTICS 10).
        self._looks_back = bool(self._waiting) or any(a.growing for a in plan.alternatives)
        self._deadlines: list[tuple[int, int, Event, View]] = []
        self._awaited: set[tuple[int, int]] = set()
        # What was due before this has been decided: the progress of time when deadlines last ran.
        self._settled = -FOREVER
        self._end_steps = [(i, k) for i, a in enumerate(plan.alternatives) for k in a.ends]
        self._end_filters = [plan.alternatives[i].steps[k].filter for i, k in self._end_steps]
        self._surely_ends = frozenset(t for f in self._end_filters if f.accepts is None for t in f.types)
        self._view = views.only
        self._filters = [f for a in plan.alternatives for f in a.filters]

    @property
    def awaited_types(self) -> frozenset[str]:
        """The event types that `came` is to be told of."""
        return frozenset(t for f in self._end_filters for t in f.types) | self._exposing

    @property
    def next_deadline(self) -> int:
        """The time, once strictly passed, at which something is to be done."""
        return self._deadlines[0][0] if self._deadlines else FOREVER

    @property
    def waits(self) -> bool:
        """Whether some matches are known only when time has passed."""
        return bool(self._waiting)

    @property
    def pending(self) -> int:
        """How many evaluations wait for time."""
        return len(self._deadlines)

    @property
    def slack_due(self) -> int:
        """The arrival time at which what waits for slack is to be looked at."""
        return min((p.due for p in self._pending.values()), default=FOREVER)

    def came(self, event: Event) -> None:
        """An event of a type that can end a match has come in order."""
        view = self._view or self.views.of(event)
        if view is None:
            return
        if event.type in self._exposing:
            for end in self._affected(event, view):
                if end is not event:
                    self._wait(end, view, self.results.results(end, view))
        if not (event.type in self._surely_ends or _takes(self._end_filters, event)):
            return
        if not self._waiting:
            self.results.ended(event, view)
            return
        matches = self.results.results(event, view)
        decided = [m for m in matches if self._decided(m)]
        self.results.settle(decided, "in_order", event)
        self._wait(event, view, matches)

    def prepare(self, event: Event) -> Pending | None:
        """An event that is not the latest is about to enter the store: notes what it may change."""
        self.run_due()
        view = self.views.of(event)
        if view is None or not _takes(self._filters, event):
            return None
        pending = self._pending.get(id(view)) or Pending(view)
        # What is pending already was noted when it became so.
        ends = [e for e in self._affected(event, view) if e.ordinal not in pending.ends]
        pending.before += self.results.snapshot(ends, view, self._decided)
        pending.ends.update((e.ordinal, e) for e in ends)
        return pending

    def entered(self, event: Event, pending: Pending) -> None:
        """The event is in the store: what it changed is said now, or after the slack."""
        pending.late.append(event)
        if _takes(self._end_filters, event):
            pending.ends[event.ordinal] = event
        wait = self._slack.wait(self._statistics)
        if wait > 0 and pending.ends:
            pending.due = min(pending.due, self._clock.now() + wait)
            self._pending[id(pending.view)] = pending
            self.slack_waits += 1
        elif pending.due == FOREVER:
            self._revise(pending)

    def run_slack(self, now: int) -> None:
        """Looks at what has waited long enough."""
        for key, pending in list(self._pending.items()):
            if pending.due <= now:
                del self._pending[key]
                self._revise(pending)

    def _revise(self, pending: Pending) -> None:
        view = pending.view
        ends = sorted(pending.ends.values(), key=sort_key)
        self.results.revise(ends, view, pending.before, self._decided, pending.late, self._negated)
        if self._waiting:
            for end in ends:
                self._wait(end, view, self.results.results(end, view))

    def run_due(self) -> None:
        """Does what time has come for."""
        progress = self._progress()
        while self._deadlines and self._deadlines[0][0] < progress:
            # What is due at one time is settled together: the longer match stands for those it contains.
            due = self._deadlines[0][0]
            starting = due - self.plan.within
            matches: list[Match] = []
            while self._deadlines and self._deadlines[0][0] == due:
                _, ordinal, end, view = heapq.heappop(self._deadlines)
                self._awaited.discard((due, ordinal))
                pending = self._pending.get(id(view))
                if pending is not None and ordinal in pending.ends:
                    continue
                matches += [
                    m
                    for m in self.results.results(end, view)
                    if id(m.alternative) in self._waiting and m.start.t_gen == starting
                ]
            self.results.settle(matches, "time", None)
        self._settled = max(self._settled, progress)

    def _decided(self, match: Match) -> bool:
        """Whether time has passed for everything that could still forbid the match."""
        return (
            id(match.alternative) not in self._waiting or match.start.t_gen + self.plan.within < self._settled
        )

    def _wait(self, end: Event, view: View, matches: list[Match]) -> None:
        for due in {m.start.t_gen + self.plan.within for m in matches if not self._decided(m)}:
            if (due, end.ordinal) not in self._awaited:
                self._awaited.add((due, end.ordinal))
                heapq.heappush(self._deadlines, (due, end.ordinal, end, view))

    def _affected(self, event: Event, view: View) -> list[Event]:
        """The end events that an event can touch (SEMANTICS 10): from its time, or W before it, to 2 W
        after."""
        ordering = view.ordering
        order = ordering.of(event)
        low = ordering.floor(order) if self._looks_back else order
        high = ordering.ceiling(ordering.ceiling(order))
        found: dict[int, Event] = {}
        for i, k in self._end_steps:
            content = view.steps[i][k].content
            for e in content.events[bisect_left(content.order, low) : bisect_right(content.order, high)]:
                found[e.ordinal] = e
        return sorted(found.values(), key=sort_key)


def _takes(filters: list[StepFilter], event: Event) -> bool:
    """Whether some step takes the event."""
    return any(event.type in f.types and (f.accepts is None or f.accepts(event)) for f in filters)
