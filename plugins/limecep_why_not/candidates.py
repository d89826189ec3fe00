"""Assignments of events, some of them added, to the steps of an alternative: what may be made a match."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from limecep.model.event import Event, sort_key
from limecep.model.expression import Aggregate, Attribute, Position
from limecep.model.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from limecep.plan.plan import Alternative, Condition
    from limecep_why_not.changes import Identity, Refused

#: A window is widened to so many times what it is at most.
WIDEST = 2
#: Of groups whose step has more events near than this only lean ones are looked at.
FULL_GROUPS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Where matches are near a time.

    Attributes:
        time: The time, in microseconds.
        radius: How far from it the nearer end of a match may be, where the time is not within the match.
        within: The window of the pattern.
    """

    time: int
    radius: int
    within: int

    def distance(self, start: int, end: int) -> int:
        """How far the time is from a match that goes from `start` to `end`: 0 within it."""
        return max(0, start - self.time, self.time - end)

    def near(self, start: int, end: int) -> bool:
        """Whether that is near."""
        return self.distance(start, end) <= self.radius

    @property
    def span(self) -> tuple[int, int]:
        """Events outside of this are in no match that is near, however wide its window is made."""
        far = self.radius + WIDEST * self.within
        return self.time - far, self.time + far


class Slot(NamedTuple):
    """Stands for an added event, in the place of an event, until it is known when that happens."""

    type: str


