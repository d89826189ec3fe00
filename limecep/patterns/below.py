"""What a pattern stands on that reads what others derive (SEMANTICS 13): it waits as long as they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.model.time import FOREVER
from limecep.patterns.memory import WINDOWS_BACK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.model.derivation import Derivation
    from limecep.patterns.event_manager import EventManager


class Below:
    """The patterns that derive what a pattern reads.

    Args:
        deriving: Their event managers, each with what it derives.
        upcoming: Gives the least `t_gen` of the events that are derived, but have not entered yet; FOREVER if
            there are none.
    """

    def __init__(
        self, deriving: Sequence[tuple[EventManager, Derivation]], upcoming: Callable[[], int]
    ) -> None:
        self._deriving = deriving
        self._upcoming = upcoming

    def progress(self, own: Callable[[], int]) -> Callable[[], int]:
        """How far time has come for the pattern, `own` being how far it has for the sources."""

        def progress() -> int:
            least = min(own(), self._upcoming())
            for manager, derivation in self._deriving:
                told = min(manager.progress(), manager.awaited_from)
                least = min(least, told if told == FOREVER else told - derivation.behind)
            return least

        return progress

    @property
    def accepted_from(self) -> int | None:
        """The `t_gen` before which nothing is derived any more, nor taken back; None if there is none."""
        least = self._upcoming()
        for manager, derivation in self._deriving:
            horizon = manager.horizon
            if horizon is None:
                return None
            least = min(least, min(horizon, manager.awaited_from) - WINDOWS_BACK * derivation.within)
        return least
