"""Listening to sources: how that begins, and what it tells that they bring nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from limecep.runtime.feeds import Feed

#: What a live pipeline without state says at the start.
WITHOUT_STATE = (
    "no state is kept: a crash would lose the events in memory, the matches begun with them and corrections "
    "of those found, and may send again what was sent last"
)


def begin(feeds: Iterable[Feed], logger: Any, *, kept: bool) -> None:
    """Opens the sources.

    Args:
        feeds: The sources.
        logger: The logger.
        kept: Whether there is a state.

    Raises:
        RunFailure: One cannot be read.
    """
    for feed in feeds:
        feed.open()
    if not kept and any(feed.live for feed in feeds):
        logger.info(WITHOUT_STATE)


def listen(detection: Any, away: Collection[str], keeper: Any, logger: Any) -> None:
    """Has detection do what time has come for. What it takes in, as the clock was set, is for the journal.

    Args:
        detection: What detects, as of `limecep.runtime.detecting.Detecting`.
        away: The sources that are not connected.
        keeper: The state, whose journal takes events by `entered`; None without one.
        logger: The logger.
    """
    again = detection.idle(away)
    if again:
        logger.warning(
            "the clock was set: events that had seemed too far ahead are judged again, although the late "
            "output has them as 'future'",
            events=len(again),
        )
        if keeper is not None:
            keeper.entered(again)
