"""Scores how far out of order an event is, and refuses what scores far above the average of its type."""

from __future__ import annotations

from math import log1p
from typing import TYPE_CHECKING, Any

from limecep.contracts.lateness import Verdict

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.plan.plan import Plan
    from limecep.statistics import Statistics
    from limecep_lateness.config import ScoreOptions


class _Average:
    """An average in which older figures may fade."""

    __slots__ = ("count", "total", "weight")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.weight = 0.0

    def add(self, value: float, keep: float) -> float:
        """One more figure, the weight of those before it times `keep`; gives the average with it."""
        self.count += 1
        self.total = self.total * keep + value
        self.weight = self.weight * keep + 1.0
        return self.total / self.weight


class Score:
    """`score` is

        alpha * ln(1 + time_diff) + beta * arrival_diff ** 2 + gamma * period / W

    where `time_diff` is the distance in time to the latest event of the type, and `arrival_diff` how far the
    actual period of the source is from the one it is configured with, 0 where it has none. `threshold` is
    `factor` times the average score of the late events of the type, this one included.
    """

    learns = True
    by_window = True

    def __init__(self, plan: Plan, options: ScoreOptions, context: Context) -> None:
        self._within = plan.within
        self._factor = options.factor
        self._alpha, self._beta, self._gamma = options.weights
        self._unit = options.unit
        self._relative = options.relative
        self._warm_up = options.warm_up
        self._keep = 1.0 if options.half_life is None else 0.5 ** (1.0 / options.half_life)
        self._averages: dict[str, _Average] = {}

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        score = self._score(event, statistics)
        average = self._averages.get(event.type)
        if average is None:
            average = self._averages[event.type] = _Average()
        usual = average.add(score, self._keep)
        threshold = self._factor * usual
        refused = score > threshold and average.count > self._warm_up
        return Verdict(
            extremely_late=refused,
            score=score,
            threshold=threshold,
            reason=f"score {score:.3g}, more than {self._factor:g} times the average {usual:.3g} of its type"
            if refused
            else "",
        )

    def remembered(self) -> dict[str, list[float]]:
        """The average of each type."""
        return {name: [a.count, a.total, a.weight] for name, a in self._averages.items()}

    def recall(self, known: dict[str, list[Any]]) -> None:
        """Goes on from what was `remembered`."""
        for name, figures in known.items():
            average = self._averages[name] = _Average()
            average.count, average.total, average.weight = figures

    def horizon(self, statistics: Statistics) -> int | None:
        return None

    def _score(self, event: Event, statistics: Statistics) -> float:
        latest = statistics.latest_of(event.type)
        apart = 0 if latest is None else abs(event.t_gen - latest)
        score = self._alpha * log1p(apart / self._unit)
        source = statistics.source(event.source)
        period = source.acar
        if period is None:
            return score
        if source.every:
            deviation = (period - source.every) / (source.every if self._relative else self._unit)
            score += self._beta * deviation * deviation
        return score + self._gamma * period / self._within if self._within else score
