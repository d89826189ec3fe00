"""The agenda: what patterns have to do when time has come so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.clock import Clock
    from limecep.detection.derived import Derived
    from limecep.detection.event_time import EventTime
    from limecep.model.event import Event
    from limecep.patterns.event_manager import EventManager
    from limecep.statistics import Statistics


class Agenda:
    """What waits for event time, and for slack.

    Args:
        managers: The event managers.
        clock: The arrival clock.
        time: How far event time has come.
        statistics: What policies decide by.
        derived: Takes in what is derived of what is told; None where nothing is.

    Attributes:
        timed: Whether matches of some pattern may wait, for event time or for slack.
        slack_due: The arrival time at which there is something to do; FOREVER if nothing waits for slack.
        time_due: The event time, once strictly passed, from which on there is something to do.
        next_deadline: The event time from which on there may be: any, while something waits for slack.
    """

    def __init__(
        self,
        managers: Sequence[EventManager],
        clock: Clock,
        time: EventTime,
        statistics: Statistics,
        derived: Derived | None = None,
    ) -> None:
        if derived is not None:
            # Those on higher levels look when those below have.
            managers = sorted(managers, key=lambda m: derived.levels[m.plan.name])
        self._derived = derived
        self._managers = managers
        self._places = {manager: place for place, manager in enumerate(managers)}
        #: Those with deadlines, and those where something may wait for slack: with many patterns few are.
        self._timed = [m for m in managers if m.waits]
        self._gathering = {n for n, m in enumerate(managers) if m.waits or m.gathers}
        self._held = set(range(len(managers)))
        self._clock = clock
        self._time = time
        self._statistics = statistics
        self.timed = any(m.waits or m.gathers for m in managers)
        self.slack_due = self.time_due = self.next_deadline = FOREVER

    def look_at(self, managers: Iterable[EventManager]) -> None:
        """A late event may wait for slack with some patterns: what waits there may be due sooner."""
        for manager in managers:
            due = manager.slack_due
            if due < FOREVER:
                self._held.add(self._places[manager])
                if due < self.slack_due:
                    self.slack_due, self.next_deadline = due, -FOREVER

    def note(self) -> int:
        """Finds when something is to be done next; gives the next deadline."""
        slack_due = time_due = FOREVER
        for place in list(self._held):
            due = self._managers[place].slack_due
            if due < slack_due:
                slack_due = due
            elif due == FOREVER and place not in self._gathering:
                self._held.discard(place)
        for manager in self._timed:
            time_due = min(time_due, manager.next_deadline)
        self.slack_due, self.time_due = slack_due, time_due
        self.next_deadline = -FOREVER if slack_due < FOREVER else time_due
        return self.next_deadline

    def run(self, upcoming: int, beside: Event | None = None) -> int:
        """Does what time has come for, `upcoming` being the latest event time; gives the next deadline.

        Args:
            upcoming: The latest event time.
            beside: The event that is being taken in; None if there is none.
        """
        self.run_slack(beside)
        self._statistics.lta = max(self._statistics.lta, upcoming)
        derived = self._derived
        for manager in self._timed:
            if manager.next_deadline < upcoming or self._time.over:
                manager.run_due()
                if derived is not None and derived.waits:
                    derived.enter(beside)
        return self.note()

    def run_slack(self, beside: Event | None = None) -> None:
        """Looks at what has waited long enough by the arrival clock."""
        if self.slack_due <= (now := self._clock.now()):
            for place in sorted(self._held):
                self._managers[place].run_slack(now)
            if self._derived is not None and self._derived.waits:
                self._derived.enter(beside)
            self.note()
