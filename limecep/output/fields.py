"""The fields that records may have."""

from __future__ import annotations

#: Of the change log.
OF_UPDATES = frozenset(
    {
        "op", "match", "revision", "content", "pattern", "key", "start", "end", "values", "values_before",
        "events", "cause", "final", "backfill", "detected", "latency", "delay", "repeat",
    }
)  # fmt: skip
#: Of the late output.
OF_LATE = frozenset(
    {"reason", "event", "raw", "error", "patterns", "score", "threshold", "source", "position"}
)
