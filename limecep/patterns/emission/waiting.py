"""Matches that wait for event time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.time import FOREVER
from limecep.patterns.deadlines import Deadlines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.patterns.timing import Timing
    from limecep.store.view import View
    from limecep.store.views import Views


class Waiting:
    """End events some of whose matches wait for event time.

    Args:
        timing: What the matches of the pattern wait for.
        tables: Makes the tables of the pattern.

    Attributes:
        deadlines: The end events.
        settled: What was due before this has been decided: the progress of time when deadlines last ran.
    """

    def __init__(self, timing: Timing, tables: Tables) -> None:
        self.deadlines = Deadlines(tables, "deadlines")
        # What waits for nothing is due at -FOREVER.
        self.settled = 1 - FOREVER
        self._timing = timing

    def has_passed(self, match: Match) -> bool:
        """Whether time has passed for everything that a match waits for."""
        return self._timing.due(match) < self.settled

    def add(self, end: Event, view: View, matches: Iterable[Match]) -> list[Match]:
        """Lets the matches of an end event wait, as far as they have to; gives the others."""
        passed, due_of, settled = [], self._timing.due, self.settled
        if self._timing.picks_late and (picked := self._timing.picked(end)) >= settled:
            self.deadlines.add(picked, end, view)
        for match in matches:
            if (due := due_of(match)) >= settled:
                self.deadlines.add(due, end, view)
            else:
                passed.append(match)
        return passed

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash, the tables aside."""
        return {"settled": self.settled}

    def restore(self, known: Mapping[str, Any], views: Views) -> None:
        """It is as it was in a snapshot: the tables are filled.

        Args:
            known: The snapshot.
            views: The pattern's views of the store.
        """
        self.settled = known["settled"]
        self.deadlines.restore(views)
