"""What a pipeline read, as one pattern saw it: the events that count, and those refused as too late."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from heapq import merge
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from limecep.clock import ManualClock
from limecep.embedding.pipelines import Assembly, Renderer
from limecep.errors import ConfigurationError
from limecep.model.event import Statement, sort_key
from limecep_why_not.changes import Refused, identity
from limecep_why_not.trials import Found, found_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from limecep.embedding.pipelines import PatternConfig, PipelineConfig, Refusal, Registry
    from limecep.model.event import Event
    from limecep.model.update import Update
    from limecep_why_not.changes import Identity
    from limecep_why_not.trials import Assignment

_RENDER = Renderer("ids")

#: How many events are fed at a time.
BATCH = 4096


class Told(NamedTuple):
    """What was told of a match last.

    Attributes:
        id: The id of the match.
        op: `emit`, `correct` or `retract`.
        cause: The kind of the cause.
        event: The id of the event that caused it; "" if none did.
        match: The match.
    """

    id: str
    op: str
    cause: str
    event: str
    match: Found


@dataclass(slots=True, kw_only=True)
class Memory:
    """What was read.

    Attributes:
        events: The events that count, by sort key.
        refused: The others, of which the lateness policy said that they are too late.
        told: What was told of each match.
        invalid: How many records gave no event.
        missing: What was not there to be read, in words.
    """

    events: list[Event] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    told: dict[Assignment, Told] = field(default_factory=dict)
    invalid: int = 0
    missing: list[str] = field(default_factory=list)


def remembered(
    config: PipelineConfig, registry: Registry, pattern: PatternConfig, logger: Any, *, state: bool = False
) -> Memory:
    """Runs a pattern over what the sources of its pipeline have.

    Args:
        config: The pipeline.
        registry: The components there are.
        pattern: The pattern.
        logger: The logger.
        state: Whether to take what the state of the pipeline has instead.

    Raises:
        ConfigurationError: A source never ends, or the pattern reads what others derive.
        RunFailure: A source, or the state, cannot be read.
    """
    types = {t for step in _steps(pattern) for t in step}
    derived = {p.derives.type: p.name for p in config.patterns if p.derives is not None}
    if below := sorted(types & derived.keys()):
        raise ConfigurationError(
            f"limecep: pattern '{pattern.name}' reads '{below[0]}', which pattern '{derived[below[0]]}' "
            f"derives: ask about '{derived[below[0]]}'"
        )
    live = [] if state else [s.name for s in config.sources if s.live]
    if live:
        raise ConfigurationError(
            f"limecep: source '{live[0]}' never ends: give its events in a file, --data {live[0]}=FILE"
        )
    if not config.sources:
        raise ConfigurationError("limecep: the pipeline has no source: there are no events to look at")
    alone = replace(config, patterns=(replace(pattern, derives=None),), sinks=(), observers=(), state=None)
    assembly = Assembly(alone, registry, ManualClock(), logger)
    memory = Memory()
    counting = _Counting(memory, types if pattern.select != "sc" else None)

    detection = assembly.detection(
        counting.deliver, counting.refuse, sources=assembly.traits(), awaits_sources=True
    )
    if state:
        from limecep_why_not.kept import kept

        found, memory.missing = kept(config, registry, logger)
        read: Iterable[list[Event]] = (found[n : n + BATCH] for n in range(0, len(found), BATCH))
    else:
        read = _read(assembly, memory)
    for events in read:
        counting.take(events)
        detection.feed(events)
    before = set(memory.told)
    detection.finish()
    counting.finish()
    if state and (undecided := [a for a, t in memory.told.items() if a not in before and t.op == "emit"]):
        # A pipeline that runs has not told them yet, and may not.
        for assignment in undecided:
            del memory.told[assignment]
        memory.missing.append(
            f"what may still come: {len(undecided):,} matches that wait for time count as if nothing did"
        )
    if memory.invalid:
        memory.missing.append(f"records that give no event: {memory.invalid:,}")
    return memory


def _steps(pattern: PatternConfig) -> Iterator[Sequence[str]]:
    from limecep.model.alternatives import spread

    return (step.types for steps in spread(pattern.pattern.structure) for step in steps)


class _Counting:
    """Notes which events count, while they are fed."""

    def __init__(self, memory: Memory, types: set[str] | None) -> None:
        self._memory = memory
        self._types = types
        self._known: dict[Identity, Event] = {}
        self._out: set[Identity] = set()

    def take(self, events: Iterable[Event]) -> None:
        known, types = self._known, self._types
        for event in events:
            if types is not None and event.type not in types:
                continue
            earlier = known.setdefault(identity(event), event)
            # Of what may be taken back the statement with the greatest version counts.
            if (
                earlier is not event
                and isinstance(event, Statement)
                and isinstance(earlier, Statement)
                and event.version > earlier.version
            ):
                known[identity(event)] = event

    def refuse(self, refusal: Refusal) -> None:
        if refusal.reason == "evicted":
            return
        event = refusal.event
        self._out.add(identity(event))
        if refusal.verdict is not None and refusal.reason == "extremely_late":
            verdict = refusal.verdict
            self._memory.refused.append(Refused(event, verdict.score, verdict.threshold, verdict.reason))

    def deliver(self, update: Update) -> None:
        if update.op == "final":
            return
        record = _RENDER.render(update)
        if update.before is not None:
            self._memory.told.pop(found_of(update.before).assignment, None)
        found = found_of(update.match)
        cause = record["cause"]
        self._memory.told[found.assignment] = Told(
            record["match"], update.op, cause["kind"], cause["event"] or "", found
        )

    def finish(self) -> None:
        counted = (
            e
            for i, e in self._known.items()
            if i not in self._out and not (isinstance(e, Statement) and e.withdrawn)
        )
        self._memory.events = sorted(counted, key=sort_key)


def _read(assembly: Assembly, memory: Memory) -> Iterator[list[Event]]:
    """The events of all sources in the order of their arrival."""

    def arriving(feed: Any, place: int) -> Iterator[tuple[int, int, Event]]:
        for fed, arrivals in feed.whole():
            memory.invalid += len(fed.invalid)
            yield from ((t_arr, place, e) for e, t_arr in zip(fed.events, arrivals, strict=True))

    feeds = assembly.feeds()
    batch: list[Event] = []
    for _, _, event in merge(*(arriving(f, n) for n, f in enumerate(feeds)), key=lambda item: item[:2]):
        # Detection keeps its own notes in an event.
        batch.append(msgspec.structs.replace(event))
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch
