"""Views: what an engine sees of the store for one pattern and one key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.store.lane import Lane, Ordering


class View:
    """The lanes of one pattern's steps, for one value of PARTITION BY.

    It holds every event the pattern accepted, reaching back far enough from any end event that is evaluated,
    and also what is later than it: an engine bounds what it reads. Events refused by the pattern never stand
    in it.

    Attributes:
        steps: For each alternative, a lane for each positive step.
        negations: For each alternative, a lane for each negated step.
        ordering: Precedence and the window, in the order numbers of the lanes.
        memo: Whatever an engine derives; emptied by the kernel whenever the past of the view changes.
    """

    __slots__ = ("memo", "negations", "ordering", "steps")

    def __init__(
        self,
        steps: tuple[tuple[Lane, ...], ...],
        negations: tuple[tuple[Lane, ...], ...],
        ordering: Ordering,
    ) -> None:
        self.steps = steps
        self.negations = negations
        self.ordering = ordering
        self.memo: dict[Any, Any] = {}

    def order(self, event: Event) -> int:
        """The order number of an event."""
        return self.ordering.of(event)
