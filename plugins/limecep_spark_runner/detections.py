"""Detection for some keys of a pipeline, wherever a worker needs one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.tables import PLAIN
from limecep.embedding.pipelines import Detection, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.clock import Clock
    from limecep.config.model import PipelineConfig
    from limecep.contracts.tables import Tables
    from limecep.embedding.pipelines import Assembly, Refusal, SourceTraits
    from limecep.model.update import Update


def make_detection(
    config: PipelineConfig,
    assembly: Assembly,
    clock: Clock,
    *,
    deliver: Callable[[Update], None],
    refuse: Callable[[Refusal], None] | None = None,
    sources: dict[str, SourceTraits] | None = None,
    tables: Tables = PLAIN,
) -> Detection:
    """A detection that waits for no source.

    Args:
        config: The pipeline.
        assembly: What makes its components.
        clock: The arrival clock that the assembly was given.
        deliver: Takes updates.
        refuse: Takes the events that some patterns do not see.
        sources: What is known of the sources beforehand.
        tables: Makes the tables of all that must survive.
    """
    return Detection(
        assembly.detectors(),
        clock,
        sources=sources,
        awaits_sources=False,
        sequenced=config.sequenced,
        deliver=deliver,
        refuse=refuse,
        tables=tables,
        limits=Limits(
            time=config.retention_time, events=config.retention_events, size=config.retention_bytes
        ),
    )
