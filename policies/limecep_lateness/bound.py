"""Accepts late events up to a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.lateness import Verdict

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics
    from limecep_lateness.config import BoundOptions


class Bound:
    """`score` is how many seconds the event lies behind the latest event time, `threshold` is the bound."""

    learns = False
    by_window = False

    def __init__(self, plan: Plan, options: BoundOptions, context: Context) -> None:
        self._within = options.within

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        return judge(statistics.lta - event.t_gen, self._within)

    def horizon(self, statistics: Statistics) -> int | None:
        return statistics.lta - self._within


def judge(behind: int, within: float, why: str = "") -> Verdict:
    """The verdict on an event that is so far behind the latest event time.

    Args:
        behind: How far, in microseconds.
        within: How far it may be, in microseconds.
        why: Where that comes from.
    """
    refused = behind > within
    return Verdict(
        extremely_late=refused,
        score=behind / 1e6,
        threshold=within / 1e6,
        reason=f"{behind / 1e6:g} s late, more than {within / 1e6:g} s{why}" if refused else "",
    )
