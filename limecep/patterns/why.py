"""Why matches came and went: what is said of a difference, and the plain case of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.model.update import CauseKind

    Cause = tuple[CauseKind, Event | None]


class Why(Protocol):
    """Why matches came, and went."""

    def found(self, match: Match) -> Cause:
        """Why a match goes out, or is corrected."""

    def lost(self, match: Match) -> Cause:
        """Why a match is taken back."""


class InOrder(NamedTuple):
    """One cause for all; without an event, what came in order is its own."""

    kind: CauseKind
    event: Event | None

    def found(self, match: Match) -> Cause:
        return self.kind, match.end if self.event is None and self.kind == "in_order" else self.event

    def lost(self, match: Match) -> Cause:
        return self.kind, self.event
