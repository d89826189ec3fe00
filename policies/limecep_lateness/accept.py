"""Accepts late events, all of them or up to a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.lateness import Verdict

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep_lateness.config import AcceptOptions

_USED = Verdict(extremely_late=False)


class Accept:
    """`score` is how many seconds the event lies behind the latest event time, `threshold` is the bound."""

    def __init__(self, plan: Plan, options: AcceptOptions, context: Context) -> None:
        self._within = options.within

    def assess(self, event: Event, statistics: Any) -> Verdict:
        if self._within is None:
            return _USED
        behind = statistics.lta - event.t_gen
        return Verdict(
            extremely_late=behind > self._within, score=behind / 1_000_000, threshold=self._within / 1_000_000
        )

    def horizon(self, statistics: Any) -> int | None:
        if self._within is None:
            return None
        return int(statistics.lta - self._within)
