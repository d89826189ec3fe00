"""Changes of a stream, or of a pattern's rules, and what they cost."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from limecep.model.event import Event, sort_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: A rule that chooses among the matches there are.
Rule = Literal["select", "results", "pick"]
Path = tuple[str, ...]
Identity = tuple[str, str, str]

#: What the ids of added events begin with. None of a source's has a line break.
ADDED = "\nadded "

#: A value that is not there.
MISSING = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Added:
    """One more event, taken by a step.

    Attributes:
        event: The event.
        variable: The step's variable.
        types: The types that the step takes.
        after, before: It may happen anywhere between these times, in microseconds, neither included.
    """

    event: Event
    variable: str
    types: tuple[str, ...]
    after: int
    before: int

    @property
    def amount(self) -> float:
        """The amount of the change."""
        return 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Removed:
    """One event fewer.

    Attributes:
        event: The event.
        negated: The variable of the negated step that it hits; "" where it is in the way of a selection rule.
    """

    event: Event
    negated: str = ""

    @property
    def amount(self) -> float:
        """The amount of the change."""
        return 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Valued:
    """Another value of an attribute of an event that the match takes.

    Attributes:
        event: The event as it is.
        variable: The variable of its step.
        path: The attribute.
        old, new: The values; `MISSING` for none.
        broken: The condition that does not hold with the old value, as written.
    """

    event: Event
    variable: str
    path: Path
    old: Any
    new: Any
    broken: str = ""

    @property
    def amount(self) -> float:
        """The amount of the change."""
        return difference(self.old, self.new)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Widened:
    """A wider window, in microseconds."""

    old: int
    new: int

    @property
    def amount(self) -> float:
        """The amount of the change."""
        return difference(self.old, self.new)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Admitted:
    """A higher threshold of the lateness policy: it refuses no event of at most that score.

    Attributes:
        event: The event of that score, which the match takes.
        old, new: The thresholds.
        reason: Why the policy refused it.
    """

    event: Event
    old: float
    new: float
    reason: str = ""

    @property
    def amount(self) -> float:
        """The amount of the change."""
        return difference(self.old, self.new)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lifted:
    """A rule that chooses among matches does so no more: `select: stam`, `skip: none`, or no `pick`."""

    rule: Rule
    old: str

    @property
    def amount(self) -> float:
        """The amount of the change."""
        return 1.0


Change = Added | Removed | Valued | Widened | Admitted | Lifted


class Refused(NamedTuple):
    """An event that the lateness policy refused: its score, the threshold then, and the policy's reason."""

    event: Event
    score: float
    threshold: float
    reason: str = ""


class Cost(NamedTuple):
    """The cost of some changes: how many things change, then by how much."""

    things: int
    amount: float


@dataclass(frozen=True, slots=True)
class Stream:
    """The events that a pattern is evaluated on.

    Attributes:
        events: Those that count, by sort key, without duplicates.
        refused: Those that its lateness policy refused.
    """

    events: Sequence[Event]
    refused: Sequence[Refused] = field(default=())

    def between(self, low: int, high: int) -> Stream:
        """The part of it from one time to another."""
        start = bisect_left(self.events, low, key=lambda e: e.t_gen)
        stop = bisect_right(self.events, high, key=lambda e: e.t_gen)
        return Stream(self.events[start:stop], [r for r in self.refused if low <= r.event.t_gen <= high])

    def changed(self, changes: Iterable[Change]) -> list[Event]:
        """The events that count after some changes, by sort key."""
        gone: set[int] = set()
        more: list[Event] = []
        payloads: dict[int, dict[str, Any]] = {}
        for change in changes:
            match change:
                case Added(event=event):
                    more.append(event)
                case Removed(event=event):
                    gone.add(id(event))
                case Valued(event=event, path=path, new=new):
                    payloads[id(event)] = put(payloads.get(id(event), event.payload), path, new)
                case Admitted(new=new):
                    more += [r.event for r in self.refused if r.score <= new]
        there = [e for e in (*self.events, *more) if id(e) not in gone]
        changed = [
            msgspec.structs.replace(e, payload=payloads[id(e)]) if id(e) in payloads else e for e in there
        ]
        return sorted(changed, key=sort_key)


def cost(changes: Sequence[Change]) -> Cost:
    """The cost of changes."""
    return Cost(len(changes), sum(c.amount for c in changes))


def difference(old: Any, new: Any) -> float:
    """The relative difference of two values, from 0 to 1; 1 where one of them is no number."""
    if type(old) not in (int, float) or type(new) not in (int, float):
        return 1.0
    whole = abs(old) + abs(new)
    return abs(new - old) / whole if whole else 0.0


def put(payload: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A payload with another value of an attribute; without the attribute where the value is `MISSING`."""
    name, *rest = path
    if rest and not isinstance(payload.get(name), dict) and ".".join(path) in payload:
        # A field whose name has the dots.
        name, rest = ".".join(path), []
    changed = dict(payload)
    if rest:
        inner = changed.get(name)
        changed[name] = put(inner if isinstance(inner, dict) else {}, tuple(rest), value)
    elif value is MISSING:
        changed.pop(name, None)
    else:
        changed[name] = value
    return changed


def is_added(event: Identity) -> bool:
    """Whether an event is an added one."""
    return event[2].startswith(ADDED)


def identity(event: Event) -> Identity:
    """What makes two events duplicates."""
    return (event.type, event.source, event.id)
