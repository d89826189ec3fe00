"""How far a run over finite input has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.runner import Progress
from limecep.contracts.source import Measured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.runtime.detecting import Detecting
    from limecep.runtime.feeds import Feed


def progress(feeds: Sequence[Feed], detection: Detecting | None) -> Progress | None:
    """How far these feeds have come; None before a run, and where some of them never end."""
    if detection is None or not feeds or any(feed.live for feed in feeds):
        return None
    sources = [part.source for feed in feeds for part in feed.parts]
    amounts = [s.progress if isinstance(s, Measured) else None for s in sources]
    known = [a for a in amounts if a is not None]
    total = sum(size for _, size in known)
    figures = detection.statistics.sources.values()
    return Progress(
        fraction=sum(done for done, _ in known) / total if total and len(known) == len(amounts) else None,
        events=sum(s.read for s in figures),
        event_time=max((s.latest for s in figures if s.latest is not None), default=None),
    )
