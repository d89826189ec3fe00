"""Follows matches through the updates of a detection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.contents import assignment, match_id
from limecep_why.history import Groups, History, Revision, taken

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from limecep.model.update import Update
    from limecep_why.finding import Wanted


class Following:
    """Takes the updates of a detection, and writes down what becomes of the matches that are looked for.

    Args:
        wanted: The matches that are looked for.
        deriving: The patterns that derive events.

    Attributes:
        place: Gives the number of the arrival that is being taken in.
        moment: What makes time pass, where no arrival does, as of `Revision`; "" while events are taken in.
        derived: The ids of matches by those of the events that they derive, where these differ.
    """

    def __init__(self, wanted: Wanted, deriving: Container[str]) -> None:
        self.place: Callable[[], int] = lambda: 0
        self.moment = ""
        self.derived: dict[str, str] = {}
        self._wanted = wanted
        self._deriving = deriving

    def take(self, update: Update) -> None:
        """An update was told."""
        groups = update.match.events()
        present = assignment(groups)
        first = present if update.first is update.match else assignment(update.first.events())
        match = match_id(update.pattern, update.key, first, update.generation)
        if update.pattern in self._deriving and (first is not present or update.generation):
            self.derived[match_id(update.pattern, update.key, present)] = match
        if self._wanted.wants(match, update.pattern):
            history = self._wanted.histories.get(match)
            if history is None:
                history = History(pattern=update.pattern, key=update.key, match=match)
                self._wanted.histories[match] = history
            history.add(*self._revision(update, {v: tuple(g) for v, g in groups.items()}, history))

    def _revision(self, update: Update, groups: Groups, history: History) -> tuple[Revision, Groups]:
        added, removed = history.differs(groups)
        cause, returned = update.cause_event, update.match.alternative.returned
        return Revision(
            number=update.revision,
            op=update.op,
            added=added,
            removed=removed,
            size=len(taken(groups)),
            start=update.match.start.t_gen,
            end=update.match.end.t_gen,
            cause=update.cause,
            cause_id=None if cause is None else cause.id,
            cause_event=cause,
            detected=update.detected,
            latency=update.latency,
            final=update.final,
            values=None if returned is None else returned(groups, update.match.end),
            place=None if self.moment else self.place(),
            moment=self.moment,
        ), groups
