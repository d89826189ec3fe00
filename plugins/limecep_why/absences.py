"""What a match could not have beside it: the interval of each negated step, and what came there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from limecep.model.event import Statement
from limecep.plan.partition import compile_partition

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, NegatedStep, Plan

#: So many events in an interval are remembered.
MOST_REMEMBERED = 1000


@dataclass(slots=True, kw_only=True)
class Interval:
    """Where a negated step may have no event (SEMANTICS 4).

    Attributes:
        step: The negated step.
        after, before: The events between which it is, if it is between some: their order decides, not their
            time alone.
        low, high: Event times: of those events, or where the window begins or ends.
        groups: The events of the match, in the order of the alternative's steps.
        key: The partition key that an event must have.
        key_of: Gives the key of an event.
        events: The events of its types that came in it, by identity, whatever its conditions say.
        overlooked: How many more there were.
    """

    step: NegatedStep
    after: Event | None
    before: Event | None
    low: int
    high: int
    groups: Sequence[Sequence[Event]]
    key_of: Callable[[Event], object]
    key: object
    events: dict[tuple[str, str, str], Event] = field(default_factory=dict)
    overlooked: int = 0

    def holds(self, event: Event) -> bool:
        """Whether an event is of a type of the step, of the match's key, and in the interval."""
        if event.type not in self.step.filter.types:
            return False
        at = (event.t_gen, event.seq)
        if self.after is not None:
            inside = (self.after.t_gen, self.after.seq) < at
        else:
            inside = self.low <= event.t_gen
        if self.before is not None:
            inside = inside and at < (self.before.t_gen, self.before.seq)
        else:
            inside = inside and event.t_gen <= self.high
        return inside and self.key_of(event) == self.key

    def look_at(self, event: Event) -> bool:
        """An event came: whether it is in the interval, and remembered."""
        if event.type not in self.step.filter.types:
            return False
        known = (event.type, event.source, event.id)
        old = self.events.get(known)
        if old is not None:
            # The first counts, or the greatest version.
            if (
                not isinstance(event, Statement)
                or not isinstance(old, Statement)
                or event.version < old.version
            ):
                return False
            del self.events[known]
        if not self.holds(event) or (isinstance(event, Statement) and event.withdrawn):
            return False
        if len(self.events) >= MOST_REMEMBERED:
            self.overlooked += 1
            return False
        self.events[known] = event
        return True

    def hits(self, refused: Collection[tuple[str, str, str]]) -> list[Event]:
        """Return the events in the interval that forbid the match, without those that its pattern refused."""
        return [e for known, e in self.events.items() if known not in refused and self.hit_by(e)]

    def hit_by(self, event: Event) -> bool:
        """Whether an event in the interval forbids the match: its conditions hold."""
        accepts, hits = self.step.filter.accepts, self.step.hits
        return (accepts is None or accepts(event)) and (hits is None or hits(event, self.groups))


def intervals(plan: Plan, alternative: Alternative, groups: Sequence[Sequence[Event]]) -> list[Interval]:
    """The intervals of the negated steps of an alternative, for a match with these groups."""
    start = next(group[0] for group in groups if group)
    end = next(group[-1] for group in reversed(groups) if group)
    key_of = compile_partition(plan.partition)
    found = []
    for step in alternative.negations:
        after = next((g[-1] for g in reversed(groups[: step.after]) if g), None)
        before = next((g[0] for g in groups[step.after :] if g), None)
        found.append(
            Interval(
                step=step,
                after=after,
                before=before,
                low=end.t_gen - plan.within if after is None else after.t_gen,
                high=start.t_gen + plan.within if before is None else before.t_gen,
                groups=groups,
                key_of=key_of,
                key=key_of(start),
            )
        )
    return found
