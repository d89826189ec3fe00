"""Lateness policies decide whether a late event is still used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

if TYPE_CHECKING:
    from limecep.model.event import Event


class Verdict(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """What a policy says of one event.

    Attributes:
        extremely_late: The pattern ignores it.
        score: The policy's figure for it, and `threshold`, what that was held against.
    """

    extremely_late: bool
    score: float = 0.0
    threshold: float = 0.0


class LatenessPolicy(Protocol):
    """Made once a pattern: `Factory(plan, options, context)`. A decision, not a component that waits."""

    def assess(self, event: Event, statistics: Any) -> Verdict:
        """The verdict on an event that is out of order."""

    def horizon(self, statistics: Any) -> int | None:
        """The `t_gen` before which nothing will be accepted any more, in microseconds; None if there is
        none."""
