"""Records of the late output: what could not be used, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from limecep.model.event import UNVERSIONED, Statement
from limecep.output.render import event_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event
    from limecep.output.record import Record
    from limecep.patterns.detector import Refusal

LateReason = Literal["extremely_late", "future", "invalid", "evicted"]


def late_record(
    reason: LateReason,
    *,
    source: str,
    position: str,
    event: Event | None = None,
    raw: str | None = None,
    error: str | None = None,
    patterns: Sequence[str] | None = None,
    score: float | None = None,
    threshold: float | None = None,
) -> Record:
    """A record of the late output: an event that was not used, or the text of a record that gave none. What
    is None is left out."""
    record: Record = {"reason": reason}
    optional = {
        "event": None if event is None else _event_record(event),
        "raw": raw,
        "error": error,
        "patterns": None if patterns is None else list(patterns),
        "score": score,
        "threshold": threshold,
    }
    record.update((name, value) for name, value in optional.items() if value is not None)
    record["source"] = source
    record["position"] = position
    return record


def _event_record(event: Event) -> Record:
    record = event_record(event)
    if isinstance(event, Statement):
        # Without it a withdrawal would be an event that has no fields.
        if event.version != UNVERSIONED:
            record["version"] = event.version
        if event.withdrawn:
            record["withdrawn"] = True
    return record


def refused_record(refusal: Refusal, position: str) -> Record:
    """A record of the late output: an event that some patterns do not see, and where it stood."""
    verdict = refusal.verdict
    return late_record(
        refusal.reason,
        source=refusal.event.source,
        position=position,
        event=refusal.event,
        patterns=refusal.patterns or None,
        score=None if verdict is None else verdict.score,
        threshold=None if verdict is None else verdict.threshold,
        error=refusal.error or (None if verdict is None else verdict.reason) or None,
    )
