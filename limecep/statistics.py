"""Counts of what was read, and how it ended (DESIGN 6)."""

from __future__ import annotations

from typing import Any

#: Every event read has exactly one of these outcomes: the first that holds, in this order.
OUTCOMES = ("invalid", "future", "irrelevant", "duplicate", "extremely_late", "out_of_order", "in_order")


class SourceStatistics:
    """The figures of one source.

    Attributes:
        outcomes: How many events had each outcome.
        first, latest: The least and the greatest `t_gen`, in microseconds; None before the first event.
    """

    __slots__ = ("first", "latest", "outcomes")

    def __init__(self) -> None:
        self.outcomes = dict.fromkeys(OUTCOMES, 0)
        self.first: int | None = None
        self.latest: int | None = None

    def note_time(self, t_gen: int) -> None:
        """An event of this time has come."""
        if self.latest is None or self.first is None:
            self.first = self.latest = t_gen
        elif t_gen > self.latest:
            self.latest = t_gen
        elif t_gen < self.first:
            self.first = t_gen

    @property
    def read(self) -> int:
        """How many events were read: the sum of the outcomes."""
        return sum(self.outcomes.values())


class Statistics:
    """The figures of a pipeline, by source."""

    def __init__(self) -> None:
        self.sources: dict[str, SourceStatistics] = {}

    def source(self, name: str) -> SourceStatistics:
        """The figures of a source, made when first asked for."""
        found = self.sources.get(name)
        if found is None:
            found = self.sources[name] = SourceStatistics()
        return found

    def events(self) -> dict[str, int]:
        """The outcomes over all sources, and `read`, their sum."""
        total = {o: sum(s.outcomes[o] for s in self.sources.values()) for o in reversed(OUTCOMES)}
        return {"read": sum(total.values()), **total}

    def snapshot(self) -> dict[str, Any]:
        """The figures of each source, for the report."""
        return {
            name: {"read": s.read, **{o: n for o, n in s.outcomes.items() if n}}
            for name, s in self.sources.items()
        }
