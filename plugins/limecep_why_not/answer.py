"""Answers: the matches near a time that stand, those that were taken back, and the nearest misses."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.clock import Stopwatch
from limecep.embedding.pipelines import compile_partition
from limecep.errors import ConfigurationError
from limecep.model.event import Event, sort_key
from limecep.plan.partition import shown_key
from limecep.problems import suggestion
from limecep_why_not.candidates import WIDEST, Region
from limecep_why_not.changes import Stream, identity
from limecep_why_not.reasons import reason, spelled
from limecep_why_not.search import Miss, OutOfTime, Search, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limecep.plan.plan import Plan
    from limecep_why_not.changes import Identity, Refused
    from limecep_why_not.memory import Memory, Told
    from limecep_why_not.trials import Found, Trials

#: So many seconds the search takes at most.
MOST_SECONDS = 1.3
#: So many events of a key are looked at: those nearest the time.
MOST_EVENTS = 4000
#: So many events of all keys are looked at, likewise.
MOST_NEAR = 200_000
#: So many keys are looked at, where none is asked for: those that have events nearest the time.
MOST_KEYS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked.

    Attributes:
        time: The time, in microseconds.
        key: The key as the user wrote it; None for any.
        required: Ids of events that the match takes.
        limit: How many misses are told.
    """

    time: int
    key: str | None = None
    required: Sequence[str] = ()
    limit: int = 3


class Known(NamedTuple):
    """A match that stands, or was taken back: its key, and what was told of it last, if anything was."""

    match: Found
    key: dict[str, object] | None
    told: Told | None


class KeyedMiss(NamedTuple):
    """A miss of a key."""

    miss: Miss
    key: dict[str, object] | None


@dataclass(slots=True, kw_only=True)
class Answer:
    """The answer.

    Attributes:
        region: What was near.
        standing: The matches that stand, nearest first.
        retracted: Those that were told and taken back.
        misses: The misses; all change as many things, those that change least come first.
        reasons: Why there is none, in words.
        left_out: What was not looked at, in words.
    """

    region: Region
    standing: list[Known] = field(default_factory=list)
    retracted: list[Known] = field(default_factory=list)
    misses: list[KeyedMiss] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


class _Part(NamedTuple):
    """What is looked at of one key: the search, the key as records show it, and as it is compared."""

    search: Search
    key: dict[str, object] | None
    value: Any


