"""Refuses what is later than nearly all late events of its type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep_lateness.bound import judge
from limecep_lateness.sketch import QuantileSketch
from limecep_lateness.warm_up import warm

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.lateness import Verdict
    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics
    from limecep_lateness.config import QuantileOptions


class Quantile:
    """`score` is how many seconds the event lies behind the latest event time, `threshold` is a quantile of
    that over the late events of its type, this one included, times `factor`."""

    learns = True
    by_window = False

    def __init__(self, plan: Plan, options: QuantileOptions, context: Context) -> None:
        self._quantile = options.quantile
        self._factor = options.factor
        self._warm_up = options.warm_up
        times = "" if options.factor == 1 else f"{options.factor:g} times "
        self._why = f", {times}the {options.quantile * 100:g} % quantile of its type"
        self._seen: dict[str, QuantileSketch] = {}

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        behind = statistics.lta - event.t_gen
        seen = self._seen.get(event.type)
        if seen is None:
            seen = self._seen[event.type] = QuantileSketch(self._quantile)
        seen.add(behind)
        verdict = judge(behind, self._factor * seen.value, self._why)
        return verdict if seen.count > self._warm_up else warm(verdict)

    def remembered(self) -> dict[str, list[Any]]:
        """The sketch of each type."""
        return {name: seen.figures for name, seen in self._seen.items()}

    def recall(self, known: dict[str, list[Any]]) -> None:
        """Goes on from what was `remembered`."""
        for name, figures in known.items():
            seen = self._seen[name] = QuantileSketch(self._quantile)
            seen.figures = figures

    def horizon(self, statistics: Statistics) -> int | None:
        return None
