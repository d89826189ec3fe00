"""A runner that begins a run again where it fails. With `state` nothing is told twice."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from limecep import Pipeline
from limecep.api import RunFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from limecep.contracts.runner import Progress
    from limecep.embedding.pipelines import PipelineConfig, Registry
    from limecep_mine.config import MineOptions


class MineRunner:
    """Runs one pipeline (`limecep.contracts.runner`)."""

    def __init__(self, config: PipelineConfig, registry: Registry, options: MineOptions) -> None:
        self._config = config
        self._registry = registry
        self._attempts = options.attempts
        # A pipeline is run once.
        self._pipeline = Pipeline.from_config(config, registry)

    def run(self, stop: Callable[[], bool], duration_seconds: float | None) -> None:
        """Runs the pipeline until its input ends, `stop()` says so, or time is up.

        Raises:
            RunFailure: The last attempt failed.
        """
        for left in range(self._attempts - 1, -1, -1):
            try:
                self._pipeline.run(stop, duration_seconds)
            except RunFailure:
                if not left or stop():
                    raise
                # What cannot be closed either does not hide that.
                with suppress(Exception):
                    self._pipeline.close()
                self._pipeline = Pipeline.from_config(self._config, self._registry)
            else:
                return

    def progress(self) -> Progress | None:
        """How far the present attempt has come."""
        return self._pipeline.progress()

    def report(self) -> dict[str, Any]:
        """The accounting of the last attempt."""
        return self._pipeline.report()

    def close(self) -> None:
        """Lets go of everything."""
        self._pipeline.close()

    def overdue(self) -> float:
        """How long ago the time was up, so that `limecep run` may cut off what does not end."""
        return self._pipeline.overdue()

    def running(self, frames: Sequence[FrameType]) -> str:
        """Which component runs in these frames, so that it can be named."""
        return self._pipeline.running(frames)
