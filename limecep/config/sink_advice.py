"""What is odd about sinks, though each is configured right. Warnings only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.config.advice import tells_finals
from limecep.config.nodes import Block
from limecep.config.sink_values import advise_values
from limecep.contracts.options import MaybeFinalsOnly, Paced, ShowingEvents
from limecep.model.alternatives import sequences, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.findings import Findings
    from limecep.config.model import PatternConfig, SinkConfig, SourceConfig
    from limecep.config.nodes import Node


def advise_sinks(
    patterns: Sequence[PatternConfig],
    sources: Sequence[SourceConfig],
    sinks: Sequence[SinkConfig],
    findings: Findings,
    block: Block,
) -> None:
    """Warns of sinks that take only what is final, where no pattern says of anything that it is; of what is
    never told again, or nobody can acknowledge; of attributes and fields that records do not carry; and of
    values.

    Args:
        patterns, sources, sinks: Those of the pipeline.
        findings: Where warnings go.
        block: The `sinks` block, for places.
    """
    final = {p.name for p in patterns if tells_finals(p.results.options)}
    at_once = bool(sources) and not any(_takes_time(source) for source in sources)
    for sink in sinks:
        settings = sink.settings
        key = settings.finals_only if isinstance(settings, MaybeFinalsOnly) else ""
        if key and sink.of == "updates" and not final & set(sink.patterns or (p.name for p in patterns)):
            findings.warning(
                "no-finals",
                f"sink '{sink.name}' takes only what is final, and no pattern says of a match that it is",
                _place(block, sink, key),
                "ask for it at the pattern: results: {final: true}, or results: {emit: final}",
            )
        if sink.repeat is not None and at_once:
            findings.warning(
                "recorded-repeat",
                f"sink '{sink.name}' tells nothing again: all sources are recordings that are read at once, "
                "and 'repeat' goes by the arrival clock",
                _place(block, sink, "repeat"),
                "read them at their own pace, with speed: 1, or leave 'repeat' out",
            )
        if sink.repeat is not None and sink.repeat.until:
            from limecep.config.repeats import advise_repeat

            advise_repeat(sink, patterns, findings, block)
        if (sink.channel and not sink.implied) or sink.through:
            advise_values(sink, patterns, findings, _place(block, sink, "channel"))
        if sink.through:
            from limecep.config.sink_fields import advise_fields

            advise_fields(sink, patterns, findings, _place(block, sink, "through"))
        if sink.through and sink.events != "full" and sink.of == "updates":
            _advise_events(sink, patterns, findings, block)


def _takes_time(source: SourceConfig) -> bool:
    settings = source.settings
    return source.live or (isinstance(settings, Paced) and settings.paced)


def _advise_events(
    sink: SinkConfig, patterns: Sequence[PatternConfig], findings: Findings, block: Block
) -> None:
    """Warns of transforms that show what of events is not in the records of a sink."""
    queries = [
        q for p in patterns if p.name in (sink.patterns or (p.name,)) for q in sequences(p.pattern.structure)
    ]
    variables = {step.variable for q in queries for step in written(q.parts)}
    for transform in sink.through:
        options = transform.options
        if not isinstance(options, ShowingEvents):
            continue
        untold = options.untold(variables, ids=sink.events == "ids")
        if untold:
            has = "the ids of events alone" if sink.events == "ids" else "no events"
            findings.warning(
                "untold-events",
                f"'{transform.spec.name}' of sink '{sink.name}' shows nothing for {', '.join(untold)}: its "
                f"records have {has} (events: {sink.events})",
                _place(block, sink, "events"),
                "let records have them: events: full",
            )


def _place(block: Block, sink: SinkConfig, key: str) -> Node:
    """Where a key of a sink stands."""
    entry = block.entries[sink.name]
    return (entry.value.get(key) if isinstance(entry.value, Block) else None) or entry.key
