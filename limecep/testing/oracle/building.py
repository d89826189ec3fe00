"""Matches of one line, built event by event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.model.pattern import Select, Step
    from limecep.testing.oracle.structure import Line, Negation

#: The events of every positive step, in order.
Groups = tuple[tuple["Event", ...], ...]


def precedes(e: Event, f: Event) -> bool:
    """Precedence (section 1)."""
    return (e.t_gen, e.seq) < (f.t_gen, f.seq)


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Builds the matches of one line on the events of one key.

    Attributes:
        line: The steps.
        events: The events of the key, by sort key, without duplicates.
        within: The window in microseconds.
        select: The policy.
        free_end: Whether next-match leaves the event of the end step free (section 7 (a)).
        look: Called at every partial match; what it raises ends the search.
    """

    line: Line
    events: Sequence[Event]
    within: int
    select: Select
    free_end: bool = False
    look: Callable[[], None] = lambda: None

    def matches(self) -> Iterator[Groups]:
        """Every match (sections 2 to 5). The start is free, whatever the policy."""
        empty: Groups = tuple(() for _ in self.line.steps)
        for step in self._next_steps(empty, -1):
            for event in self.events:
                chosen = self._chosen(empty, step, event)
                if chosen is not None:
                    yield from self._from(chosen, step)

    def _from(self, groups: Groups, at: int) -> Iterator[Groups]:
        """Every match that begins with these groups; the last event was chosen for step `at`."""
        self.look()
        if self._complete(groups):
            yield groups
        for step in self._next_steps(groups, at):
            for chosen in self._choices(groups, at, step):
                yield from self._from(chosen, step)

    def _next_steps(self, groups: Groups, at: int) -> Iterator[int]:
        """The steps that may take the next event: this one while it has room, or once it has enough a later
        one, all between taking nothing."""
        steps = self.line.steps
        if at >= 0:
            maximum = steps[at].quantifier.maximum
            if maximum is None or len(groups[at]) < maximum:
                yield at
            if len(groups[at]) < steps[at].quantifier.minimum:
                return
        for step in range(at + 1, len(steps)):
            yield step
            if steps[step].quantifier.minimum > 0:
                return

    def _choices(self, groups: Groups, at: int, step: int) -> Iterator[Groups]:
        """The groups with one more event for `step`: every eligible one, or under STNM the first."""
        last = groups[at][-1]
        start = _first(groups)
        only_first = self.select == "stnm" and not (self.free_end and step == len(self.line.steps) - 1)
        for event in self.events:
            # Inside a group, and from step to step of one AND, events may have one time (section 2).
            at_once = step == at or self.line.together(at, step)
            if not (sort_key(last) < sort_key(event) if at_once else precedes(last, event)):
                continue
            if event.t_gen - start.t_gen > self.within:
                return
            if self.select == "sc" and self._between(last, event):
                return
            chosen = self._chosen(groups, step, event)
            if chosen is not None:
                yield chosen
                if only_first:
                    return

    def _chosen(self, groups: Groups, step: int, event: Event) -> Groups | None:
        """The groups with the event appended, if it is eligible (section 3)."""
        if event.type not in self.line.steps[step].types:
            return None
        chosen = (*groups[:step], (*groups[step], event), *groups[step + 1 :])
        growing = self.line.steps[step]
        known = self._by_variable(chosen[: step + 1])
        eligible = all(
            condition.holds(known)
            for condition in self.line.conditions
            if condition.decidable(known, growing)
        )
        return chosen if eligible else None

    def _between(self, e: Event, f: Event) -> bool:
        """Whether any event stands strictly between two (section 5, SC)."""
        return any(precedes(e, x) and precedes(x, f) for x in self.events)

    def _complete(self, groups: Groups) -> bool:
        """Whether it is a match: rules 1, 3 and 4 of section 2. Order and window are kept while building."""
        if not all(_enough(step, group) for step, group in zip(self.line.steps, groups, strict=True)):
            return False
        known = self._by_variable(groups)
        if not all(condition.holds(known) for condition in self.line.conditions):
            return False
        return not any(self._hit(negation, groups) for negation in self.line.negations)

    def _hit(self, negation: Negation, groups: Groups) -> bool:
        """Whether a negated step is hit (section 4)."""
        before = [e for group in groups[: negation.after] for e in group]
        after = [e for group in groups[negation.after :] for e in group]
        start, end = _first(groups), last_of(groups)
        for x in self.events:
            if x.type not in negation.step.types:
                continue
            lower = precedes(before[-1], x) if before else end.t_gen - self.within <= x.t_gen
            upper = precedes(x, after[0]) if after else x.t_gen <= start.t_gen + self.within
            if lower and upper:
                known = {**self._by_variable(groups), negation.step.variable: (x,)}
                if all(condition.holds(known) for condition in negation.conditions):
                    return True
        return False

    def _by_variable(self, groups: Groups) -> dict[str, tuple[Event, ...]]:
        """The events of the first steps by variable. Variables of other lines took nothing."""
        known: dict[str, tuple[Event, ...]] = dict.fromkeys(self.line.absent, ())
        known.update((step.variable, group) for step, group in zip(self.line.steps, groups, strict=False))
        return known


def _enough(step: Step, group: tuple[Event, ...]) -> bool:
    maximum = step.quantifier.maximum
    return step.quantifier.minimum <= len(group) and (maximum is None or len(group) <= maximum)


def _first(groups: Groups) -> Event:
    return next(group[0] for group in groups if group)


def last_of(groups: Groups) -> Event:
    """The last event of a match."""
    return next(group[-1] for group in reversed(groups) if group)
