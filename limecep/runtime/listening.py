"""Listening to sources that bring nothing for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from limecep.model.event import Event


class Idling(Protocol):
    """As far as `limecep.runtime.detecting.Detecting` listens."""

    def idle(self, away: Collection[str] = ()) -> Sequence[Event]:
        """As of `Detecting`."""


class Journalling(Protocol):
    """As far as the state keeps events."""

    def entered(self, events: Sequence[Event]) -> None:
        """These were taken in."""


def listen(detection: Idling, away: Collection[str], keeper: Journalling | None, logger: Any) -> None:
    """Has detection do what time has come for. What it takes in, as the clock was set, is for the journal.

    Args:
        detection: What detects.
        away: The sources that are not connected.
        keeper: The state; None without one.
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
