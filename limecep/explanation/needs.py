"""What a pattern needs to be kept: how long events stay, and how many that may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep.detection.retention import most_kept
from limecep.patterns.memory import WINDOWS_KEPT
from limecep.statistics import Statistics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.config.model import SourceConfig
    from limecep.patterns.detector import Detector


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How long a pattern needs events, in microseconds of event time.

    Attributes:
        late: How far behind the latest event time an event may still change something; None where that is
            learnt, or however far.
        learns: Whether it follows from how late events were; it is one window then at least.
        windows: How many windows are kept behind that.
        span: The sum, at least where it is learnt; None where everything is needed.
    """

    late: int | None
    learns: bool
    windows: int
    span: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffered:
    """How many events of a type there may be at once, by how often its sources say that a device reports.

    Attributes:
        type: The event type.
        every: The periods, in microseconds, by the name of the source.
        in_window: The most events in one window; None where some source does not say.
        kept: The most there may be at once for this pattern; None also where it needs all.
    """

    type: str
    every: dict[str, int]
    in_window: int | None
    kept: int | None


def kept(detector: Detector) -> Kept:
    """How long a pattern needs events."""
    statistics = Statistics()
    statistics.lta = 0
    horizon = detector.lateness.horizon(statistics)
    late = None if horizon is None else -horizon
    results = detector.results
    if results.horizon is not None and (results.announces or results.emit == "final"):
        # What has been called final is not changed any more.
        late = results.horizon if late is None else min(late, results.horizon)
    learns = late is None and detector.lateness.learns
    least = detector.plan.within if learns else late
    return Kept(
        late=late,
        learns=learns,
        windows=WINDOWS_KEPT,
        span=None if least is None else least + WINDOWS_KEPT * detector.plan.within,
    )


def buffered(detector: Detector, sources: Iterable[SourceConfig], span: int | None) -> tuple[Buffered, ...]:
    """The most events of each type that the pattern names.

    Args:
        detector: The pattern.
        sources: Where events come from.
        span: How long they are kept; None: for ever.
    """
    sources = tuple(sources)
    return tuple(_of_type(t, sources, detector.plan.within, span) for t in sorted(detector.plan.types))


def _of_type(event_type: str, sources: tuple[SourceConfig, ...], within: int, span: int | None) -> Buffered:
    bringing = [s for s in sources if s.event_type in (None, event_type)]
    every = {s.name: s.every for s in bringing if s.every is not None}
    known = bool(bringing) and len(every) == len(bringing)

    def most(time: int) -> int:
        # Both ends of a window belong to it.
        return sum(time // period + 1 for period in every.values())

    return Buffered(
        type=event_type,
        every=every,
        in_window=most(within) if known else None,
        kept=most_kept(most(span)) if known and span is not None else None,
    )
