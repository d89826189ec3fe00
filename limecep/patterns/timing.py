"""When a match may go out, and when nothing can change it any more, in event time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.time import FOREVER

if TYPE_CHECKING:
    from limecep.contracts.results import Emit
    from limecep.model.event import Event
    from limecep.model.match import Match
    from limecep.plan.plan import Plan


class Timing:
    """What the matches of a pattern wait for.

    Args:
        plan: The pattern's plan.
        emit: When its matches are to go out.
        maximal: Whether its engine leaves out what others contain or completed (SEMANTICS 7).

    Attributes:
        waits: Whether some matches wait for time.
        picks_late: Whether what is picked among live matches (`limecep.patterns.picking`) waits until the
            window of their end event has passed.
        exposing: The event types of which a later event may hit one match and spare another, which that
            brings to light.
    """

    def __init__(self, plan: Plan, emit: Emit, *, maximal: bool = True) -> None:
        self._within = plan.within
        self._final = emit == "final"
        trailing = [a for a in plan.alternatives if any(n.after > a.ends[0] for n in a.negations)]
        growing = [a for a in plan.alternatives if a.growing]
        # A negation after the last event is not hit before the window is over; until then a match can grow.
        self._whole = {id(a) for a in (*trailing, *(growing if emit in ("complete", "final") else ()))}
        self.waits = self._final or bool(self._whole)
        pick = plan.pick
        if pick is not None and self._whole:
            # One that waits may be picked before one that does not.
            self._whole = {id(a) for a in plan.alternatives}
        by_net = maximal and bool(growing)
        # The match that starts first is known first; else all that end with an event have to be known.
        self._by_end = pick not in (None, "first") and bool(self._whole) and not by_net
        self.picks_late = pick not in (None, "first") and self.waits and by_net
        # How long after an end event something may come that changes its results.
        self._settling = plan.within if trailing or growing else 0
        last = [(a, n) for a in trailing for n in a.negations if maximal and n.after > a.ends[0]]
        # It may hit a match and spare another that is contained in it, or was completed by it: not if it
        # names only single events that these have in common.
        completing = plan.select == "stnm"
        self._comparing = {
            t
            for a, n in last
            if any(
                not a.steps[k].quantifier.single or (completing and 0 < k == len(a.steps) - 1)
                for k in n.names
            )
            for t in n.filter.types
        }
        # It hits what ended before it, and spares what ends at the same time: that run was completed before.
        ties = [n for a, n in last if plan.select == "stnm" and len(a.steps) > 1 and not a.growing]
        self.exposing = frozenset(self._comparing.union([t for n in ties for t in n.filter.types]))

    def exposed_from(self, event: Event) -> int:
        """The `t_gen` from which on end events may have matches that such an event brings to light."""
        return event.t_gen - self._within if event.type in self._comparing else event.t_gen

    def due(self, match: Match) -> int:
        """The time that must have passed before a match goes out."""
        if id(match.alternative) in self._whole:
            return (match.end if self._by_end else match.start).t_gen + self._within
        return match.end.t_gen if self._final else -FOREVER

    def picked(self, end: Event) -> int:
        """The time that must have passed before what is picked late for an end event goes out."""
        return end.t_gen + self._within

    def settled(self, end: Event) -> int:
        """The time before which every event must be known that can change the results of an end event
        (SEMANTICS 10)."""
        return end.t_gen + self._settling

    def settled_until(self, passed: int) -> int:
        """The `t_gen` before which all end events are settled, once every event before a time is known."""
        return passed - self._settling
