"""The profile of a file of events: one pass over a sample, one over all records."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from heapq import heappop, heappush
from itertools import islice
from typing import TYPE_CHECKING, Any

from limecep.encoding import to_canonical_json
from limecep.intake.times import Unreadable
from limecep_profile.attributes import (
    MOST_ATTRIBUTES,
    MOST_VALUES,
    Attribute,
    id_fields,
    key_field,
    type_field,
)
from limecep_profile.sketches import Recent, Spread
from limecep_profile.times import candidate, candidates, offset

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from limecep_profile.records import Flat
    from limecep_profile.times import Candidate

#: How many records at the beginning say which attributes are times.
SAMPLE = 2_000
#: Among how many records that were seen last one is looked for that is the same, and times are put in order.
WINDOW = 100_000


@dataclass(slots=True, kw_only=True)
class Profile:
    """The profile of a file.

    Attributes:
        records: How many there are that can be read.
        times: What may be the time, the most likely first.
        time, arrival: What is; None where nothing is.
        untimed: Records whose time cannot be read, and the first such value.
        first, last: The earliest and the latest time, in microseconds.
        late: By how much those are behind the latest before them that are.
        late_in_key: How many are behind the latest of their key.
        ties: How many have the time of another before them and are not the same.
        same: How many are the same as another before them.
        steps: From each time to the next, in the order of time.
        gap: The greatest of these: how long, and from when.
        zones: The zones that stamps say, and "" for none.
        attributes: By name.
        id, key, type: The attributes that identify an event, tell devices apart, say what happened; None.
        clashes: By attribute, how often one that is called an id came again with other values.
    """

    records: int = 0
    times: list[Candidate] = field(default_factory=list)
    time: Candidate | None = None
    arrival: Candidate | None = None
    untimed: int = 0
    untimed_value: Any = None
    first: int | None = None
    last: int | None = None
    late: Spread = field(default_factory=Spread)
    late_in_key: int = 0
    ties: int = 0
    same: int = 0
    steps: Spread = field(default_factory=Spread)
    gap: tuple[int, int] = (0, 0)
    zones: Counter[str] = field(default_factory=Counter)
    attributes: dict[str, Attribute] = field(default_factory=dict)
    id: str | None = None
    key: str | None = None
    type: str | None = None
    clashes: Counter[str] = field(default_factory=Counter)

    @property
    def span(self) -> int:
        """From the earliest to the latest time, in microseconds."""
        return 0 if self.first is None or self.last is None else self.last - self.first

    @property
    def usual_step(self) -> int:
        """The median of the steps, in microseconds."""
        return self.steps.quantile(0.5)

    @property
    def long_step(self) -> int:
        """A step beyond that is a gap: one of five usual ones."""
        return 5 * max(self.usual_step, 1)

    @property
    def types(self) -> Mapping[str, int]:
        """Number of events of each type, the commonest first; empty without a type attribute."""
        if self.type is None:
            return {}
        return {str(name): n for name, n in self.attributes[self.type].values.most_common()}


def profiled(records: Iterable[Flat], time: str | None = None, format: str | None = None) -> Profile:
    """The profile of records that can be gone through twice.

    Args:
        records: The records.
        time: The attribute that is the time; by default the most likely.
        format: How that is written.

    Raises:
        ValueError: There is no such attribute, or no such format.
    """
    profile = Profile()
    sample = list(islice(records, SAMPLE))
    values: dict[str, list[Any]] = {}
    for record in sample:
        for name, value in record.items():
            if value is not None and len(values) < MOST_ATTRIBUTES:
                values.setdefault(name, []).append(value)
    profile.times = candidates(values, len(sample))
    if time is not None:
        if time not in values:
            raise ValueError(f"no record has '{time}': there are {', '.join(sorted(values))}")
        known = next((c for c in profile.times if c.name == time), None)
        named = known if format is None else candidate(time, values[time], format)
        if named is None:
            raise ValueError(f"'{time}' is written in a form that is not known: say it with --time-format")
        profile.time = named
    else:
        profile.time = next((c for c in profile.times if not c.arrival), None)
    profile.arrival = next((c for c in profile.times if c.arrival and c is not profile.time), None)
    _Pass(profile, sample).go(records)
    return profile


class _Pass:
    """Goes through all records."""

    def __init__(self, profile: Profile, sample: list[Flat]) -> None:
        self._profile = profile
        first: dict[str, Attribute] = {}
        for record in sample:
            _note(first, record)
        self._ids = {name: Recent(WINDOW) for name in id_fields(first, len(sample))}
        self._key = key_field(first, len(sample))
        self._latest: int | None = None
        self._coming: list[int] = []
        self._before: int | None = None
        self._latest_of: dict[Any, int] = {}
        self._seen = Recent(WINDOW)
        self._stamps = Recent(WINDOW)

    def go(self, records: Iterable[Flat]) -> None:
        """Fills in the profile."""
        profile = self._profile
        for record in records:
            profile.records += 1
            _note(profile.attributes, record)
            content = blake2b(to_canonical_json(record), digest_size=12).digest()
            same = self._seen.get(content) is not None
            profile.same += same
            for name, ids in self._ids.items():
                before = ids.get(record.get(name), content)
                profile.clashes[name] += before is not None and before != content
            if profile.time is not None:
                self._time(record, profile.time, same=same)
        while self._coming:
            self._step(heappop(self._coming))
        count = profile.records
        profile.id = next(
            (n for n in id_fields(profile.attributes, count) if n in self._ids and not profile.clashes[n]),
            None,
        )
        profile.key = self._key if self._key == key_field(profile.attributes, count) else None
        profile.type = type_field(profile.attributes, count)
        if profile.arrival is not None and profile.attributes[profile.arrival.name].present < count:
            profile.arrival = None

    def _time(self, record: Flat, time: Candidate, *, same: bool) -> None:
        profile, latest = self._profile, self._latest
        value = record.get(time.name)
        try:
            t = time.read(value)
        except (Unreadable, ValueError):
            profile.untimed += 1
            profile.untimed_value = value if profile.untimed_value is None else profile.untimed_value
            return
        if not time.format.startswith("epoch"):
            profile.zones[offset(value)] += 1
        if self._stamps.get(t) is not None and not same:
            profile.ties += 1
        profile.first = t if profile.first is None else min(profile.first, t)
        profile.last = t if profile.last is None else max(profile.last, t)
        self._latest = t if latest is None else max(latest, t)
        if t < self._latest:
            profile.late.add(self._latest - t)
        heappush(self._coming, t)
        if len(self._coming) > WINDOW:
            self._step(heappop(self._coming))
        if self._key is not None:
            key = record.get(self._key)
            before = self._latest_of.get(key, t)
            profile.late_in_key += t < before
            if key in self._latest_of or len(self._latest_of) < MOST_VALUES:
                self._latest_of[key] = max(before, t)

    def _step(self, t: int) -> None:
        before = self._before
        if before is not None and t > before:
            self._profile.steps.add(t - before)
            self._profile.gap = max(self._profile.gap, (t - before, before))
        self._before = t if before is None else max(before, t)


def _note(attributes: dict[str, Attribute], record: Flat) -> None:
    for name, value in record.items():
        known = attributes.get(name)
        if known is None:
            if len(attributes) >= MOST_ATTRIBUTES:
                continue
            known = attributes[name] = Attribute(name)
        known.note(value)
