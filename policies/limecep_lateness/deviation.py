"""Refuses what is later than the mean of its type by many standard deviations."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

from limecep_lateness.bound import judge
from limecep_lateness.warm_up import warm

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.contracts.lateness import Verdict
    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics
    from limecep_lateness.config import DeviationOptions


class Moments:
    """Mean and standard deviation of a stream of figures, by Welford's method: exact whatever their size."""

    __slots__ = ("_squares", "count", "mean")

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """One more figure."""
        self.count += 1
        off = value - self.mean
        self.mean += off / self.count
        self._squares += off * (value - self.mean)

    @property
    def figures(self) -> tuple[float, ...]:
        """All that it knows."""
        return self.count, self.mean, self._squares

    @figures.setter
    def figures(self, known: Any) -> None:
        self.count, self.mean, self._squares = known

    @property
    def deviation(self) -> float:
        """The standard deviation of all figures so far; 0 before the first."""
        return sqrt(self._squares / self.count) if self.count else 0.0


class Deviation:
    """`score` is how many seconds the event lies behind the latest event time, `threshold` the mean of that
    over the late events of its type, this one included, plus `k` standard deviations."""

    learns = True
    by_window = False

    def __init__(self, plan: Plan, options: DeviationOptions, context: Context) -> None:
        self._k = options.k
        self._warm_up = options.warm_up
        self._why = f", the mean and {options.k:g} deviations of its type"
        self._seen: dict[str, Moments] = {}

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        behind = statistics.lta - event.t_gen
        seen = self._seen.get(event.type)
        if seen is None:
            seen = self._seen[event.type] = Moments()
        seen.add(behind)
        verdict = judge(behind, seen.mean + self._k * seen.deviation, self._why)
        return verdict if seen.count > self._warm_up else warm(verdict)

    def remembered(self) -> dict[str, tuple[float, ...]]:
        """The moments of each type."""
        return {name: seen.figures for name, seen in self._seen.items()}

    def recall(self, known: dict[str, Any]) -> None:
        """Goes on from what was `remembered`."""
        for name, figures in known.items():
            seen = self._seen[name] = Moments()
            seen.figures = figures

    def horizon(self, statistics: Statistics) -> int | None:
        return None