class Asked:
    """Answers questions about one pattern.

    Args:
        plan: The pattern.
        memory: What was read.
        trials: Evaluates the pattern.
        seconds: How long an answer may take.
    """

    def __init__(self, plan: Plan, memory: Memory, trials: Trials, seconds: float = MOST_SECONDS) -> None:
        self._plan = plan
        self._memory = memory
        self._trials = trials
        self._seconds = seconds
        self._times = [e.t_gen for e in memory.events]
        self._key_of = compile_partition(plan.partition)

    def answer(self, question: Question) -> Answer:
        """The answer.

        Raises:
            ConfigurationError: The question names a key or an event that is not there.
        """
        plan = self._plan
        region = Region(time=question.time, radius=plan.within, within=plan.within)
        answer = Answer(region=region, left_out=list(self._memory.missing))
        limited = _Limit(self._seconds)
        events, refused = self._around(region)
        if len(events) > MOST_NEAR:
            answer.left_out.append(
                f"{len(events) - MOST_NEAR:,} of {len(events):,} events: those farthest off"
            )
            middle = bisect_left(self._times, region.time) - bisect_left(self._times, events[0].t_gen)
            start = min(max(0, middle - MOST_NEAR // 2), len(events) - MOST_NEAR)
            events = events[start : start + MOST_NEAR]
        whole = [*self._memory.missing, *self._keyless(events)]
        answer.left_out += whole[len(self._memory.missing) :]
        named = self._named(question)
        required, key = {identity(e) for e in named}, self._key_of(named[0]) if named else None
        keys = self._keys(question, events, refused, key)
        if not keys:
            answer.reasons = [self._reason(question, region, named, whole=True)]
            return answer
        if len(keys) > MOST_KEYS:
            answer.left_out.append(f"keys whose events are farther from the time: {len(keys) - MOST_KEYS:,}")
            keys = keys[:MOST_KEYS]
        by_key: dict[Any, list[Event]] = {value: [] for value in keys}
        for event in events:
            of_key = by_key.get(self._key_of(event))
            if of_key is not None:
                of_key.append(event)
        parts = [self._part(answer, question, value, by_key[value], refused, required) for value in keys]
        self._stand(answer, parts, limited)
        radius = region.radius
        if answer.standing:
            nearest = answer.standing[0].match
            radius = region.distance(nearest.start, nearest.end) - 1
        for number, part in enumerate(parts) if radius >= 0 else ():
            if number and limited.over:
                answer.left_out.append(f"keys for which the time was over: {len(parts) - number:,}")
                break
            part.search.within = limited.share(len(parts) - number)
            answer.misses += [KeyedMiss(m, part.key) for m in part.search.misses(radius)]
        answer.misses.sort(key=lambda m: (m.miss.cost.things, round(m.miss.cost.amount, 9), m.miss.distance))
        fewest = answer.misses[0].miss.cost.things if answer.misses else 0
        answer.misses = [m for m in answer.misses if m.miss.cost.things == fewest][: question.limit]
        answer.left_out += _unsearched([part.search for part in parts], fewest)
        if not answer.misses and not answer.standing:
            answer.reasons = [self._reason(question, region, named, whole=answer.left_out == whole)]
        return answer

    def _keyless(self, events: Sequence[Event]) -> Iterator[str]:
        """What is said of events that have no key, so that no match takes them."""
        without = [e for e in events if self._key_of(e) is None] if self._plan.partition else []
        if without:
            paths = ", ".join(".".join(p) for p in self._plan.partition)
            first = f"{without[0].type} {without[0].id}"
            yield f"events without a key (PARTITION BY {paths}): {len(without):,}, the first {first}"

    def _part(
        self,
        answer: Answer,
        question: Question,
        value: Any,
        of_key: Sequence[Event],
        refused: Sequence[Refused],
        required: set[Identity],
    ) -> _Part:
        """What is looked at of one key."""
        plan, region = self._plan, answer.region
        late = [r for r in refused if self._key_of(r.event) == value]
        if len(of_key) > MOST_EVENTS:
            nearest = sorted(of_key, key=lambda e: abs(e.t_gen - region.time))
            answer.left_out.append(
                f"{len(of_key) - MOST_EVENTS:,} of {len(of_key):,} events of the key: those farthest off"
            )
            of_key = sorted(nearest[:MOST_EVENTS], key=sort_key)
        shown = shown_key(plan.partition, of_key[0] if of_key else late[0].event)
        search = Search(
            plan=plan,
            stream=Stream(of_key, late),
            region=region,
            trials=self._trials,
            required=required,
            key={path: (shown or {})[".".join(path)] for path in plan.partition},
            limit=question.limit,
        )
        return _Part(search, shown, value)

    def _reason(self, question: Question, region: Region, required: Sequence[Event], *, whole: bool) -> str:
        """Why there is no match near, and no miss."""
        came: Sequence[Event] = self._memory.events
        if late := [r.event for r in self._memory.refused]:
            came = sorted([*came, *late], key=sort_key)
        return reason(self._plan, came, region, question.key, required, whole=whole)

    def _stand(self, answer: Answer, parts: Sequence[_Part], limited: _Limit) -> None:
        """Adds the matches that stand, and those that were taken back."""
        region, told = answer.region, self._memory.told
        self._trials.look = limited.until(1.0)
        for part in parts:
            try:
                standing = part.search.standing()
            except OutOfTime:
                answer.left_out.append("whether matches stand: there are too many of them")
                break
            answer.standing += [Known(f, part.key, told.get(f.assignment)) for f in standing]
        answer.standing.sort(key=lambda s: region.distance(s.match.start, s.match.end))
        values = {part.value: part for part in parts}
        for t in told.values():
            if t.op == "retract" and region.near(t.match.start, t.match.end):
                part_of = values.get(self._key_of(next(iter(t.match.events.values()))[0]))
                if part_of is not None and set(part_of.search.required) <= {i for _, i in t.match.taken}:
                    answer.retracted.append(Known(t.match, part_of.key, t))

    def _around(self, region: Region) -> tuple[Sequence[Event], list[Refused]]:
        """The events that decide what is near."""
        far = region.radius + 2 * WIDEST * region.within
        low, high = region.time - far, region.time + far
        events = self._memory.events[bisect_left(self._times, low) : bisect_right(self._times, high)]
        low, high = region.span
        return events, [r for r in self._memory.refused if low <= r.event.t_gen <= high]

    def _named(self, question: Question) -> list[Event]:
        """The events that are named, all of one key."""
        found: dict[str, list[Event]] = {}
        asked = set(question.required)
        for event in (*self._memory.events, *(r.event for r in self._memory.refused)) if asked else ():
            if event.id in asked:
                found.setdefault(event.id, []).append(event)
        for name in question.required:
            if name not in found:
                near = self._around(
                    Region(time=question.time, radius=self._plan.within, within=self._plan.within)
                )
                known = suggestion(name, (e.id for e in near[0]))
                raise ConfigurationError(
                    f"limecep: --with {name}: pattern '{self._plan.name}' reads no event of this id: {known}"
                )
            if len(found[name]) > 1:
                types = ", ".join(sorted({e.type for e in found[name]}))
                raise ConfigurationError(
                    f"limecep: --with {name}: {len(found[name])} events have this id, of {types}"
                )
        events = [e for (e,) in found.values()]
        if len({self._key_of(e) for e in events}) > 1:
            raise ConfigurationError(
                "limecep: --with: the events are of different keys: no match takes them all"
            )
        return events

    def _keys(
        self, question: Question, events: Sequence[Event], refused: Sequence[Refused], named: Any
    ) -> list[Any]:
        """The keys that are looked at, nearest first."""
        plan, time = self._plan, question.time
        if not plan.partition:
            if question.key is not None:
                raise ConfigurationError(
                    f"limecep: --key: pattern '{plan.name}' has no PARTITION BY, so its events have no key"
                )
            return [()] if events or refused else []
        nearest: dict[Any, tuple[int, Event]] = {}
        for event in (*events, *(r.event for r in refused)):
            value = self._key_of(event)
            away = abs(event.t_gen - time)
            if value is not None and (value not in nearest or away < nearest[value][0]):
                nearest[value] = (away, event)
        if question.key is not None:
            wanted = question.key
            nearest = {v: item for v, item in nearest.items() if wanted in spelled(plan, item[1])}
            if not nearest:
                self._check_key(wanted)
        if named is not None:
            nearest = {v: item for v, item in nearest.items() if v == named}
        return sorted(nearest, key=lambda v: (nearest[v][0], str(v)))

    def _check_key(self, wanted: str) -> None:
        """Raises where no event has a key at all."""
        known: set[str] = set()
        seen: set[Any] = set()
        for event in (*self._memory.events, *(r.event for r in self._memory.refused)):
            value = self._key_of(event)
            if value is None or value in seen:
                continue
            seen.add(value)
            written = spelled(self._plan, event)
            if wanted in written:
                return
            known.add(written[0])
        paths = ", ".join(".".join(p) for p in self._plan.partition)
        said = f"no event has this key (PARTITION BY {paths})"
        raise ConfigurationError(f"limecep: --key {wanted}: {said}: {suggestion(wanted, known)}")


def _unsearched(searches: Sequence[Search], fewest: int) -> Iterator[str]:
    """What searches left out."""
    yield from dict.fromkeys(text for s in searches for text in s.left_out)
    unfinished = [s.unfinished for s in searches if s.unfinished is not None]
    if unfinished:
        things = counted(max(1, min(unfinished)))
        fewer = ", which may be fewer" if min(unfinished) < fewest else ""
        yield f"some of the matches that need {things}{fewer}: the time was over"
    if untried := sum(s.untried for s in searches):
        yield f"{untried:,} changes were not tried: the time was over"


class _Limit:
    """Ends what takes too long."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._watch = Stopwatch()

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return self._watch.seconds > self._seconds

    def share(self, parts: int) -> Callable[[float], Callable[[], None]]:
        """The time for the first of some parts."""
        now = self._watch.seconds
        share = max(0.0, self._seconds - now) / parts
        return lambda part: self._at(now + part * share)

    def until(self, part: float) -> Callable[[], None]:
        """What raises `OutOfTime` once such a part of the time is over."""
        return self._at(part * self._seconds)

    def _at(self, seconds: float) -> Callable[[], None]:
        def look() -> None:
            if self._watch.seconds > seconds:
                raise OutOfTime

        return look
