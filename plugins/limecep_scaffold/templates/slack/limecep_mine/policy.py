"""Waits as long as late events were late, on average."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.api import Context, Plan, Statistics
    from limecep_mine.config import MineOptions


class MinePolicy:
    """Of two events that were held up together, the second is seldom later than that."""

    def __init__(self, plan: Plan, options: MineOptions, context: Context) -> None:
        self._most = options.most

    def wait(self, statistics: Statistics) -> int:
        """Microseconds; nothing before the first late event."""
        return min(self._most, int(statistics.lateness.average or 0))
