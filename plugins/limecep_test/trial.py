"""A pipeline under test: its own detection, on a clock that the test moves. Nothing is connected."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from decimal import Decimal
from heapq import merge
from typing import TYPE_CHECKING, Any

import msgspec

from limecep import ComponentSpec
from limecep.embedding.pipelines import Assembly, Batch, ComponentConfig, Renderer, diagnose
from limecep.spec import NoOptions
from limecep_test.arrivals import Advance, Come, Pass, Refuse
from limecep_test.clock import VirtualClock
from limecep_test.entries import Entry, net

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from limecep.contracts.source import Message
    from limecep.embedding.pipelines import (
        Detection,
        PipelineConfig,
        Reader,
        Refusal,
        Registry,
        SourceConfig,
    )
    from limecep.model.event import Event
    from limecep.model.update import Update
    from limecep_test.arrivals import Step

#: How often a run looks at the clock while nothing comes, in microseconds.
LOOK_US = 100_000
#: How often a test does at most while it says that nothing comes, and from one arrival to the next.
LOOKS_IN_SILENCE = 10_000
LOOKS_BETWEEN = 600

_RENDER = Renderer("ids")
#: What to do where a pattern waits for time.
_WAITING = "later events move it, {advance: TIME}, or {silence: DURATION} at a live source"
#: Stands in the place of a source's codec, for records that need none.
_DECODED = ComponentConfig(
    spec=ComponentSpec(
        kind="codec", name="decoded", factory="limecep_test.decoded:Decoded", summary="Records as they are"
    ),
    options=NoOptions(),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """An event that some pattern does not see, or a record that gave none (`id` is None)."""

    reason: str
    id: str | None
    error: str
    patterns: tuple[str, ...] = ()

    def line(self) -> str:
        """The text of it, as an expectation is written."""
        return self.reason if self.id is None else f"{self.reason} {self.id}"

    @property
    def details(self) -> str:
        """The error, and the patterns concerned, for messages."""
        return "; ".join(filter(None, (self.error, ", ".join(self.patterns))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a run.

    Attributes:
        updates: The change log.
        told: The same, with all there is to it.
        late: What was refused, in order.
        counts: Outcomes of events, and `read`, their sum.
        why_none: For each pattern that found nothing, what may be the reason.
    """

    updates: list[Entry] = field(default_factory=list)
    told: list[Update] = field(default_factory=list)
    late: list[Late] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    why_none: dict[str, list[str]] = field(default_factory=dict)

    @property
    def net(self) -> list[Entry]:
        """The matches that stand in the end."""
        return net(self.updates)


class Components:
    """The components of a pipeline, on a virtual clock.

    Args:
        config: The pipeline.
        registry: The components there are.
        logger: The logger.
    """

    def __init__(self, config: PipelineConfig, registry: Registry, logger: Any) -> None:
        self.config = config
        self.clock = VirtualClock()
        self._registry = registry
        self._logger = logger
        self._assembly = Assembly(config, registry, self.clock, logger)
        self._readers: dict[tuple[str, bool], Reader] = {}

    def read(self, source: SourceConfig, message: Message, *, raw: bool) -> Batch:
        """Read a message of a source: bytes through its codec, or a record as JSON."""
        key = source.name, raw
        if key not in self._readers:
            made = source if raw else replace(source, codec=_DECODED)
            self._readers[key] = self._assembly.reader(made)
        reader = self._readers[key]
        batch = reader.read([message])
        if not raw:
            return batch
        rest = reader.finish()
        return Batch(
            events=[*batch.events, *rest.events],
            positions=[*batch.positions, *rest.positions],
            invalid=[*batch.invalid, *rest.invalid],
        )

    def recorded(self, names: Sequence[str]) -> Iterator[tuple[Event | None, tuple[str, str]]]:
        """Yield what sources read from files, merged by arrival as in a replay: an event, or None with the
        source and the error of a record that gives none.

        Raises:
            RunFailure: A file cannot be read.
        """
        sources = tuple(s for s in self.config.sources if s.name in names)
        if not sources:
            return
        # The others are connected to nothing.
        alone = replace(self.config, sources=sources)
        feeds = Assembly(alone, self._registry, self.clock, self._logger).feeds()
        streams = []
        for place, feed in enumerate(feeds):
            found: list[tuple[int, int, Event | None, tuple[str, str]]] = []
            reached = 0
            for fed, arrivals in feed.whole():
                for event, t_arr in zip(fed.events, arrivals, strict=True):
                    found.append((t_arr, place, event, ("", "")))
                    reached = t_arr
                found += [(reached, place, None, (i.source, i.error)) for i in fed.invalid]
            streams.append(found)
        for _, _, came, error in merge(*streams, key=lambda item: item[:2]):
            yield came, error

    def detection(self, outcome: Outcome, start: int, unit: int) -> Detection:
        """Detection that writes into an outcome."""
        self._assembly.count_anew()

        def deliver(update: Update) -> None:
            outcome.updates.append(_entry(update, start, unit))
            outcome.told.append(update)

        def refuse(refusal: Refusal) -> None:
            verdict = refusal.verdict
            error = refusal.error or ("" if verdict is None else verdict.reason)
            outcome.late.append(
                Late(reason=refusal.reason, id=refusal.event.id, error=error or "", patterns=refusal.patterns)
            )

        return self._assembly.detection(
            deliver, refuse, sources=self._assembly.traits(), awaits_sources=bool(self.config.sources)
        )


