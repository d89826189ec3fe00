"""Accepts late events, all of them or up to a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.lateness import Verdict
from limecep_lateness.bound import judge

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics
    from limecep_lateness.config import AcceptOptions

_USED = Verdict(extremely_late=False)


class Accept:
    """Without a bound nothing is scored; with one it is `bound`."""

    learns = False
    by_window = False

    def __init__(self, plan: Plan, options: AcceptOptions, context: Context) -> None:
        self._within = options.within

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        return _USED if self._within is None else judge(statistics.lta - event.t_gen, self._within)

    def horizon(self, statistics: Statistics) -> int | None:
        return None if self._within is None else statistics.lta - self._within
