"""Matches go out after the slack that late events are waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.patterns.emission.at_once import AtOnce
from limecep.patterns.emission.in_time import InTime

if TYPE_CHECKING:
    from limecep.model.event import Event
    from limecep.store.view import View


class AfterSlack(AtOnce):
    """As at once, but end events that come in order wait for slack, too, as long as there is any."""

    gathers = True

    def _ended(self, end: Event, view: View) -> None:
        wait = self._policies.slack.wait(self._statistics)
        if wait <= 0:
            super()._ended(end, view)
            return
        pending = self._held.of(view)
        pending.waits(end)
        self._held.hold(pending, self._clock.now() + wait)


class AfterSlackInTime(AfterSlack, InTime):
    """After the slack, and some matches when event time has passed."""
