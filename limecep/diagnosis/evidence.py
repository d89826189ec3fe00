"""What is known of the events that came: some of each type, and how many there were."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from limecep.model.event import sort_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from limecep.config.model import SourceConfig
    from limecep.detection.detection import Detection
    from limecep.model.event import Event
    from limecep.store.type_set import TypeSet

#: How many events of a type are looked at, at most.
MOST_EVENTS = 10_000
#: How many where nothing seems to be wrong.
GLANCE_EVENTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Events of one type.

    Attributes:
        first: The first ones by event time, none left out between them.
        later: Some more, which came after these.
        total: How many there were.
    """

    first: Sequence[Event] = ()
    later: Sequence[Event] = ()
    total: int = 0

    @property
    def events(self) -> list[Event]:
        """All that can be looked at."""
        return [*self.first, *self.later]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSeen:
    """What came from a source.

    Attributes:
        name, channel: Its name and its channel.
        types: The event types that it can bring; None for any.
        outcomes: How many events had each outcome.
        first, latest: The range of `t_gen`, in microseconds; None before the first event.
        epoch: The format of its times, where that is a number; else "".
        reader: The time format of a plugin that reads them; "" where none does.
        own: The field, where it is one, that an event's `id` is made of, and its `type`, by these names.
    """

    name: str
    channel: str = ""
    types: frozenset[str] | None = None
    outcomes: Mapping[str, int] = field(default_factory=dict)
    first: int | None = None
    latest: int | None = None
    epoch: str = ""
    reader: str = ""
    own: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, config: SourceConfig, outcomes: Mapping[str, int], first: int | None, latest: int | None
    ) -> SourceSeen:
        """What came from a configured source."""
        own = {"id": config.id[0]} if len(config.id) == 1 else {}
        if config.type_field is not None:
            own["type"] = config.type_field
        brought = None if config.time is None else config.time.brought
        time = "" if config.time is None or brought is not None else config.time.format
        return cls(
            name=config.name,
            channel=config.channel,
            types=None if config.event_type is None else frozenset({config.event_type}),
            outcomes=outcomes,
            first=first,
            latest=latest,
            epoch=time if time.startswith("epoch") else "",
            reader="" if brought is None or not brought.brought else brought.spec.name,
            own=own,
        )

    @property
    def read(self) -> int:
        """How many records were read."""
        return sum(self.outcomes.values())

    def brings(self, types: Iterable[str]) -> bool:
        """Whether events of some of these types may come from it."""
        return self.types is None or not self.types.isdisjoint(types)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What came.

    Attributes:
        seen: The events of each type that some pattern names.
        strangers: How many there were of types that no pattern names, as far as that was looked at.
        all_strangers: Whether these are all.
        sources: The sources.
        sampled: Whether there may be more events than these.
        derived: The patterns that derive events of a type, by the type.
    """

    seen: Mapping[str, Seen]
    strangers: Mapping[str, int] = field(default_factory=dict)
    all_strangers: bool = True
    sources: Sequence[SourceSeen] = ()
    sampled: bool = False
    derived: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def of(self, types: Iterable[str]) -> Seen:
        """The events of several types as one."""
        found = [self.seen[t] for t in types if t in self.seen]
        if len(found) == 1:
            return found[0]
        # Beyond where those of one type break off, others would seem to be missing.
        until = min((s.first[-1].t_gen for s in found if s.first and len(s.first) < s.total), default=None)
        together = sorted((e for s in found for e in s.first), key=sort_key)
        return Seen(
            first=[e for e in together if until is None or e.t_gen <= until],
            later=[
                *[e for e in together if until is not None and e.t_gen > until],
                *[e for s in found for e in s.later],
            ],
            total=sum(s.total for s in found),
        )

    def amount(self, types: Iterable[str], *, every: bool = True) -> str:
        """How many events of some types there are, in words: `all 5,000 A`, `the only A`, `the 10,000 A
        looked at (of 1,000,000)`; where it is not `every` one of them, `5,000 A`."""
        names = [t for t in types if t in self.seen and self.seen[t].total]
        seen = self.of(names)
        looked, what = len(seen.events), " and ".join(names)
        if looked < seen.total:
            return f"{'the ' if every else ''}{looked:,} {what} looked at (of {seen.total:,})"
        text = f"{looked:,} {what}"
        if every:
            text = f"all {text}" if looked > 1 else f"the only {what}"
        return f"{text} of the sample" if self.sampled else text


def stored(detection: Detection, most: int = MOST_EVENTS) -> dict[str, Seen]:
    """What a detection still has of each type that its patterns name: so many events of each that have left
    memory, and of each that are in it, at most."""
    named = {t for d in detection.detectors for t in d.plan.types}
    return {t: _of_type(detection.store.types[t], most) for t in sorted(named)}


def _of_type(type_set: TypeSet, most: int) -> Seen:
    left, kept = type_set.departed_first[:most], type_set.events.content.events[:most]
    if len(left) == type_set.departed:
        first: list[Any] = [*left, *kept]
        return Seen(first=first, total=type_set.arrived)
    return Seen(first=left, later=kept, total=type_set.arrived)
