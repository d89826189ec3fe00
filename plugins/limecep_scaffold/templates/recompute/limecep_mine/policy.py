"""One range for all events of a pattern, wide enough for every one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.api import Alternative, Context, Event, Plan
    from limecep_mine.config import MineOptions


class MinePolicy:
    """A late event may be the last of a match that frees or forbids another one, which ends up to two windows
    after it. Where matches wait for time, or grow at their end, it may also forbid or join what ends up to
    one window before it."""

    def __init__(self, plan: Plan, options: MineOptions, context: Context) -> None:
        back = not options.saving or any(map(_open_ended, plan.alternatives))
        self._before = plan.within if back else 0
        self._after = 2 * plan.within

    def reach(self, event: Event, lta: int) -> tuple[int, int]:
        """From and to which `t_gen` end events are evaluated again, in microseconds."""
        return event.t_gen - self._before, event.t_gen + self._after


def _open_ended(alternative: Alternative) -> bool:
    return alternative.growing or any(n.after > alternative.ends[0] for n in alternative.negations)
