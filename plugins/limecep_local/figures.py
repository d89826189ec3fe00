"""The figures of workers, and what they are together."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import peak_rss
from limecep.statistics import Spread

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.embedding.pipelines import Detection, PipelineConfig, Retrieval, Share

#: Figures of a pattern that follow from all events, so that each worker has them whole.
_WHOLE = ("refused", "without_key")
#: Figures of a pattern that components do not count.
_DERIVED = ("live", "pending", "refused", "slack_waits", "unrepaired", "windows_cut", "without_key")


def figures_of(
    detection: Detection, share: Share, unrepaired: Counter[str], past: Retrieval | None
) -> dict[str, Any]:
    """Those of one worker; of what is the same in all workers the first gives it.

    Args:
        detection: What it detects with.
        share: Its keys.
        unrepaired: By pattern, how many events of these keys it could not use wholly.
        past: What reads events again, if anything.
    """
    patterns = detection.patterns()
    for name, told in patterns.items():
        told["unrepaired"] = unrepaired[name]
    figures: dict[str, Any] = {
        "patterns": patterns,
        "latency": {n: p.latency.snapshot() for n, p in detection.statistics.patterns.items()},
        "cpu_seconds": time.process_time(),
        "peak_rss_bytes": peak_rss(),
    }
    if share.first:
        figures |= {
            "statistics": detection.statistics.snapshot(),
            "stored": {name: (t.arrived, t.latest) for name, t in detection.store.types.items()},
            "irrelevant_types": dict(detection.irrelevant_types),
            "evicted": detection.evicted,
            "size": detection.size,
        }
        if past is not None:
            figures["retrieved"] = past.told()
    return figures


def patterns_of(config: PipelineConfig, workers: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The figures of each pattern over all workers."""
    return {
        p.name: _summed([w["patterns"][p.name] for w in workers])
        if p.pattern.partition
        else dict(workers[0]["patterns"][p.name])
        for p in config.patterns
    }


def _summed(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for name in dict.fromkeys(name for part in parts for name in part):
        values = [part[name] for part in parts if name in part]
        if name == "truncated_first":
            figures[name] = min(values, key=lambda first: first["time"].rstrip("Z"))
        elif name in _WHOLE or name == "disabled":
            figures[name] = values[0]
        elif name == "windows_cut":
            figures[name] = max(values)
        else:
            figures[name] = sum(values)
    return figures


def latency_of(workers: Sequence[Mapping[str, Any]], pattern: str) -> Spread:
    """The detection latency of a pattern over all workers."""
    whole = Spread()
    for known in (w["latency"][pattern] for w in workers):
        if known["count"]:
            some = whole.count > 0
            whole.minimum = min(whole.minimum, known["minimum"]) if some else known["minimum"]
            whole.maximum = max(whole.maximum, known["maximum"]) if some else known["maximum"]
            whole.count += known["count"]
            whole.total += known["total"]
    return whole


@contextmanager
def counting_as(
    detection: Detection, patterns: Mapping[str, Mapping[str, Any]], invalid: Mapping[str, int]
) -> Iterator[None]:
    """Has a worker count what all have counted, and this process, to find out what was in vain; after that it
    counts what it has counted itself.

    Args:
        detection: Its detection.
        patterns: The figures of the patterns over all workers.
        invalid: How many records of each source gave no event.
    """
    counted = [(d.context.counters, patterns[d.plan.name]) for d in detection.detectors]
    before = [counters.copy() for counters, _ in counted]
    sources = {name: detection.statistics.source(name).outcomes for name in invalid}
    try:
        for counters, told in counted:
            counters.update(
                {n: v - counters[n] for n, v in told.items() if n not in _DERIVED and type(v) is int}
            )
        for name, outcomes in sources.items():
            outcomes["invalid"] = invalid[name]
        yield
    finally:
        for (counters, _), own in zip(counted, before, strict=True):
            counters.clear()
            counters.update(own)
        for outcomes in sources.values():
            outcomes["invalid"] = 0
