"""This process as a runner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep import Pipeline

if TYPE_CHECKING:
    from limecep.config.model import PipelineConfig
    from limecep.registry import Registry
    from limecep.spec import NoOptions


def local(config: PipelineConfig, registry: Registry, options: NoOptions) -> Pipeline:
    """A pipeline that runs where it is made (`limecep.contracts.runner`)."""
    return Pipeline(config, registry)
