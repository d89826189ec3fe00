"""Which values make a match of an assignment: of added events any, of others the least different."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.model.expression import Aggregate, Attribute, Call, Expression
from limecep.model.walk import walk
from limecep.plan.values import OWN_ATTRIBUTES, TIME, attribute
from limecep_why_not.changes import MISSING, difference, put
from limecep_why_not.domains import Domains

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Condition
    from limecep_why_not.changes import Path

    #: Events that hit a negated step, with its variable.
    Hits = Callable[[Sequence[Sequence[Event]]], list[tuple[Event, str]]]

#: So many values are tried for what is not the last thing to change, and so many ways are given to fill in
#: the attributes of added events.
_FEW = 3
_WAYS = 24
#: So many values are tried where one alone mends nothing.
_TOGETHER = 6
#: So many values are filled in at most in search of these.
_MOST_FILLED = 6000


class Place(NamedTuple):
    """An attribute of an event of an assignment: the place of its step, its place in the group, the path."""

    step: int
    number: int
    path: Path


class Change(NamedTuple):
    """A value that is changed, and the condition that asks for it."""

    place: Place
    old: Any
    new: Any
    broken: str


class Mended(NamedTuple):
    """What makes a match of an assignment.

    Attributes:
        values: The values that are changed.
        hits: The events that are in the way, with the variables of the negated steps that they hit.
        payloads: The payloads of added events, by step and number.
    """

    values: tuple[Change, ...]
    hits: tuple[tuple[Event, str], ...]
    payloads: dict[tuple[int, int], dict[str, Any]]

    @property
    def amount(self) -> float:
        """How much it changes."""
        return sum(difference(v.old, v.new) for v in self.values) + len(self.hits)


class _Broken(NamedTuple):
    places: frozenset[Place]
    text: str


class Values:
    """Mends assignments of one alternative.

    Args:
        alternative: The alternative.
        fixed: Attributes that cannot change: those of PARTITION BY.
        events: Events whose values are typical.

    Attributes:
        domains: The values worth trying.
        timed: Whether what is a match may depend on when its events happen, besides their order.
    """

    def __init__(self, alternative: Alternative, fixed: Iterable[Path], events: Sequence[Event]) -> None:
        self._alternative = alternative
        self._fixed = {*fixed, TIME, *((name,) for name in OWN_ATTRIBUTES)}
        places = {s.variable: k for k, s in enumerate(alternative.steps)}
        self._own = [_paths(s.decided, s.variable) - self._fixed for s in alternative.steps]
        self._conditions: list[tuple[Condition, tuple[tuple[int, Path], ...]]] = []
        for condition in alternative.conditions:
            named = _named(condition.expression, places)
            self._conditions.append((condition, tuple((k, p) for k, p in named if p not in self._fixed)))
        self._of_hits = [
            item
            for negation in alternative.negations
            for e in negation.meant
            for item in _named(e, places)
            if item[1] not in self._fixed
        ]
        self._paths: list[set[Path]] = [set(own) for own in self._own]
        for k, path in [r for _, refs in self._conditions for r in refs] + self._of_hits:
            self._paths[k].add(path)
        said = [e for s in alternative.steps for e in s.decided]
        said += [c.expression for c in alternative.conditions]
        said += [e for n in alternative.negations for e in n.meant]
        self.domains = Domains(said, events)
        self.timed = any(
            isinstance(n, Call) or (isinstance(n, Attribute) and n.path in (TIME, ()))
            for e in said
            for n in walk(e)
        )

    def mended(
        self,
        groups: list[list[Event]],
        added: set[tuple[int, int]],
        things: int,
        hits: Hits = lambda groups: [],
        rivals: Sequence[Any] = (),
    ) -> list[Mended]:
        """The ways to make a match of an assignment by so many changed values and removed events, those that
        change least first.

        Args:
            groups: Copies of the events of each step, which are changed while it searches.
            added: Which of them are added events, by step and number.
            things: How many values and events.
            hits: What hits a negated step.
            rivals: Values of events that may hit one.
        """
        free = [Place(k, n, p) for k, n in sorted(added) for p in sorted(self._paths[k])]
        found = list(_Search(self, groups, free, hits, rivals).ways(things, ()))
        unique = {
            (tuple((v.place, repr(v.new)) for v in m.values), repr(sorted(m.payloads.items()))): m
            for m in found
        }
        return sorted(unique.values(), key=lambda m: m.amount)

    def broken(self, groups: Sequence[Sequence[Event]]) -> Iterator[_Broken]:
        """What does not hold, with the attributes that it is about."""
        for k, step in enumerate(self._alternative.steps):
            accepts = step.filter.accepts
            if accepts is None:
                continue
            for n, event in enumerate(groups[k]):
                if not accepts(event):
                    places = frozenset(Place(k, n, p) for p in self._own[k])
                    yield _Broken(places, " AND ".join(step.conditions))
        for condition, named in self._conditions:
            if not condition.holds(groups):
                places = frozenset(Place(k, n, p) for k, p in named for n in range(len(groups[k])))
                yield _Broken(places, condition.text)

    def of_hits(self, groups: Sequence[Sequence[Event]]) -> set[Place]:
        """The attributes that decide what hits a negated step."""
        return {Place(k, n, p) for k, p in self._of_hits for n in range(len(groups[k]))}

    def linked(self, groups: Sequence[Sequence[Event]]) -> set[Place]:
        """The attributes that stand in conditions on several events."""
        return {
            Place(k, n, p) for _, refs in self._conditions for k, p in refs for n in range(len(groups[k]))
        }

    def beside(self, groups: Sequence[Sequence[Event]], place: Place) -> list[Any]:
        """The values of an assignment that an attribute may be compared with."""
        return [
            value
            for k, group in enumerate(groups)
            for n, event in enumerate(group)
            for path in self._paths[k]
            if (k, n, path) != place and (value := attribute(event, path)) is not None
        ]


class _Search:
    """The search for the ways to mend one assignment."""

    def __init__(
        self,
        values: Values,
        groups: list[list[Event]],
        free: list[Place],
        hits: Hits,
        rivals: Sequence[Any],
    ) -> None:
        self._values = values
        self._rivals = rivals
        self._groups = groups
        self._free = free
        self._unknown = frozenset(free)
        self._hits = hits
        self._filled = 0

    def ways(self, things: int, changed: tuple[Change, ...]) -> Iterator[Mended]:
        broken = [b for b in self._values.broken(self._groups) if not b.places & self._unknown]
        if not broken:
            yield from self._hit(things, changed)
            if things:
                # An attribute that no condition asks for by itself: of a negated step's, or an added event's.
                places = self._values.of_hits(self._groups)
                if self._free:
                    places |= self._values.linked(self._groups)
                for place in sorted(places - self._unknown - {c.place for c in changed}):
                    yield from self._other_values(place, None, things, changed)
        elif things:
            for place in sorted(broken[0].places - {c.place for c in changed}):
                yield from self._other_values(place, broken[0], things, changed)

    def _other_values(
        self, place: Place, broken: _Broken | None, things: int, changed: tuple[Change, ...]
    ) -> Iterator[Mended]:
        """Ways that give an attribute another value, to mend what does not hold, if there is anything."""
        event = self._groups[place.step][place.number]
        payload, old = event.payload, attribute(event, place.path)
        last = things == 1
        room = _WAYS if last else _FEW
        failed: dict[bool, Any] = {True: old, False: old}
        refined: set[bool] = set()
        others = self._values.domains.others(place.path, old, self._beside(place))
        mends = False
        for new in others:
            event.payload = put(payload, place.path, new)
            numbers = type(new) in (int, float) and type(old) in (int, float)
            up = numbers and new > old
            if not self._mends(broken, last=last):
                failed[up] = new
                continue
            mends = True
            better = [new]
            if numbers and up not in refined:
                refined.add(up)
                better += self._refined(place, event, payload, failed[up], new, broken, last=last)
            useful = False
            for value in reversed(better):
                event.payload = put(payload, place.path, value)
                for way in self._changed(place, old, value, broken, things, changed):
                    useful = True
                    yield way
            room -= useful
            if not room:
                break
        # Other events of the group may break it as well.
        for new in others[:_TOGETHER] if not (mends or last) else ():
            event.payload = put(payload, place.path, new)
            yield from self._changed(place, old, new, broken, things, changed)
        event.payload = payload

    def _changed(
        self,
        place: Place,
        old: Any,
        new: Any,
        broken: _Broken | None,
        things: int,
        changed: tuple[Change, ...],
    ) -> Iterator[Mended]:
        change = Change(place, old, new, "" if broken is None else broken.text)
        yield from self.ways(things - 1, (*changed, change))

    def _refined(
        self,
        place: Place,
        event: Event,
        payload: Any,
        fails: Any,
        holds: Any,
        broken: _Broken | None,
        *,
        last: bool,
    ) -> list[Any]:
        def test(value: Any) -> bool:
            event.payload = put(payload, place.path, value)
            return self._mends(broken, last=last)

        if type(fails) not in (int, float):
            return []
        return list(self._values.domains.between(place.path, fails, holds, test))

    def _mends(self, broken: _Broken | None, *, last: bool) -> bool:
        """Whether what was broken holds now: all that there is, where nothing else may change."""
        return not any(
            (last or b == broken) and not b.places & self._unknown for b in self._values.broken(self._groups)
        )

    def _hit(self, things: int, changed: tuple[Change, ...]) -> Iterator[Mended]:
        for payloads in islice(self._fills(), _WAYS):
            hits = {id(x): (x, v) for x, v in self._hits(self._groups)}
            if len(hits) == things and all(self._needed(c, len(hits)) for c in changed):
                yield Mended(changed, tuple(hits.values()), payloads)

    def _needed(self, change: Change, hits: int) -> bool:
        """Whether with the old value it is no match, or more is in the way."""
        event = self._groups[change.place.step][change.place.number]
        payload = event.payload
        event.payload = put(payload, change.place.path, change.old)
        needed = any(self._values.broken(self._groups)) or len(self._hits(self._groups)) > hits
        event.payload = payload
        return needed

    def _beside(self, place: Place) -> list[Any]:
        return [*self._values.beside(self._groups, place), *self._rivals]

    def _fills(self) -> Iterator[dict[tuple[int, int], dict[str, Any]]]:
        """Fills in the attributes of added events so that nothing is broken."""
        yield from self._fill(0, self._unknown)

    def _fill(self, at: int, left: frozenset[Place]) -> Iterator[dict[tuple[int, int], dict[str, Any]]]:
        if at == len(self._free):
            yield {(p.step, p.number): dict(self._groups[p.step][p.number].payload) for p in self._free}
            return
        place = self._free[at]
        event = self._groups[place.step][place.number]
        payload = event.payload
        after = left - {place}
        for value in self._values.domains.free(place.path, self._beside(place)):
            if self._filled >= _MOST_FILLED:
                break
            self._filled += 1
            event.payload = put(payload, place.path, value)
            if not any(not b.places & after for b in self._values.broken(self._groups)):
                yield from self._fill(at + 1, after)
        event.payload = payload


def _named(expression: Expression, places: dict[str, int]) -> list[tuple[int, Path]]:
    """The attributes of positive steps that an expression names."""
    return list(
        dict.fromkeys(
            (places[n.variable], n.path)
            for n in walk(expression)
            if isinstance(n, Attribute | Aggregate) and n.path and n.variable in places
        )
    )


def _paths(expressions: Iterable[Expression], variable: str) -> set[Path]:
    return {path for e in expressions for _, path in _named(e, {variable: 0})}


__all__ = ["MISSING", "Change", "Mended", "Place", "Values"]
