"""STNM with conditions: what is eligible depends on what was chosen, so runs go forward.

A run is a group being filled. It takes the first eligible event each time, whatever comes later, so it is
kept between end events and goes on from where it stood. Where a later step's first event comes before the
group's next one, the group may end there, and a run of that step begins: of the lengths that lead to one
first event, the longest valid one stands for the others. A run of the last group is completed by an end event
that is eligible, and closed: that is rule (c) of SEMANTICS 7.

This holds where no condition of a later step looks at how long a group is (`law.Law.applies`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import chain, count, filterfalse
from typing import TYPE_CHECKING

from limecep_maximal.beginnings import Beginnings
from limecep_maximal.bounds import ANY_START
from limecep_maximal.end_event import Ending
from limecep_maximal.hits import Gaps
from limecep_maximal.remembered import Answer
from limecep_maximal.run import Run
from limecep_maximal.start_groups import LOOK_EVERY, SWEEP, StartGroups
from limecep_maximal.starts import Singles
from limecep_maximal.trailing_negation import TrailingNegation
from limecep_maximal.values import ByValue

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.model.match import Group
    from limecep.store.lane import Content, Ordering
    from limecep_maximal.hits import Hits
    from limecep_maximal.law import Law

Groups = tuple["Group", ...]


class Runs:
    """The runs of one alternative on one view.

    Args:
        law: The alternative's.
        steps: The lanes.
        hits: The lanes of negated steps.
        ordering: Precedence and the window.
        accepts: By step, whether an event may follow its neighbour in a group; None where any may.
        begin: The place of the first end event that is looked at.
        sound: That of the first one whose answer is right: what began in its window was completed by none
            before `begin`.
        raise_if_stopped: The context's.
    """

    def __init__(
        self,
        law: Law,
        steps: Sequence[Content],
        hits: Sequence[Hits],
        ordering: Ordering,
        accepts: Sequence[Callable[[Event, Event], bool] | None],
        begin: int,
        sound: int,
        raise_if_stopped: Callable[[], None],
    ) -> None:
        self._look = raise_if_stopped
        self.begin = begin
        self.sound = sound
        self.stop = begin
        self._law = law
        self._steps = steps
        self._hits = hits
        self._gaps = Gaps(law.gaps, hits)
        self._ordering = ordering
        low = ordering.floor(steps[-1].order[begin])
        self._beginnings = Beginnings(law, steps, self._gaps, ordering, accepts, low)
        self._lows = [bisect_left(content.order, low) for content in steps]
        self._by_value = [
            None if wanted is None else ByValue(content, wanted[0].path)
            for wanted, content in zip(law.keys, steps, strict=True)
        ]
        self._key = law.waits_for()
        # Runs of one start begin with it; others with the first event of the second step.
        self._from_start = law.rooted or law.last == 0
        self._next = bisect_left(steps[0 if self._from_start else 1].order, low)
        self._inner: list[Run] = []
        self._waiting: dict[Hashable, list[Run]] = {}
        self._waits = 0
        self._sweep_at = SWEEP
        self._trailing: TrailingNegation[Run] = TrailingNegation(law, hits, low)
        self._end = Ending(law, steps, hits, self._gaps, self._trailing, ordering)
        self._start_groups: StartGroups | None = None
        if law.last == 0 and not law.single[0]:
            self._start_groups = StartGroups(
                law, steps[0], self._beginnings, self._end, self._key, self._lows[0], raise_if_stopped
            )
        self._answers: dict[int, Answer] = {}

    # -- asking --------------------------------------------------------------------------------------------

    def answer(self, place: int, starts: tuple[int, int] = ANY_START) -> Sequence[Groups] | None:
        """The matches of the end event at a place, if it is the next one, or one whose matches are
        remembered, and of these those that start between two order numbers; else None."""
        law = self._law
        if not (law.trails or law.growing):
            return self.complete(place) if place == self.stop else None
        if place == self.stop:
            stand = self._trailing.stand(self._steps[-1].order[place])
            found = self.complete(place)
            if place < self.sound:
                return None
            self._answers[place] = Answer(stand, found, self._ordering)
            self._forget(place)
        known = self._answers.get(place)
        if known is None or known.stand != self._trailing.stand(self._steps[-1].order[place]):
            return None
        if not law.trails and starts == ANY_START:
            return known.found
        order, ceiling = self._steps[-1].order[place], self._ordering.ceiling
        hit, read = self._trailing.hit, self._beginnings.read
        return [
            groups for groups, start in known.between(*starts) if not hit(order, ceiling(start), read(groups))
        ]

    def spared(self, begin: int, stop: int) -> list[int] | None:
        """As `SparingRuns` does: a group at the end completes nothing that ends later."""
        return [] if self._law.growing else None

    def _forget(self, place: int) -> None:
        numbers = self._steps[-1].order
        floor = self._ordering.floor(numbers[place])
        while True:
            oldest = next(iter(self._answers))
            if numbers[oldest] >= floor:
                return
            del self._answers[oldest]

    # -- going on ------------------------------------------------------------------------------------------

    def complete(self, place: int) -> list[Groups]:
        """The matches of the end event at a place, the next one, whatever comes after it."""
        if self._law.trails and (since := self._trailing.first_new()) is not None:
            # It spares end events of its own time, which completed what it hits of those before them.
            for earlier in range(max(self.begin, bisect_left(self._steps[-1].order, since)), place):
                self._meet(earlier)
        self.stop = place + 1
        return self._meet(place)

    def _meet(self, place: int) -> list[Groups]:
        law, end = self._law, self._end
        end.go_to(place)
        self._beginnings.go_on(end.order)
        if self._start_groups is not None:
            return list(self._start_groups.completed())
        found: list[Groups] = []
        self._begin_runs()
        self._go_on()
        if law.trails:
            self._reopen()
        value = None if self._key is None else self._key[0].own_key(end.event)
        if self._key is None or value is not None:
            runs = self._waiting.pop(value, [])
            kept = []
            for n, run in enumerate(runs):
                if not n % LOOK_EVERY:
                    self._look()
                if run.starts.latest >= self._end.first and self._close(run, found):
                    kept.append(run)
            self._waits += len(kept) - len(runs)
            if kept:
                self._waiting[value] = kept
        if self._waits > self._sweep_at:
            self._sweep()
        self._trailing.forget(lambda run: run.starts.latest < self._end.first)
        return found

    def _reopen(self) -> None:
        """Lets runs go on whose end event was hit before the one that is looked at."""
        for _, run, _ in self._trailing.reopened(self._end.order):
            if run.starts.latest >= self._end.first:
                run.done.clear()
                self._wait(run)

    def _within(self, step: int, place: int) -> bool:
        """Whether the event at a place of a step's lane comes before the end event, or can be it."""
        numbers = self._steps[step].order
        if place >= len(numbers):
            return False
        if step == self._law.last and self._law.growing:
            return place <= self._end.place
        return numbers[place] < self._end.order

    def _begin_runs(self) -> None:
        law = self._law
        if self._from_start:
            place = self._next
            while self._within(0, place):
                if self._beginnings.may_begin(place, 1):
                    groups = self._beginnings.nothing.copy()
                    self._started(
                        Run(0, self._beginnings.strand(0, place, groups), groups, (), Singles((place,)))
                    )
                place += 1
            self._next = place
            return
        place = self._next
        while self._within(1, place):
            event = self._steps[1].events[place]
            groups = self._beginnings.nothing.copy()
            groups[1] = (event,)
            if all(c.holds(groups) for c in law.opening[1]):
                starts = self._beginnings.starts(place, groups)
                if starts is not None:
                    self._started(Run(1, self._beginnings.strand(1, place, groups), groups, (), starts))
            place += 1
        self._next = place

    def _started(self, run: Run) -> None:
        if run.step < self._law.last:
            self._inner.append(run)
        else:
            self._wait(run)

    def _wait(self, run: Run) -> None:
        """Lets a run of the last step wait for an end event."""
        value = None
        if self._key is not None:
            value = self._key[1](run.groups)
            if value is None:
                return
        self._waiting.setdefault(value, []).append(run)
        self._waits += 1

    def _go_on(self) -> None:
        """Lets groups end where a later step begins."""
        law = self._law
        stack, self._inner = self._inner, []
        for n in count():
            if not stack:
                return
            if not n % LOOK_EVERY:
                self._look()
            run = stack.pop()
            if run.starts.latest < self._end.first:
                continue
            for child in self._leave_each(run) if law.entered[run.step + 1] else self._leave(run):
                if child.step < law.last:
                    stack.append(child)
                else:
                    self._wait(child)
            if run.left < law.most[run.step] or run.open:
                self._inner.append(run)

    def _leave(self, run: Run) -> Iterator[Run]:
        """The runs of the next step that begin before the end event, where the first event of one does not
        depend on how long the group is."""
        step, strand = run.step, run.strand
        following = self._steps[step + 1].order
        while run.left < strand.before(self._end.order):
            look = max(run.look, bisect_right(following, strand.order(run.left + 1)))
            place, run.look = self._next_of(step + 1, run.groups, look)
            if place < 0:
                return
            most = strand.before(following[place])
            for length in range(most, run.left, -1):
                if strand.valid(length):
                    if not self._hit(step + 1, run, length, following[place], place):
                        yield self._child(run, length, place)
                        break
                    if not self._law.measured[step + 1]:
                        break
            run.left = most

    def _leave_each(self, run: Run) -> Iterator[Run]:
        """The same where it does."""
        step, strand = run.step, run.strand
        following = self._steps[step + 1].order
        length = strand.before(self._end.order)
        while run.left < length:
            run.left += 1
            if strand.valid(run.left):
                run.open.append([run.left, bisect_right(following, strand.order(run.left))])
        found: dict[int, list[int]] = {}
        still = []
        for waiting in run.open:
            run.groups[step] = strand.seen(waiting[0])
            place, waiting[1] = self._next_of(step + 1, run.groups, waiting[1])
            if place < 0:
                still.append(waiting)
            else:
                found.setdefault(place, []).append(waiting[0])
        run.open = still
        for place, lengths in found.items():
            for length in reversed(lengths):
                if not self._hit(step + 1, run, length, following[place], place):
                    yield self._child(run, length, place)
                    break

    def _child(self, run: Run, length: int, place: int) -> Run:
        step = run.step
        groups = run.groups.copy()
        groups[step] = run.strand.seen(length)
        out = (*run.out, run.strand.group(length)) if step else ()
        return Run(step + 1, self._beginnings.strand(step + 1, place, groups), groups, out, run.starts)

    def _next_of(self, step: int, groups: list[Sequence[Event]], place: int) -> tuple[int, int]:
        """The place of the first eligible event of a step from a place on, -1 if there is none yet; and where
        to go on looking."""
        law = self._law
        events = self._steps[step].events
        conditions = (*law.opening[step], *law.entered[step])
        if not conditions:
            return (place, place + 1) if self._within(step, place) else (-1, place)
        wanted = law.keys[step]
        if wanted is not None:
            value = wanted[1](groups)
            lane = self._by_value[step]
            assert lane is not None
            known = lane.places(value, self._lows[step])
            i = bisect_left(known, place)
            while i < len(known) and self._within(step, known[i]):
                groups[step] = (events[known[i]],)
                if all(c.holds(groups) for c in conditions):
                    groups[step] = ()
                    return known[i], known[i] + 1
                i += 1
            groups[step] = ()
            return -1, place if i == bisect_left(known, place) else known[i - 1] + 1
        while self._within(step, place):
            groups[step] = (events[place],)
            if all(c.holds(groups) for c in conditions):
                groups[step] = ()
                return place, place + 1
            place += 1
        groups[step] = ()
        return -1, place

    def _hit(self, gap: int, run: Run, length: int, right: int, place: int) -> bool:
        """Whether an event of a negated step stands between a group and an event that follows it."""
        if not self._law.gaps[gap]:
            return False
        groups = run.groups
        groups[run.step] = run.strand.seen(length)
        if gap < self._law.size:
            groups[gap] = (self._steps[gap].events[place],)
        return self._gaps.hit(gap, run.strand.order(length), right, groups)

    # -- closing -------------------------------------------------------------------------------------------

    def _close(self, run: Run, found: list[Groups]) -> bool:
        """Completes a run of the last group, if it can be; says whether it is still open."""
        law, strand = self._law, run.strand
        if law.growing:
            length = strand.upto(self._end.place)
            if length and strand.valid(length):
                group = strand.group(length)
                for start in self._end.counting(run.starts):
                    found.append((self._beginnings.group(start), *run.out, group))
            return True
        starts = self._end.counting(run.starts)
        if not self._end.measured and not law.trails:
            # What was completed can only become longer.
            starts = filterfalse(run.done.__contains__, starts)
            if (one := next(starts, None)) is None:
                return True
            starts = chain((one,), starts)
        longest = self._end.longest(strand, run.groups)
        if not longest:
            # What hits one event hits it at every later end event.
            return not (longest is None and law.single[run.step] and not law.trails)
        out = self._ended(run, longest)
        for start in starts:
            if self._end.is_new(run.done.get(start), longest, run.groups):
                run.done[start] = (longest, self._end.order)
                found.append((self._beginnings.group(start), *out))
        if self._end.measured or law.leads or not isinstance(run.starts, Singles):
            return True
        if law.trails:
            self._trailing.put_aside(run, self._end.order, run.groups)
        return False

    def _ended(self, run: Run, length: int) -> Groups:
        """The groups after the start's, where the last one before the end event has a length."""
        end = (self._end.event,)
        return (*run.out, run.strand.group(length), end) if run.step else (end,)

    def _sweep(self) -> None:
        """Lets go of what has left the window."""
        first = self._end.first
        self._waiting = {
            value: kept
            for value, runs in self._waiting.items()
            if (kept := [run for run in runs if run.starts.latest >= first])
        }
        self._waits = sum(map(len, self._waiting.values()))
        self._sweep_at = max(SWEEP, 2 * self._waits)