#: What a step takes: events, and those to be added.
Taken = tuple["Event | Slot", ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """An assignment.

    Attributes:
        groups: What each step takes.
        widened: Whether it is longer than the window.
        admitted: The refused event of the greatest score among its events, if there is one.
    """

    groups: tuple[Taken, ...]
    widened: bool
    admitted: Refused | None

    @property
    def events(self) -> list[Event]:
        """The events that are there."""
        return [e for group in self.groups for e in group if isinstance(e, Event)]

    @property
    def added(self) -> int:
        """How many events are added."""
        return sum(isinstance(e, Slot) for group in self.groups for e in group)

    @property
    def things(self) -> int:
        """How many things it changes by itself, values and events in its way not counted."""
        return self.added + self.widened + (self.admitted is not None)


class _Lane:
    """The events that a step may take, by sort key."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self._keys = [sort_key(e) for e in events]

    def between(self, first: Event, latest: int) -> list[Event]:
        """Those from an event on, up to a time."""
        stop = bisect_right(self._keys, latest, key=lambda key: key[0])
        return self.events[bisect_left(self._keys, sort_key(first)) : stop]


def _of_whole(condition: Condition) -> bool:
    """Whether a condition is about a group as a whole."""
    named = [n for n in walk(condition.expression) if isinstance(n, Attribute | Aggregate)]
    return any(isinstance(n.index, Position) if isinstance(n, Attribute) else not n.running for n in named)


@dataclass(slots=True, kw_only=True)
class Drafts:
    """The assignments of one alternative.

    Attributes:
        alternative: The alternative.
        region: Where they are.
        events: The events of the key, refused ones among them, by sort key.
        refused: Those that were refused, by `id` of the object.
        required: Identities of events that each has to take.
        look: Called at every step; what it raises ends the search.
    """

    alternative: Alternative
    region: Region
    events: Sequence[Event]
    refused: dict[int, Refused]
    required: Collection[Identity] = ()
    look: Callable[[], None] = lambda: None
    _lean: list[bool] = field(init=False)
    _whole: set[int] = field(init=False)
    _lanes: list[_Lane] = field(init=False)
    _fitting: list[_Lane] = field(init=False)
    _fails: list[set[int]] = field(init=False)
    _required: list[Event] = field(init=False)

    def __post_init__(self) -> None:
        low, high = self.region.span
        within = [e for e in self.events if low <= e.t_gen <= high]
        self._lanes, self._fitting, self._fails = [], [], []
        for step in self.alternative.steps:
            events = [e for e in within if e.type in step.filter.types]
            accepts = step.filter.accepts
            fails = set() if accepts is None else {id(e) for e in events if not accepts(e)}
            self._fails.append(fails)
            self._lanes.append(_Lane(events))
            # A refused event fits one that admits it already.
            self._fitting.append(_Lane([e for e in events if id(e) not in fails]))
        # Conditions on a group as a whole may ask for more events than the step does.
        self._whole = {k for c in self.alternative.conditions if _of_whole(c) for k in c.steps}
        self._lean = [
            s.quantifier.maximum != 1 and len(lane.events) > FULL_GROUPS
            for s, lane in zip(self.alternative.steps, self._lanes, strict=True)
        ]
        self._required = [e for e in within if (e.type, e.source, e.id) in self.required]

    @property
    def lean(self) -> list[str]:
        """The variables of which only lean groups are looked at: no larger than the step asks for, or runs of
        events that fit, where a condition is about the group as a whole."""
        return [s.variable for s, lean in zip(self.alternative.steps, self._lean, strict=True) if lean]

    def drafts(self, things: int) -> Iterator[Draft]:
        """Those that may become a match by so many changes, or fewer."""
        if len(self._required) < len(self.required):
            return
        empty: tuple[Taken, ...] = tuple(() for _ in self.alternative.steps)
        yield from self._grown(_Partial(empty), things)

    def _grown(self, partial: _Partial, things: int) -> Iterator[Draft]:
        self.look()
        steps = self.alternative.steps
        if partial.first is not None and self._enough(partial.groups):
            yield from self._complete(partial)
        spare = things - partial.things
        for k in self._next_steps(partial):
            may_add = spare and (k != partial.at or self._may_grow(partial, k))
            added = [partial.taking(k, Slot(t)) for t in steps[k].filter.types] if may_add else []
            # What begins with an event that is there comes first, and goes on with an added one.
            for more in added if partial.at >= 0 else ():
                yield from self._grown(more, things)
            for event in self._events_of(partial, k, spare):
                taking = self._with(partial, k, event)
                if taking is not None and taking.things <= things:
                    yield from self._grown(taking, things)
            for more in added if partial.at < 0 else ():
                yield from self._grown(more, things)

    def _enough(self, groups: tuple[Taken, ...]) -> bool:
        return all(
            s.quantifier.minimum <= len(g) for s, g in zip(self.alternative.steps, groups, strict=True)
        )

    def _next_steps(self, partial: _Partial) -> Iterator[int]:
        steps, at = self.alternative.steps, partial.at
        if at >= 0:
            quantifier = steps[at].quantifier
            # A group goes on last, so that short ones come first.
            for k in range(at + 1, len(steps)) if len(partial.groups[at]) >= quantifier.minimum else ():
                yield k
                if steps[k].quantifier.minimum:
                    break
            if quantifier.maximum is None or len(partial.groups[at]) < quantifier.maximum:
                yield at
            return
        for k in range(len(steps)):
            yield k
            if steps[k].quantifier.minimum:
                return

    def _events_of(self, partial: _Partial, k: int, spare: int) -> Sequence[Event]:
        """Events that may come next, for a step, if so many things may still change."""
        last, first = partial.last, partial.first
        lane = self._lanes[k] if spare else self._fitting[k]
        if last is None or first is None:
            # The first of all: what is near comes first.
            time = self.region.time
            return sorted(lane.events, key=lambda e: (abs(e.t_gen - time), sort_key(e)))
        at_once = not partial.slotted and (k == partial.at or self.alternative.together(partial.at, k))
        widest = WIDEST if spare or partial.widened else 1
        found = [
            event
            for event in lane.between(last, first.t_gen + widest * self.region.within)
            if event is not last
            and not (partial.slotted and event.t_gen <= last.t_gen + 1)
            and (at_once or (last.t_gen, last.seq) < (event.t_gen, event.seq))
        ]
        return self._lean_of(partial, k, found) if k == partial.at and self._lean[k] else found

    def _may_grow(self, partial: _Partial, k: int) -> bool:
        """Whether a group may have more events than its step asks for."""
        needed = max(1, self.alternative.steps[k].quantifier.minimum)
        return not self._lean[k] or k in self._whole or len(partial.groups[k]) < needed

    def _lean_of(self, partial: _Partial, k: int, events: list[Event]) -> list[Event]:
        """Of the events with which a group may go on the first that fits, and the first that does not."""
        if not self._may_grow(partial, k):
            return [e for e in events if any(e is r for r in self._required)]
        fails = self._fails[k]
        first = next((e for e in events if id(e) not in fails), None)
        other = next((e for e in events if id(e) in fails), None)
        return [e for e in (first, other) if e is not None]

    def _with(self, partial: _Partial, k: int, event: Event) -> _Partial | None:
        """An assignment with one more event; None if nothing can come of it."""
        first = partial.first or event
        missed = [e for e in self._required if sort_key(e) < sort_key(event)]
        if missed and not {id(e) for e in missed} <= partial.ids:
            return None
        refused = self.refused.get(id(event))
        admitted = partial.admitted
        if refused is not None and (admitted is None or admitted.score < refused.score):
            admitted = refused
        more = partial.taking(
            k,
            event,
            admitted=admitted,
            widened=event.t_gen - first.t_gen > self.region.within,
            fails=partial.fails + (id(event) in self._fails[k]),
        )
        if not more.fails and not more.broken:
            more.broken = self._breaks(more, k)
        return more

    def _breaks(self, partial: _Partial, k: int) -> bool:
        """Whether a condition is broken, whatever comes."""
        groups = partial.groups
        for condition in self.alternative.conditions:
            last = condition.steps[-1]
            if last > k or (last < k and not condition.closes):
                continue
            if any(isinstance(e, Slot) for step in condition.steps for e in groups[step]):
                continue
            if not condition.allows(groups, k):  # type: ignore[arg-type]
                return True
        return False

    def _complete(self, partial: _Partial) -> Iterator[Draft]:
        if partial.ids.issuperset(map(id, self._required)):
            yield Draft(partial.groups, partial.widened, partial.admitted)


@dataclass(slots=True)
class _Partial:
    """An assignment that is being made: the step that took something last, its first and last event that are
    there, and what is known to be changed."""

    groups: tuple[Taken, ...]
    at: int = -1
    first: Event | None = None
    last: Event | None = None
    slotted: bool = False
    slots: int = 0
    widened: bool = False
    admitted: Refused | None = None
    fails: int = 0
    broken: bool = False
    ids: frozenset[int] = frozenset()

    @property
    def things(self) -> int:
        """How many things change at least."""
        # What was broken first is about events before those that fail.
        values = self.fails + self.broken
        return self.slots + self.widened + (self.admitted is not None) + values

    def taking(
        self,
        k: int,
        event: Event | Slot,
        *,
        admitted: Refused | None = None,
        widened: bool | None = None,
        fails: int | None = None,
    ) -> _Partial:
        """What it is with one more event."""
        groups = (*self.groups[:k], (*self.groups[k], event), *self.groups[k + 1 :])
        there = isinstance(event, Event)
        return _Partial(
            groups=groups,
            at=k,
            first=(self.first or event) if there else self.first,  # type: ignore[arg-type]
            last=event if there else self.last,  # type: ignore[arg-type]
            slotted=not there,
            slots=self.slots + (not there),
            widened=self.widened if widened is None else widened,
            admitted=admitted or self.admitted,
            fails=self.fails if fails is None else fails,
            broken=self.broken,
            ids=self.ids | {id(event)} if there else self.ids,
        )
