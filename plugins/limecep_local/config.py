"""Options of the runner."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from limecep import option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.config.model import PipelineConfig
    from limecep.problems import Problem

#: More processes than these would only cost memory: each stores every event.
MOST_WORKERS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalOptions:
    """How many processes detect."""

    workers: int = option(
        1,
        help="The number of processes that detect, each for a part of the keys of PARTITION BY; 1 is this "
        "process. With more, this process reads the sources and writes the sinks. Each worker stores every "
        "event, so memory grows with the number.",
        example=2,
    )

    def __post_init__(self) -> None:
        if not 1 <= self.workers <= MOST_WORKERS:
            raise ValueError(f"'workers' must be from 1 to {MOST_WORKERS}")
        # As on Windows: by signals the workers are asked to end.
        if self.workers > 1 and not hasattr(signal, "SIGUSR1"):
            raise ValueError("'workers' must be 1 on this system: it has no signal that asks workers to end")

    def vet(self, config: PipelineConfig) -> Iterator[tuple[tuple[str, ...], Problem]]:
        """What of a pipeline workers cannot do, or do otherwise (`VettingPipelines` of the kernel)."""
        if self.workers > 1:
            from limecep_local.vetting import vetted

            yield from vetted(config, self.workers)
