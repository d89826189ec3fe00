"""What is remembered of the statistics, of event time and of retention."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.state.spreads import spread_in, spread_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.detection.event_time import EventTime
    from limecep.detection.retention import Retention
    from limecep.statistics import Statistics


def of_statistics(statistics: Statistics) -> dict[str, Any]:
    """All figures but those that come from the store."""
    return {
        "lta": statistics.lta,
        "lateness": spread_out(statistics.lateness),
        "sources": {n: (s.outcomes, s.first, s.latest) for n, s in statistics.sources.items()},
        "types": {n: (spread_out(t.lateness), t.extremely_late) for n, t in statistics._types.items()},
        "patterns": {
            n: {t: spread_out(s) for t, s in p.scores.items()} for n, p in statistics.patterns.items()
        },
    }


def recall_statistics(statistics: Statistics, known: Mapping[str, Any]) -> None:
    """They are as they were when these were their figures."""
    statistics.lta = known["lta"]
    spread_in(statistics.lateness, known["lateness"])
    for name, (outcomes, first, latest) in known["sources"].items():
        source = statistics.source(name)
        source.outcomes.update(outcomes)
        source.first, source.latest = first, latest
    for name, (lateness, extremely_late) in known["types"].items():
        found = statistics.type(name)
        spread_in(found.lateness, lateness)
        found.extremely_late = extremely_late
    for name, scores in known["patterns"].items():
        for event_type, score in scores.items():
            # Whatever it is, it makes the place.
            statistics.pattern(name).note_score(event_type, 0.0)
            spread_in(statistics.pattern(name).scores[event_type], score)


def of_time(time: EventTime) -> dict[str, Any]:
    """When each source was heard of, and what was told."""
    return {"heard": time._heard, "told": time._told}


def recall_time(time: EventTime, known: Mapping[str, Any], now: int | None) -> None:
    """It is as it was; but where wall time has gone on since, no source has had time yet to be silent.

    Args:
        time: Event time.
        known: What `of_time` gave.
        now: When the sources count as heard of, in microseconds; None: when they were.
    """
    time._heard.update({name: heard if now is None else now for name, heard in known["heard"].items()})
    time.tell(known["told"])


def of_retention(retention: Retention) -> dict[str, Any]:
    """What was let go."""
    return {
        "evicted": retention.evicted,
        "cut": retention.cut,
        "whole_from": retention.whole_from,
        "room": retention._room,
        "look_at": retention._look_at,
    }


def recall_retention(retention: Retention, known: Mapping[str, Any]) -> None:
    """It is as it was, but for what the configuration says."""
    retention.evicted = known["evicted"]
    retention.cut.update(known["cut"])
    retention.whole_from = known["whole_from"]
    if retention._limits.size is not None:
        retention._room = min(retention._room, known["room"])
    retention._look_at = known["look_at"]
