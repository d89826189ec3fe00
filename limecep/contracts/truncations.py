"""Truncations: the end events whose evaluation was cut short at `max_per_end`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.tables import PLAIN, Form
from limecep.model.instants import rfc3339

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.contracts.tables import Tables
    from limecep.model.event import Event


class Truncations:
    """Those of one pattern. Each end event is one, however often it is evaluated while memory holds it.

    Attributes:
        first: The first of them, as records name an event, with the `bound`; None if there was none.
    """

    def __init__(self) -> None:
        self.first: dict[str, Any] | None = None
        self.begin(PLAIN)

    def begin(self, tables: Tables) -> None:
        """Detection begins: there was none."""
        self.first = None
        #: The `t_gen` of those in memory, by ordinal.
        self.known: dict[int, int] = tables.table(
            "truncated", Form(lambda ordinal, t_gen: [ordinal, t_gen], lambda value, events: tuple(value))
        )

    def note(self, end: Event, bound: str) -> bool:
        """An evaluation was cut short at a bound; says whether it is the first one of this end event."""
        if end.ordinal in self.known:
            return False
        self.known[end.ordinal] = end.t_gen
        if self.first is None:
            time = rfc3339(end.t_gen)
            self.first = {"type": end.type, "id": end.id, "time": time, "source": end.source, "bound": bound}
        return True

    def forget(self, before: int) -> None:
        """Memory lets go of the events before a `t_gen`, in microseconds."""
        for ordinal in [ordinal for ordinal, t_gen in self.known.items() if t_gen < before]:
            del self.known[ordinal]

    def snapshot(self) -> dict[str, Any]:
        """What must survive, the table aside."""
        return {"first": self.first}

    def restore(self, known: Mapping[str, Any]) -> None:
        """They are as they were in a snapshot."""
        self.first = known["first"]
