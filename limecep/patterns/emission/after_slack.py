"""Matches go out after the slack that late events are waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from limecep.patterns.emission.at_once import AtOnce
from limecep.patterns.emission.in_time import InTime

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.store.view import View


class AfterSlack(AtOnce):
    """As at once, but end events that come in order wait for slack, too, as long as there is any."""

    gathers: ClassVar[bool] = True

    def _ended(self, end: Event, view: View) -> None:
        if not self._held_back(end, view):
            super()._ended(end, view)


class AfterSlackInTime(InTime):
    """After the slack, and some matches when event time has passed."""

    gathers: ClassVar[bool] = True

    def _ended(self, end: Event, view: View) -> None:
        if not self._held_back(end, view):
            super()._ended(end, view)
