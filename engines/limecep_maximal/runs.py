"""STNM with conditions between variables: what is eligible depends on what was chosen, so runs go forward.

A run is a group being filled. It takes the first eligible event each time, whatever comes later, so it is
kept between end events and goes on from where it stood. Where a later step's first event comes before the
group's next one, the group may end there, and a run of that step begins. A run of the last group is completed
by the first end event that is eligible, and closed: that is rule (c) of SEMANTICS 7.

This holds where a group that is longer is never worse: no condition of a later step names it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Condition
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.paths import Forest
    from limecep_maximal.shape import Shape

Groups = tuple[tuple["Event", ...], ...]


class Law:
    """What of an alternative does not change from window to window."""

    def __init__(self, alternative: Alternative, shape: Shape) -> None:
        steps = alternative.steps
        self.shape = shape
        self.size = len(steps)
        conditions = alternative.conditions
        #: Whether runs tell the truth: see the module.
        self.most = tuple(s.quantifier.maximum for s in steps)
        self.applies = (
            shape.completes_simply
            and self.most[0] in (None, 1)
            and all(
                c.pair is not None or (c.cross and all(steps[k].quantifier.single for k in c.steps[:-1]))
                for c in conditions
            )
        )
        self.neighbours = tuple(
            tuple(c.pair for c in conditions if c.pair is not None and c.steps == (k,))
            for k in range(self.size)
        )
        self.crossing: tuple[tuple[Condition, ...], ...] = tuple(
            tuple(c for c in conditions if c.pair is None and c.steps[-1] == k) for k in range(self.size)
        )


class _Run:
    """A group being filled. `groups` are those before it, `places` what it took."""

    __slots__ = ("groups", "left_at", "look_at", "look_left", "places", "step")

    def __init__(self, step: int, groups: Groups, place: int) -> None:
        self.step = step
        self.groups = groups
        self.places = [place]
        #: Where to look for the next event of the group.
        self.look_at = place + 1
        #: The first of its events after which no later step has begun yet, and where to look for its event.
        self.left_at = 0
        self.look_left = 0


class Runs:
    """The runs of one alternative on one view.

    Args:
        law: The alternative's.
        steps: The lanes.
        negations: The lanes of negated steps.
        ordering: Precedence and the window.
        begin: The place of the first end event.
        starts: For a first group under conditions on neighbours, the paths of its lane.
    """

    def __init__(
        self,
        law: Law,
        steps: Sequence[Content],
        negations: Sequence[Content],
        ordering: Ordering,
        begin: int,
        starts: Forest | None,
    ) -> None:
        self.begin = begin
        self.stop = begin
        self._law = law
        self._steps = steps
        self._negations = negations
        self._ordering = ordering
        self._paths = starts
        self._roots: list[tuple[int, list[_Run]]] = []
        self._begun: set[int] = set()
        self._next_start = 0

    def complete(self, place: int) -> list[Groups]:
        """The matches of the end event at `place`, the next one."""
        self.stop = place + 1
        content = self._steps[-1]
        end, order = content.events[place], content.order[place]
        floor = self._ordering.floor(order)
        self._take_starts(floor, order)
        found: list[Groups] = []
        kept = []
        for start, runs in self._roots:
            if start < floor:
                continue
            runs = self._go_on(runs, order, end, found)
            if runs:
                kept.append((start, runs))
        self._roots = kept
        return found

    def _take_starts(self, floor: int, order: int) -> None:
        """Begins a run at every start that counts from now on: nothing in the window could be put before
        it."""
        numbers = self._steps[0].order
        first, stop = bisect_left(numbers, floor), bisect_left(numbers, order)
        if self._paths is not None:
            self._paths.catch_up(order)
            self._paths.forget(bisect_left(numbers, self._ordering.floor(floor)))
            before = self._paths.latest_before
            counting = [p for p in range(first, stop) if before(p) < first]
        elif self._law.shape.kleene[0]:
            counting = list(range(first, min(first + 1, stop)))
        else:
            counting = list(range(max(first, self._next_start), stop))
            self._next_start = max(self._next_start, stop)
        nothing: Groups = ((),) * self._law.size
        for place in counting:
            if place not in self._begun:
                self._roots.append((numbers[place], [_Run(0, nothing, place)]))
        self._begun = set(counting)

    def _go_on(self, runs: list[_Run], order: int, end: Event, found: list[Groups]) -> list[_Run]:
        """Brings runs of one start up to an end event.

        Returns:
            Those that are still open, and those that began.
        """
        open_runs = []
        last = self._law.size - 2
        while runs:
            run = runs.pop()
            if run.step == last:
                if not self._close(run, order, end, found):
                    open_runs.append(run)
                continue
            runs += self._leave(run, order)
            if self._law.most[run.step] != 1 or not run.left_at:
                open_runs.append(run)
        return open_runs

    def _leave(self, run: _Run, order: int) -> list[_Run]:
        """The runs of the next step that begin before an order number."""
        step, shape = run.step, self._law.shape
        numbers, events = self._steps[step].order, self._steps[step].events
        following = self._steps[step + 1]
        need = shape.minimum[step]
        begun: list[_Run] = []
        while True:
            if run.left_at >= len(run.places):
                self._extend(run, order, 1)
                if run.left_at >= len(run.places):
                    return begun
            after = numbers[run.places[run.left_at]]
            groups = self._with(run, ())
            target = self._first(
                step + 1, groups, max(run.look_left, bisect_right(following.order, after)), order
            )
            run.look_left = target
            if target >= len(following.order) or following.order[target] >= order:
                return begun
            first = following.order[target]
            self._extend(run, first)
            # The group ends with the last of its events before that.
            length = run.left_at + 1
            while length < len(run.places) and numbers[run.places[length]] < first:
                length += 1
            run.left_at = length
            if length >= need and not self._hit(step + 1, numbers[run.places[length - 1]], first):
                group = tuple([events[p] for p in run.places[:length]])
                begun.append(_Run(step + 1, self._with(run, group), target))
            if self._law.most[step] == 1:
                return begun

    def _close(self, run: _Run, order: int, end: Event, found: list[Groups]) -> bool:
        """Completes a run of the last group before the end step, if it can be and the end event is
        eligible."""
        step = run.step
        self._extend(run, order)
        if len(run.places) < self._law.shape.minimum[step]:
            return False
        content = self._steps[step]
        if content.order[run.places[0]] >= order:
            return False
        groups = self._with(run, tuple([content.events[p] for p in run.places]))
        if not self._eligible(step + 1, groups, None, end):
            return False
        found.append((*groups[:-1], (end,)))
        return True

    def _extend(self, run: _Run, order: int, most: int | None = None) -> None:
        """Lets a group take what it takes before an order number, or at most so many events more."""
        step = run.step
        content = self._steps[step]
        numbers, events = content.order, content.events
        place, full = run.look_at, self._law.most[step]
        enough = None if most is None else len(run.places) + most
        while place < len(numbers) and numbers[place] < order:
            if len(run.places) in (full, enough):
                break
            if self._eligible(step, run.groups, events[run.places[-1]], events[place]):
                run.places.append(place)
            place += 1
        run.look_at = place

    def _first(self, step: int, groups: Groups, place: int, order: int) -> int:
        """The place of the first eligible event of a step before an order number, else where to go on
        looking."""
        content = self._steps[step]
        numbers, events = content.order, content.events
        while place < len(numbers) and numbers[place] < order:
            if self._eligible(step, groups, None, events[place]):
                return place
            place += 1
        return place

    def _eligible(self, step: int, groups: Groups, last: Event | None, event: Event) -> bool:
        law = self._law
        if last is not None and not all(pair(last, event) for pair in law.neighbours[step]):
            return False
        if not law.crossing[step]:
            return True
        chosen = [*groups[:step], (event,), *groups[step + 1 :]]
        return all(c.allows(chosen, step) for c in law.crossing[step])

    def _hit(self, gap: int, after: int, before: int) -> bool:
        """Whether a negated event stands in a gap, between two order numbers."""
        for n in self._law.shape.negations[gap]:
            hits = self._negations[n].order
            if bisect_right(hits, after) < bisect_left(hits, before):
                return True
        return False

    def _with(self, run: _Run, group: tuple[Event, ...]) -> Groups:
        """The groups before a run, and its own; without one, its first event, for what names a single
        step."""
        mine = group or (self._steps[run.step].events[run.places[0]],)
        return (*run.groups[: run.step], mine, *run.groups[run.step + 1 :])
