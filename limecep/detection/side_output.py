"""The side output: events that some patterns do not see, or could not use wholly, with the reason."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from limecep.patterns.detector import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.contracts.lateness import Verdict
    from limecep.model.event import Event


class SideOutput:
    """Hands on events that do not go the usual way.

    Args:
        refuse: Takes them; None where nobody asks.

    Attributes:
        unrepaired: By pattern, how many events it could not use wholly, because memory did not reach back far
            enough.
    """

    def __init__(self, refuse: Callable[[Refusal], None] | None) -> None:
        self.unrepaired: Counter[str] = Counter()
        self._refuse = refuse or _nobody

    def future(self, event: Event) -> None:
        """An event claims to be from further ahead than the clock of its source may be."""
        self._refuse(Refusal(reason="future", event=event))

    def extremely_late(self, event: Event, patterns: Sequence[str], verdict: Verdict) -> None:
        """An event is too late for some patterns; the verdict is that of the first."""
        self._refuse(Refusal(reason="extremely_late", event=event, patterns=tuple(patterns), verdict=verdict))

    def not_whole(self, event: Event, patterns: Sequence[str], why: str) -> None:
        """Memory no longer holds what some patterns need to use an event wholly."""
        self.unrepaired.update(patterns)
        self._refuse(Refusal(reason="evicted", event=event, patterns=tuple(patterns), error=why))

    def snapshot(self) -> dict[str, Any]:
        """What must survive a crash."""
        return {"unrepaired": self.unrepaired}

    def restore(self, known: Mapping[str, Any]) -> None:
        """It is as it was in a snapshot."""
        self.unrepaired.update(known["unrepaired"])


def _nobody(refusal: Refusal) -> None:
    pass
