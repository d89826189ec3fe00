"""All end events whose results an event can change, and as few others as can be told beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.contracts.context import Context
    from limecep.model.event import Event
    from limecep.plan.plan import Alternative, Plan
    from limecep.spec import NoOptions


class Exact:
    """From the event to two windows after it: it may be the last of a match that frees or forbids another,
    with the same start, that ends up to one window later still (SEMANTICS 10).

    Where a match waits for time, or may grow at its end, an event also touches matches that end before it.
    """

    def __init__(self, plan: Plan, options: NoOptions, context: Context) -> None:
        self._before = plan.within if any(map(_open_ended, plan.alternatives)) else 0
        self._after = 2 * plan.within

    def reach(self, event: Event, lta: int) -> tuple[int, int]:
        return event.t_gen - self._before, event.t_gen + self._after


def _open_ended(alternative: Alternative) -> bool:
    """Whether events after the last one of a match can still forbid it, or join it."""
    return alternative.growing or any(n.after > alternative.ends[0] for n in alternative.negations)
