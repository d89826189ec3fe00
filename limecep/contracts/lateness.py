"""Lateness policies decide whether a late event is still used."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

import msgspec

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.statistics import Statistics


class Verdict(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """What a policy says of one event.

    Attributes:
        extremely_late: The pattern ignores it.
        score: The policy's figure for it, and `threshold`, what that was held against; both finite. What is
            extremely late scores more than its threshold.
        reason: Why it is ignored, in a few words for the late output: `31 s late, more than 10 s`.
    """

    extremely_late: bool
    score: float = 0.0
    threshold: float = 0.0
    reason: str = ""


class LatenessPolicy(Protocol):
    """Made once a pattern: `Factory(plan, options, context)`. A decision, not a component that waits.

    A policy may learn. What it has learnt is its own: patterns do not learn from each other. It is bounded,
    keeps no event, and comes from nothing but the events that were judged and the statistics. It is then
    `limecep.contracts.remembering.Remembering`; so may policies of other kinds be.

    Attributes:
        learns: Whether what it accepts follows from what it has seen. Events are then kept as long as the
            greatest lateness accepted so far asks for. Where it does not learn and has no horizon, all are.

        by_window: Whether a verdict may depend on the window of the pattern. Patterns that refuse the same
            events share what is stored; those of different windows only where this is false.
    """

    learns: ClassVar[bool]
    by_window: ClassVar[bool]

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        """The verdict on an event that is out of order: asked once for each, in the order of their arrival.

        The statistics already count the event; the store does not hold it yet.
        """

    def horizon(self, statistics: Statistics) -> int | None:
        """The `t_gen` before which nothing will be accepted any more, in microseconds; None if there is none.
        It never goes back."""
