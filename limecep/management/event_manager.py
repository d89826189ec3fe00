"""The event manager of a pattern: decides which end events are evaluated, and when."""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from limecep.contracts.lateness import LatenessPolicy
    from limecep.management.result_manager import ResultManager
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.plan.plan import Plan, StepFilter
    from limecep.store.store import Views
    from limecep.store.view import View

#: After every time.
FOREVER = 1 << 62


class Revision:
    """What a late event may change for one pattern: the end events it can touch, and their results before."""

    __slots__ = ("before", "ends", "view")

    def __init__(self, view: View, ends: list[Event], before: list[Match]) -> None:
        self.view = view
        self.ends = ends
        self.before = before


class EventManager:
    """Evaluation of one pattern.

    Args:
        plan: The pattern's plan.
        views: Its views of the store.
        results: Its result manager.
        lateness: Its lateness policy.
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
        lateness: LatenessPolicy,
        progress: Callable[[], int],
        group: Hashable = None,
    ) -> None:
        self.group = group
        self.refused = 0
        self.plan = plan
        self.views = views
        self.results = results
        self.lateness = lateness
        self._progress = progress
        self._negated = frozenset(
            t for a in plan.alternatives for n in a.negations for t in n.filter.types
        ) - frozenset(t for a in plan.alternatives for s in a.steps for t in s.filter.types)
        #: Alternatives whose matches wait for time: those with a negation after what can be their last event.
        self._waiting = {id(a) for a in plan.alternatives if any(n.after > a.ends[0] for n in a.negations)}
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

    def prepare(self, event: Event) -> Revision | None:
        """An event that is not the latest is about to enter the store: notes what it may change."""
        self.run_due()
        view = self.views.of(event)
        if view is None or not _takes(self._filters, event):
            return None
        ends = self._affected(event, view)
        return Revision(view, ends, self.results.snapshot(ends, view, self._decided))

    def revise(self, event: Event, revision: Revision) -> None:
        """The event is in the store: says what it changed."""
        view, ends = revision.view, revision.ends
        if _takes(self._end_filters, event):
            ends = sorted([*ends, event], key=sort_key)
        self.results.revise(
            ends, view, revision.before, self._decided, event, negated=event.type in self._negated
        )
        if self._waiting:
            for end in ends:
                self._wait(end, view, self.results.results(end, view))

    def run_due(self) -> None:
        """Does what time has come for."""
        progress = self._progress()
        while self._deadlines and self._deadlines[0][0] < progress:
            due, ordinal, end, view = heapq.heappop(self._deadlines)
            self._awaited.discard((due, ordinal))
            starting = due - self.plan.within
            matches = [
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
