"""Result policies say which differences between old and new results go out, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

if TYPE_CHECKING:
    #: When a match goes out. `eager`: as soon as it is found. `complete`: one whose end step may take several
    #: events when time has passed its window, others as soon as they are found. `slack`: after the slack that
    #: late events are waited for. `final`: when no event that is still accepted can change it.
    Emit = Literal["eager", "complete", "slack", "final"]


#: What `ResultPolicy.emit` may be.
EMITS = ("eager", "complete", "slack", "final")


class Skip(msgspec.Struct, gc=False, frozen=True):
    """A skip strategy (SEMANTICS 9): which matches a kept one drops.

    Attributes:
        to: `next`: those with the same start; `past-last`: those that start at or before its end; `first`,
            `last`: those that start before its first, or last, event of `variable`.
        variable: Of the pattern; "" for `next` and `past-last`.
    """

    to: Literal["next", "past-last", "first", "last"]
    variable: str = ""


class ResultPolicy(Protocol):
    """Made once a pattern: `Factory(plan, options, context)`."""

    @property
    def corrects(self) -> bool:
        """Whether what was emitted is corrected and taken back. If not, only new matches go out."""

    @property
    def emit(self) -> Emit:
        """When a match goes out."""

    @property
    def announces(self) -> bool:
        """Whether it is said of a match that was emitted when no event that is still accepted can change it.
        Where matches go out only then, that is said as they do."""

    @property
    def horizon(self) -> int | None:
        """How far behind the latest event time, in microseconds, an event can still change results, whatever
        the lateness policy accepts; None for as far as it does. What becomes final needs one of the two."""

    @property
    def skip(self) -> Skip | None:
        """Which matches others drop; None for no such."""
