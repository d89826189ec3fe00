"""The pipeline that says what there is to be found: policies for events that come in order."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.contracts.options import Skipping
from limecep.embedding.pipelines import ComponentConfig
from limecep.errors import ConfigurationError

if TYPE_CHECKING:
    from limecep.embedding.pipelines import PatternConfig, PipelineConfig, Registry

#: Policies that refuse nothing, and wait for nothing.
_POLICIES: dict[str, tuple[str, dict[str, Any]]] = {
    "lateness": ("bound", {"within": 0}),
    "slack": ("none", {}),
    "recompute": ("exact", {}),
    "results": ("corrected", {}),
}


def in_order(config: PipelineConfig, registry: Registry, emit: str = "final") -> PipelineConfig:
    """The pipeline with policies for events that come in order, of which none leaves before nothing needs it.

    Args:
        config: The pipeline.
        registry: The components there are.
        emit: When matches go out, as of the result policy `corrected`.

    Raises:
        ConfigurationError: A policy that is needed is not there.
    """
    made = {}
    for kind, (name, options) in _POLICIES.items():
        spec = registry.find(kind, name)
        if spec is None:
            raise ConfigurationError([registry.problem(kind, name)])
        made[kind] = ComponentConfig(spec=spec, options=spec.options(**options))

    def ordered(pattern: PatternConfig) -> PatternConfig:
        policy = pattern.results.options
        skip = policy.skip if isinstance(policy, Skipping) else "none"
        results = replace(made["results"].options, skip=skip, emit=emit)
        return replace(
            pattern,
            lateness=made["lateness"],
            slack=made["slack"],
            recompute=made["recompute"],
            results=ComponentConfig(spec=made["results"].spec, options=results),
        )

    return replace(
        config,
        patterns=tuple(ordered(p) for p in config.patterns),
        # Nothing comes late, so little is kept anyway.
        retention_time=None,
        retention_events=sys.maxsize,
        retention_bytes=None,
    )
