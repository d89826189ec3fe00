"""What a pattern asks of a runner that divides it by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from limecep.contracts.options import AcrossKeys, Emitting
from limecep.patterns.timing import Timing
from limecep.plan.compiler import compile_plan

if TYPE_CHECKING:
    from limecep.config.model import PatternConfig, PipelineConfig
    from limecep.contracts.results import Emit


def decides_across_keys(pattern: PatternConfig) -> bool:
    """Whether its result policy decides across the keys that it would be divided by."""
    options = pattern.results.options
    return bool(pattern.pattern.partition) and isinstance(options, AcrossKeys) and options.across_keys


def waits_for_time(pattern: PatternConfig, config: PipelineConfig) -> bool | None:
    """Whether some of its matches wait for event time; None where its result policy does not say when they
    go out."""
    options = pattern.results.options
    if not isinstance(options, Emitting):
        return None
    plan = compile_plan(
        pattern.pattern, name=pattern.name, select=pattern.select, params=config.params, pick=pattern.pick
    )
    return Timing(plan, cast("Emit", options.emit)).waits
