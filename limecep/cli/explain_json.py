"""What `limecep explain --json` prints. Times are in seconds, as in a run's report."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from limecep.cli.option_descriptions import given
from limecep.config.levels import levels_of
from limecep.explanation.flash import written_a_day

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.model import ComponentConfig, PipelineConfig
    from limecep.explanation.pipelines import PatternDescription


def as_data(config: PipelineConfig, patterns: Sequence[PatternDescription]) -> dict[str, Any]:
    """The description of a pipeline."""
    return {
        "pipeline": config.name,
        "patterns": {p.config.name: _pattern(p) for p in patterns},
        **({"levels": levels_of(config.patterns)} if config.derives else {}),
        "retention": {
            "time": _seconds(config.retention_time),
            "events": config.retention_events,
            "bytes": config.retention_bytes,
        },
        "state": None
        if config.state is None
        else {
            "every": _seconds(config.state_every),
            "a_day": dataclasses.asdict(written_a_day(config.state_every)),
        },
    }


def _pattern(pattern: PatternDescription) -> dict[str, Any]:
    config, kept = pattern.config, pattern.kept
    return {
        "query": config.pattern.text,
        "select": config.select,
        "within": _seconds(config.pattern.within),
        "partition": [".".join(path) for path in config.pattern.partition],
        "params": pattern.params,
        "functions": {
            c.spec.name: {"signature": str(c.spec.takes), "of": c.origin} for c in config.functions
        },
        "tables": {
            t.name: {
                "from": t.component.spec.name,
                "channel": t.channel,
                "key": list(t.key),
                "from_time": [] if t.from_time is None else list(t.from_time.paths),
                "rows": len(t.table.rows.listed or ()),
                "columns": list(t.table.rows.columns),
            }
            for t in pattern.tables
        },
        "values": pattern.values,
        **({"derives": config.derives._asdict()} if config.derives else {}),
        **dataclasses.asdict(pattern.plan),
        "engine": {
            **_component(config.engine),
            "results": pattern.results,
            **({"rule": pattern.rule} if pattern.rule else {}),
        },
        "growth": dataclasses.asdict(pattern.growth),
        **{kind: _component(component) for kind, component in pattern.components.items()},
        "max_per_end": config.max_per_end,
        "pick": config.pick,
        "picked": pattern.picked,
        "kept": {
            "late": _seconds(kept.late),
            "learns": kept.learns,
            "windows": kept.windows,
            "span": _seconds(kept.span),
        },
        "buffered": {
            b.type: {
                "every": {source: _seconds(period) for source, period in b.every.items()},
                "in_window": b.in_window,
                "kept": b.kept,
            }
            for b in pattern.buffered
        },
        "warnings": [{"code": w.code, "message": w.message, "hint": w.hint} for w in pattern.warnings],
    }


def _component(component: ComponentConfig) -> dict[str, Any]:
    return {"type": component.spec.name, **given(component.options)}


def _seconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1e6
