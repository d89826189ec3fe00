"""Recompute policies say how far a late event reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from limecep.model.event import Event


class RecomputePolicy(Protocol):
    """Made once a pattern: `Factory(plan, options, context)`. A function of the event, without memory."""

    def reach(self, event: Event, lta: int) -> tuple[int, int]:
        """The range of end events, by `t_gen` in microseconds and both ends included, whose results an event
        may change that was not the latest when it came: those are evaluated before and after it.

        Too narrow a range leaves results wrong that the event has changed; too wide a one only costs time.

        Args:
            event: The event, of a type that the pattern names.
            lta: The latest `t_gen` seen.
        """
