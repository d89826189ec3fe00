"""Result policies say which differences between old and new results go out, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    #: When a match goes out. `eager`: as soon as it is found. `complete`: one whose end step may take several
    #: events when time has passed its window, others as soon as they are found. `slack`: after the slack that
    #: late events are waited for. `final`: when no event that is still accepted can change it.
    Emit = Literal["eager", "complete", "slack", "final"]


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
