"""This machine as a runner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep import Pipeline

if TYPE_CHECKING:
    from limecep.config.model import PipelineConfig
    from limecep.contracts.runner import Runner
    from limecep.registry import Registry
    from limecep_local.config import LocalOptions


def local(config: PipelineConfig, registry: Registry, options: LocalOptions) -> Runner:
    """A pipeline that runs where it is made, or with workers (`limecep.contracts.runner`)."""
    if options.workers == 1:
        return Pipeline(config, registry)
    # Most pipelines have none, and start sooner without them.
    from limecep_local.divided import DividedPipeline

    return DividedPipeline(config, registry, options.workers)
