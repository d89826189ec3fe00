"""What waits for slack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.patterns.deadlines import FOREVER

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.ledger import Key
    from limecep.store.view import View


class Pending:
    """What is to be looked at together in one view: the end events that late events may have touched, with
    what had been emitted for these before, and those that have waited since they came.

    Attributes:
        waiting: The ordinals of end events that have waited since they came: nothing was said of them.
        due: The arrival time at which it is looked at.
        low, high: All end events of this range of `t_gen`, both ends included, are here.
    """

    __slots__ = ("before", "due", "ends", "high", "late", "low", "view", "waiting")

    def __init__(self, view: View) -> None:
        self.view = view
        self.low = FOREVER
        self.high = -FOREVER
        self.due = FOREVER
        self.ends: dict[int, Event] = {}
        self.waiting: set[int] = set()
        self.before: dict[Key, Match] = {}
        self.late: list[Event] = []

    def waits(self, end: Event) -> None:
        """An end event waits since it comes."""
        self.ends[end.ordinal] = end
        self.waiting.add(end.ordinal)

    def concerns(self, before: int) -> bool:
        """Whether it has to do with an event before a `t_gen`."""
        return any(e.t_gen < before for e in (*self.ends.values(), *self.late))
