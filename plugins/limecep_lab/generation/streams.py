"""What a stream is made of: event types, sources, payloads, planted matches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from limecep import option
from limecep.intake.times import Unreadable, time_reader
from limecep_lab.generation.distributions import Distribution, fair
from limecep_lab.specs import Block, Findings, Scalar, block, load, settle

if TYPE_CHECKING:
    import os

#: Columns that every stream has.
COLUMNS = ("id", "type", "source", "t_gen")

#: Values of attributes: distributions, or values that are always the same.
Payload = Mapping[str, Distribution]
_Written = Mapping[str, Block | Scalar]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where events come from."""

    rate: float = option(help="Events a second.", example=20)
    types: Mapping[str, float] = option(
        help="The event types that come from it, with how often each does.",
        example={"Temperature": 9, "Smoke": 1},
    )

    def __post_init__(self) -> None:
        if self.rate <= 0:
            raise ValueError("'rate' must be more than 0")
        if not fair(list(self.types.values())):
            raise ValueError("'types' must have weights of which none is below 0 and not all are 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class _StepBlock:
    type: str = option(help="The event type.")
    payload: Mapping[str, Block | Scalar] = option(
        {}, help="Attributes that are otherwise than those of other events of the type."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlantedBlock:
    every: int = option(help="In each run of so many events there is one match.", example=1000)
    gap: int = option(
        1, help="How many events there are from one event of a match to its next, 1 is no other."
    )
    matches: Mapping[str, Sequence[_StepBlock]] = option(
        help="The matches by name, each a list of events; one of them is drawn each time."
    )

    def __post_init__(self) -> None:
        if self.gap < 1:
            raise ValueError("'gap' must be at least 1")
        if not self.matches or not all(self.matches.values()):
            raise ValueError("'matches' must have one, and each must have events")
        span = _span(self)
        if self.every < span:
            raise ValueError(f"'every' must be at least {span}, as many events as the longest match spans")


@dataclass(frozen=True, slots=True, kw_only=True)
class _StreamBlock:
    events: int = option(help="How many events.", example=1_000_000)
    start: str = option("2026-01-05T00:00:00Z", help="The time of the first event.")
    sources: Mapping[str, Source] = option(help="Where events come from.")
    key: Mapping[str, Block | Scalar] = option(
        {},
        help="Attributes that events of all types have. Those of a planted match agree on them.",
        example={"room": {"zipf": 1000, "prefix": "k"}},
    )
    types: Mapping[str, Mapping[str, Block | Scalar]] = option(
        {}, help="The attributes of event types.", example={"Smoke": {"density": {"uniform": [0, 1]}}}
    )
    ties: float = option(
        0.0, help="The share of events that have the time of a neighbour.", unit="percent", example="5%"
    )
    resolution: int = option(1, help="What times are whole multiples of.", unit="duration", example="1ms")
    planted: _PlantedBlock | None = option(None, help="Matches that are put in on purpose.")

    def __post_init__(self) -> None:
        if self.events < 0:
            raise ValueError("'events' must be at least 0")
        if not self.sources:
            raise ValueError("'sources' must have one")
        if not 0 <= self.ties <= 1:
            raise ValueError("'ties' must be from 0 to 100%")
        if self.resolution < 1:
            raise ValueError("'resolution' must be at least 1us")
        rate = sum(s.rate for s in self.sources.values())
        if self.planted and self.planted.gap * 1_000_000 / rate < self.resolution:
            raise ValueError(
                "'planted' would have events of one time: its gap must be larger, or rates lower"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An event of a planted match.

    Attributes:
        type: The event type.
        source: Where it comes from.
        payload: Attributes that are otherwise than those of other events of the type.
    """

    type: str
    source: str
    payload: Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """Matches that are put into a stream.

    Attributes:
        every: In each run of so many events there is one.
        gap: How many events there are from one event of it to its next.
        matches: The matches by name; one of them is drawn each time.
    """

    every: int
    gap: int
    matches: Mapping[str, tuple[Step, ...]]

    @property
    def span(self) -> int:
        """How many events there are from the first to the last of the longest match, both included."""
        return _span(self)

    @property
    def steps(self) -> list[Step]:
        """The events of all matches."""
        return [step for match in self.matches.values() for step in match]


def _span(planted: _PlantedBlock | Planted) -> int:
    return (max(map(len, planted.matches.values())) - 1) * planted.gap + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A stream that can be made.

    Attributes:
        events: How many events.
        start: The time of the first, in microseconds since 1970.
        sources: Where they come from.
        key: Attributes that events of all types have.
        types: The attributes of event types.
        ties: The share of events that have the time of a neighbour.
        resolution: What times are whole multiples of, in microseconds.
        planted: Matches that are put in.
    """

    events: int
    start: int
    sources: Mapping[str, Source]
    key: Payload
    types: Mapping[str, Payload]
    ties: float
    resolution: int
    planted: Planted | None

    @property
    def rate(self) -> float:
        """Events a second, of all sources."""
        return math.fsum(s.rate for s in self.sources.values())

    @property
    def attributes(self) -> list[str]:
        """All attributes, those of the key first."""
        return list(dict.fromkeys(a for p in (self.key, *self.payloads) for a in p))

    @property
    def payloads(self) -> list[Payload]:
        """What events have besides the key: by type, and those planted."""
        planted = [step.payload for step in self.planted.steps] if self.planted else []
        return [*self.types.values(), *planted]


def read_stream(spec: str | os.PathLike[str] | Mapping[str, Any]) -> Stream:
    """What a stream is to be made of.

    Args:
        spec: A file of YAML, or a dict of that form.

    Raises:
        ConfigurationError: Something is wrong with it; all that is.
    """
    made, findings = load(spec, _StreamBlock, "a stream")
    reading = _Reading(made, findings)
    stream = Stream(
        events=made.events,
        start=reading.start(),
        sources=made.sources,
        key=reading.payload(made.key, "key"),
        types={t: reading.payload(p, f"type '{t}'") for t, p in made.types.items()},
        ties=made.ties,
        resolution=made.resolution,
        planted=reading.planted(),
    )
    reading.check(stream)
    settle(findings)
    return stream


class _Reading:
    """Reads what stands deeper in a stream's block."""

    def __init__(self, made: _StreamBlock, findings: Findings) -> None:
        self._made = made
        self._findings = findings

    def _wrong(self, message: str, hint: str = "") -> None:
        self._findings.error("bad-value", message, None, hint)

    def start(self) -> int:
        try:
            return time_reader("iso8601", "UTC")(self._made.start)
        except Unreadable as error:
            self._wrong(f"'start' {error}")
            return 0

    def payload(self, written: _Written, what: str) -> Payload:
        found = {}
        for name, node in written.items():
            if isinstance(node, Scalar):
                if node.value is None:
                    self._findings.error("bad-value", f"'{name}' must have a value", node)
                    continue
                try:
                    found[name] = Distribution(constant=node.value)
                except ValueError as error:
                    self._findings.error("bad-value", f"'{name}' of {what}: {error}", node)
            elif read := block(node, Distribution, f"'{name}' of {what}", self._findings):
                found[name] = read
            if name in (*COLUMNS, "t_arr"):
                self._findings.error("bad-value", f"'{name}' cannot be an attribute of {what}", node)
        return found

    def planted(self) -> Planted | None:
        made = self._made.planted
        if made is None:
            return None
        by_type: dict[str, str] = {}
        for source, emitted in self._made.sources.items():
            for type_ in emitted.types:
                by_type.setdefault(type_, source)
        matches = {}
        for name, steps in made.matches.items():
            for step in steps:
                if step.type not in by_type:
                    self._wrong(
                        f"match '{name}' has an event of type '{step.type}', which comes from no source",
                        f"known: {', '.join(by_type)}",
                    )
            matches[name] = tuple(
                Step(
                    type=s.type,
                    source=by_type.get(s.type, ""),
                    payload=self.payload(s.payload, f"match '{name}'"),
                )
                for s in steps
            )
        return Planted(every=made.every, gap=made.gap, matches=matches)

    def check(self, stream: Stream) -> None:
        known = {t for s in stream.sources.values() for t in s.types}
        for name in stream.types.keys() - known:
            self._wrong(f"type '{name}' comes from no source", f"known: {', '.join(sorted(known))}")
        families: dict[str, set[str]] = {}
        for payload in (stream.key, *stream.payloads):
            for name, distribution in payload.items():
                families.setdefault(name, set()).add(distribution.family)
        for name in {name for payload in stream.payloads for name in payload} & stream.key.keys():
            self._wrong(f"attribute '{name}' is of the key: it cannot be otherwise for some events")
        for name, kinds in families.items():
            if len(kinds) > 1:
                self._wrong(
                    f"attribute '{name}' is {' here, and '.join(sorted(kinds))} there",
                    "one attribute is one column: its values are of one kind",
                )