def run(
    components: Components,
    steps: Sequence[Step],
    *,
    ends: bool,
    start: int,
    unit: int,
    looks: int = LOOKS_BETWEEN,
) -> Outcome:
    """Run some steps.

    Args:
        components: The pipeline.
        steps: What happens.
        ends: Whether the input is over after that.
        start, unit: What times count from, in microseconds, and how many of them their unit has.
        looks: How often detection looks at the clock at most from one arrival to the next, if it is live.
    """
    outcome = Outcome()
    config, clock = components.config, components.clock
    clock.restart(_begin(steps, start))
    detection = components.detection(outcome, start, unit)
    live = any(s.live for s in config.sources)
    left = Counter(s.event.source for s in steps if isinstance(s, Come))
    recorded = {s.name for s in config.sources if not s.live}
    if live:
        detection.idle()
    # As in a replay: of a recording it is known when it is over.
    for name in recorded - left.keys():
        detection.ended(name)
    for step in steps:
        if isinstance(step, Come):
            if live:
                _pass(detection, clock, step.event.t_arr, looks)
            # Detection keeps its own notes in an event.
            detection.feed([msgspec.structs.replace(step.event)])
            left[step.event.source] -= 1
            if ends and step.event.source in recorded and not left[step.event.source]:
                detection.ended(step.event.source)
        elif isinstance(step, Pass):
            _pass(detection, clock, step.to, LOOKS_IN_SILENCE)
        elif isinstance(step, Advance):
            detection.advance(step.to)
        elif isinstance(step, Refuse):
            detection.statistics.source(step.source).outcomes["invalid"] += 1
            outcome.late.append(Late(reason="invalid", id=None, error=step.error))
    if ends:
        detection.finish()
    outcome.counts.update(detection.statistics.events())
    outcome.why_none.update(_why_none(detection, config))
    return outcome


def _begin(steps: Iterable[Step], start: int) -> int:
    """Return the time of the clock at the start."""
    times = [s.event.t_arr if isinstance(s, Come) else s.to for s in steps if isinstance(s, (Come, Pass))]
    return min([start, *times])


def _pass(detection: Detection, clock: VirtualClock, to: int, looks: int) -> None:
    """Nothing comes up to a time, which detection looks at again and again, as a run does."""
    now = clock.now()
    # A multiple of that, rounded up.
    step = max(LOOK_US, -((now - to) // (looks * LOOK_US)) * LOOK_US)
    while now < to:
        now = min(now + step, to)
        clock.advance(now)
        detection.idle()


def _entry(update: Update, start: int, unit: int) -> Entry:
    record = _RENDER.render(update)
    return Entry(
        op=record["op"],
        pattern=record["pattern"],
        match=record["match"],
        revision=record["revision"],
        key=record["key"],
        events={name: tuple(ids) for name, ids in record["events"].items() if ids},
        values=record.get("values"),
        cause=record["cause"]["kind"],
        cause_event=record["cause"]["event"],
        at=Decimal(update.detected - start) / unit,
    )


def _why_none(detection: Detection, config: PipelineConfig) -> dict[str, list[str]]:
    patterns, sources = detection.patterns(), detection.statistics.outcomes()
    diagnose(detection, config.sources, patterns, sources)
    return {
        name: ["; ".join(filter(None, (why["message"], _hint(why)))) for why in told]
        for name, figures in patterns.items()
        if (told := figures.get("why_none"))
    }


def _hint(why: Mapping[str, str]) -> str:
    return _WAITING if why["code"] == "pending" else why.get("hint", "")
