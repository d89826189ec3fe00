"""The latest figures, at hand for other threads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from limecep.clock import Stopwatch

if TYPE_CHECKING:
    from limecep.contracts.observer import Figures


class Latest:
    """Keeps the latest figures, and knows how old they are. Any thread may ask."""

    def __init__(self) -> None:
        self._seen: tuple[Figures, Stopwatch] | None = None

    def observe(self, figures: Figures) -> None:
        """Takes the latest figures."""
        self._seen = figures, Stopwatch()

    @property
    def figures(self) -> Figures | None:
        """Them, with the seconds that have passed since; None before the first."""
        if self._seen is None:
            return None
        figures, watch = self._seen
        passed = watch.seconds
        return replace(
            figures,
            seconds=figures.seconds + passed,
            since_commit=_later(figures.since_commit, passed),
            sources=tuple(replace(s, silent=_later(s.silent, passed)) for s in figures.sources),
        )


def _later(seconds: float | None, passed: float) -> float | None:
    return None if seconds is None else seconds + passed
