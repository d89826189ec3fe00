"""Health: whether a pipeline is alive, and makes progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.clock import Stopwatch
from limecep_observers.latest import Latest
from limecep_observers.metrics import disabled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.contracts.observer import Figures


class Health:
    """Judges a pipeline by its last figures and by how old they are. Any thread may ask.

    Args:
        stuck_after: Seconds without a sign of life after which it is not alive.
        commit_within: Seconds after the last commit, after which it is not ready.
        missed: How many periods a source may be silent that declares one.

    Attributes:
        latest: Its latest figures.
    """

    def __init__(self, *, stuck_after: float, commit_within: float, missed: int) -> None:
        self._stuck_after = stuck_after
        self._commit_within = commit_within
        self._missed = missed
        self._alive = Stopwatch()
        self.latest = Latest()

    def pulse(self) -> None:
        """The pipeline gives a sign of life."""
        self._alive = Stopwatch()

    def observe(self, figures: Figures) -> None:
        """Takes the latest figures."""
        self._alive = Stopwatch()
        self.latest.observe(figures)

    def ailments(self) -> list[str]:
        """Why it is not alive; nothing while it is."""
        figures, silent = self.latest.figures, self._alive.seconds
        if silent <= self._stuck_after or (figures is not None and figures.fed):
            return []
        return [f"no sign of life for {silent:.0f} s: a component hangs"]

    def hindrances(self) -> list[str]:
        """Why it is not ready; nothing while it is."""
        return [*self.ailments(), *self._hindrances()]

    def _hindrances(self) -> Iterator[str]:
        figures = self.latest.figures
        if figures is None or figures.phase == "starting":
            yield "it is starting: the state is read, sinks and sources are opened"
            return
        if figures.phase != "running":
            yield f"the run has {figures.phase}" + (f": {figures.failure}" if figures.failure else "")
            return
        for s in figures.sources:
            if not (s.connected or s.ended):
                yield f"source {s.name} is not connected"
            if s.every is not None and s.silent is not None and s.silent > self._missed * s.every:
                yield f"source {s.name} is silent for {s.silent:.0f} s, and sends every {s.every:g} s"
        age = figures.since_commit
        commits = figures.state is not None or any(s.live for s in figures.sources)
        if commits and age is not None and age > self._commit_within:
            yield f"the last commit is {age:.0f} s old"

    def told(self) -> dict[str, Any]:
        """What there is to say besides, for people and probes: times in seconds."""
        figures = self.latest.figures
        if figures is None:
            return {}
        return {
            "pipeline": figures.pipeline,
            "phase": figures.phase,
            "seconds": _rounded(figures.seconds),
            "since_sign_of_life": _rounded(self._alive.seconds),
            "since_commit": _rounded(figures.since_commit),
            "unsent": None if figures.state is None else figures.state.unsent,
            "sources": {
                s.name: {
                    "connected": s.connected,
                    "ended": s.ended,
                    "read": s.read,
                    "silent": _rounded(s.silent),
                    "idle": s.idle,
                    "behind": s.behind,
                    "waiting": s.waiting,
                }
                for s in figures.sources
            },
            "disabled": disabled(figures),
        }


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
