"""Refuses what is later than events of its type may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from limecep.api import Verdict

if TYPE_CHECKING:
    from limecep.api import Context, Event, Plan, Statistics
    from limecep_by_type.config import ByTypeOptions

#: Microseconds.
SECOND = 1_000_000


class ByType:
    """`score` is how many seconds the event lies behind the latest event time, `threshold` the bound of its
    type; both are 0 where its type has none."""

    learns: ClassVar[bool] = False
    by_window: ClassVar[bool] = False

    def __init__(self, plan: Plan, options: ByTypeOptions, context: Context) -> None:
        self._within = options.within
        self._otherwise = options.otherwise

    def assess(self, event: Event, statistics: Statistics) -> Verdict:
        within = self._within.get(event.type, self._otherwise)
        if within is None:
            return Verdict(extremely_late=False)
        behind = statistics.lta - event.t_gen
        late, bound = behind / SECOND, within / SECOND
        return Verdict(
            extremely_late=behind > within,
            score=late,
            threshold=bound,
            reason=f"{late:g} s late, more than {bound:g} s for its type" if behind > within else "",
        )

    def horizon(self, statistics: Statistics) -> int | None:
        if self._otherwise is None:
            return None
        return statistics.lta - max(self._otherwise, *self._within.values())
