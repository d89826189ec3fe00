"""Refuses what is later than a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from limecep.api import Verdict

if TYPE_CHECKING:
    from limecep.api import Context, Event, Plan, Statistics
    from limecep_mine.config import MineOptions

#: Microseconds.
SECOND = 1_000_000


class MinePolicy:
    """`score` is how many seconds an event lies behind the latest event time, `threshold` the bound."""

    learns: ClassVar[bool] = False
    by_window: ClassVar[bool] = False

    def __init__(self, plan: Plan, options: MineOptions, context: Context) -> None:
        self._within = options.within

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        """Whether the event is later than the bound."""
        behind = statistics.lta - event.t_gen
        late, bound = behind / SECOND, self._within / SECOND
        refused = behind > self._within
        return Verdict(
            extremely_late=refused,
            score=late,
            threshold=bound,
            reason=f"{late:g} s late, more than {bound:g} s" if refused else "",
        )

    def horizon(self, statistics: Statistics) -> int | None:
        """What lies before it is refused."""
        return statistics.lta - self._within
