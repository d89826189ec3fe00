"""Truncations: the end events whose evaluation was cut short at `max_per_end`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.output.instants import rfc3339

if TYPE_CHECKING:
    from limecep.model.event import Event


class Truncations:
    """Those of one pattern. Each end event is one, however often it is evaluated while memory holds it.

    Attributes:
        first: The first of them, as records name an event, with the `bound`; None if there was none.
    """

    def __init__(self) -> None:
        self.first: dict[str, Any] | None = None
        self._known: dict[int, int] = {}

    def note(self, end: Event, bound: str) -> bool:
        """An evaluation was cut short at a bound; says whether it is the first one of this end event."""
        if end.ordinal in self._known:
            return False
        self._known[end.ordinal] = end.t_gen
        if self.first is None:
            time = rfc3339(end.t_gen)
            self.first = {"type": end.type, "id": end.id, "time": time, "source": end.source, "bound": bound}
        return True

    def clear(self) -> None:
        """There was none."""
        self.first = None
        self._known = {}

    def forget(self, before: int) -> None:
        """Memory lets go of the events before a `t_gen`, in microseconds."""
        if self._known:
            self._known = {ordinal: t for ordinal, t in self._known.items() if t >= before}
