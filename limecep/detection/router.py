"""The router: which patterns an event concerns, by its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.detection.enders import Ender, Enders
    from limecep.patterns.event_manager import EventManager
    from limecep.store.store import Store


class Router:
    """Event types to the event managers of patterns, always in the order of the pipeline.

    Args:
        managers: The event managers, one a pattern.
        store: What they see.

    Attributes:
        enders: By event type, those that are told of such an event that came in order.
    """

    def __init__(self, managers: Sequence[EventManager], store: Store) -> None:
        self.enders: dict[str, list[Ender]] = {}
        self._managers = managers
        self._shared: Enders | None = None
        if sum([m.shares for m in managers]) > 1:
            # A pipeline of one pattern needs none of it.
            from limecep.detection.enders import Enders

            self._shared = Enders(managers, store)
            self.enders = self._shared.by_type
        else:
            for manager in managers:
                for event_type in manager.awaited_types:
                    self.enders.setdefault(event_type, []).append(manager)
        # Under strict contiguity an event of any type may part what would be a match.
        self._minding_all = [m for m in managers if m.plan.select == "sc"]
        self._minding = _minding(managers)

    def tell(self) -> None:
        """Has each pattern know how often it was asked for end events."""
        if self._shared is not None:
            self._shared.tell()
        for manager in self._managers:
            manager.results.evaluation.tell()

    def minding(self, event_type: str) -> Sequence[EventManager]:
        """Those to which an event of a type may make a difference."""
        return self._minding.get(event_type, self._minding_all)


def _minding(managers: Sequence[EventManager]) -> dict[str, list[EventManager]]:
    """Those to which an event of a type that some pattern names may make a difference."""
    # A manager is asked for its types, not for each there is: of many patterns that would be the square.
    found: dict[str, list[EventManager]] = {}
    contiguous: list[EventManager] = []
    for manager in managers:
        if manager.plan.select == "sc":
            contiguous.append(manager)
            for t in manager.plan.types.difference(found):
                found[t] = contiguous[:-1]
            for minding in found.values():
                minding.append(manager)
            continue
        for t in manager.plan.types:
            found.setdefault(t, contiguous.copy()).append(manager)
    return found
