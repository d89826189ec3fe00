"""The search for the smallest changes that give a match near a time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from heapq import heapify, heappop
from itertools import combinations, count, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep_why_not.changes import Added, Lifted, Removed, Valued, Widened, cost, identity, is_added
from limecep_why_not.ways import Way, Ways

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep_why_not.candidates import Region
    from limecep_why_not.changes import Change, Cost, Identity, Path, Rule, Stream
    from limecep_why_not.trials import Assignment, Found, Trials

#: So many things change at most.
MOST_THINGS = 3
#: So many events in the way of a selection rule are tried one by one.
MOST_IN_THE_WAY = 8
#: So many ways of one number of changes are kept to be tried; of more, those that change least.
_MOST_KEPT = 4096


class OutOfTime(Exception):
    """The time for an answer is over."""


class Miss(NamedTuple):
    """Changes that give a match, and that match.

    Attributes:
        changes: The changes.
        match: The match, as the engine finds it once they are made.
        distance: How far the time is from it, in microseconds.
    """

    changes: tuple[Change, ...]
    match: Found
    distance: int

    @property
    def cost(self) -> Cost:
        """What they cost."""
        return cost(self.changes)


#: Changes and the way that they go, behind what puts them in order: their amount, how far the time is from
#: the match, how many events are added and how many it takes, and a number.
_Entry = tuple[float, int, int, int, int, tuple["Change", ...], Way]


@dataclass(slots=True, kw_only=True)
class Search:
    """A search.

    Attributes:
        plan: The pattern.
        stream: The events of the key.
        region: Where matches are near.
        trials: Evaluates the pattern.
        required: Identities of events that the match has to take.
        within: Gives what is called again and again, and raises once such a part of the time is over.
        key: The attributes of PARTITION BY, as added events have them.
        limit: How many misses are told.
        left_out: What was not looked at, in words.
        look: What is called again and again now.
        numbers: Numbers, each once.
        untried: How many changes were not tried, as the time was over.
        unfinished: The fewest changes of which not all matches that need so many were looked at; None: none.
    """

    plan: Plan
    stream: Stream
    region: Region
    trials: Trials
    required: Collection[Identity] = ()
    within: Callable[[float], Callable[[], None]] = lambda part: lambda: None
    key: dict[Path, Any] = field(default_factory=dict)
    limit: int = 3
    left_out: list[str] = field(default_factory=list)
    untried: int = 0
    unfinished: int | None = None
    look: Callable[[], None] = lambda: None
    _now: frozenset[Assignment] = frozenset()
    numbers: Iterator[int] = field(default_factory=count)

    def standing(self) -> list[Found]:
        """The matches near the time that stand as things are, nearest first."""
        found = self.trials.found(self.stream.events, self.region.within)
        self._now = frozenset(f.assignment for f in found)
        required = set(self.required)
        near = [f for f in found if self.region.near(f.start, f.end) and required <= {i for _, i in f.taken}]
        return sorted(near, key=lambda f: (self.region.distance(f.start, f.end), f.end))

    def misses(self, radius: int) -> list[Miss]:
        """The misses that change least; all of them change as many things.

        Args:
            radius: As of the region, or less: misses are nearer than the matches that stand.
        """
        self.region = region = replace(self.region, radius=min(self.region.radius, radius))
        parts = self._parts()
        lean = dict.fromkeys(v for part in parts for v in part.lean)
        if lean:
            self.left_out.append(f"larger groups than needed of {', '.join(f'{v}[]' for v in lean)}")
        below: list[list[Way]] = []
        for things in range(MOST_THINGS + 1):
            heap: list[_Entry] = []
            cut = False
            searching, trying = _PARTS[things]
            self.look, self.trials.look = self.within(searching), self.within(trying)
            try:
                for way in (w for part in parts for w in part.ways(things)):
                    self._put(heap, way.changes, way, region)
            except OutOfTime:
                cut = True
            for lifts, ways in enumerate(reversed(below), start=1):
                for rules in combinations(self._lifts(), lifts):
                    for way in ways:
                        self._put(heap, (*way.changes, *rules), way, region)
            if below:
                for way in below[-1]:
                    for event in self._in_the_way(way):
                        self._put(heap, (*way.changes, Removed(event=event)), way, region)
            own = [way for *_, changes, way in heap if len(way.changes) == things == len(changes)]
            found = self._given(heap) if things else []
            if cut:
                self.unfinished = things if self.unfinished is None else self.unfinished
            if found:
                return found
            below.append(own)
        return []

    def _parts(self) -> list[Ways]:
        """What gives the ways of each alternative: an AND has many."""
        parts: list[Ways] = []
        alternatives, look = self.plan.alternatives, self.within(_PREPARING)
        try:
            for alternative in alternatives:
                parts.append(Ways(self, alternative))
                look()
        except OutOfTime:
            if left := len(alternatives) - len(parts):
                self.left_out.append(f"{left:,} of {len(alternatives):,} orders of the steps")
        return parts

    def _put(self, heap: list[_Entry], changes: tuple[Change, ...], way: Way, region: Region) -> None:
        entry = (
            round(cost(changes).amount, 9),
            region.distance(way.start, way.end),
            sum(isinstance(c, Added) for c in changes),
            -len(way.taken),
            next(self.numbers),
            changes,
            way,
        )
        heap.append(entry)
        if len(heap) > 2 * _MOST_KEPT:
            heap.sort(key=lambda e: e[:5])
            self.untried += len(heap) - _MOST_KEPT
            del heap[_MOST_KEPT:]

    def _given(self, heap: list[_Entry]) -> list[Miss]:
        """Those of some ways that give a match, those that change least first."""
        heapify(heap)
        found: list[Miss] = []
        told: list[tuple[Any, set[Any]]] = []
        try:
            while heap and len(found) < self.limit:
                *_, changes, way = heappop(heap)
                alike = _alike(changes)
                there = {item for item in way.taken if not is_added(item[1])}
                if any(alike == other and there <= taken for other, taken in told):
                    continue
                match = self.gives(changes, way)
                if match is not None:
                    told.append((alike, match.taken))
                    found.append(Miss(changes, match, self.region.distance(match.start, match.end)))
        except OutOfTime:
            self.untried += len(heap) + 1
        return found

    def gives(self, changes: Sequence[Change], way: Way) -> Found | None:
        """The match that the engine finds once changes are made, with what a way takes; None if it does not,
        or found it before."""
        within = next((c.new for c in changes if isinstance(c, Widened)), self.region.within)
        lifted: frozenset[Rule] = frozenset(c.rule for c in changes if isinstance(c, Lifted))
        # What a selection rule makes of a match, and what it may grow to, is decided within a window of it.
        part = self.stream.between(way.start - within, way.end + within)
        events = part.changed(changes)
        for match in self.trials.found(events, within, lifted):
            if way.taken <= match.taken and match.assignment not in self._now:
                return match
        return None

    def _lifts(self) -> list[Lifted]:
        return [Lifted(rule=rule, old=old) for rule, old in self.trials.rules.items()]

    def _in_the_way(self, way: Way) -> list[Event]:
        """Events that a selection rule may have taken instead."""
        if not self.trials.rules:
            return []
        taken = {i for _, i in way.taken}
        types = None if self.plan.select == "sc" else self.plan.types
        # What lies within the match comes before what lies ahead of it.
        spans = (way.start, way.end), (way.start - self.region.within, way.start - 1)
        found = (
            e
            for low, high in spans
            for e in self.stream.between(low, high).events
            if (types is None or e.type in types) and identity(e) not in taken
        )
        return list(islice(found, MOST_IN_THE_WAY))


#: Which part of the time is over at most before the search begins.
_PREPARING = 0.2
#: Which part of the time is over when the search for so many changes ends, and when the trials of those end.
_PARTS = ((0.25, 0.25), (0.45, 0.55), (0.7, 0.85), (0.95, 1.0))


def counted(things: int) -> str:
    """A number of changes, in words."""
    return "no change" if not things else "one change" if things == 1 else f"{things} changes"


def _alike(changes: Sequence[Change]) -> Any:
    """What is the same for changes that differ in a time or a value alone."""
    signature: list[tuple[object, ...]] = []
    for c in changes:
        match c:
            case Added(variable=variable):
                signature.append(("added", variable))
            case Valued(event=event, path=path):
                signature.append(("valued", id(event), path))
            case Removed(event=event):
                signature.append(("removed", id(event)))
            case Lifted(rule=rule):
                signature.append(("lifted", rule))
            case _:
                signature.append((type(c).__name__,))
    return sorted(signature, key=str)
