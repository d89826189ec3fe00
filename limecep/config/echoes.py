"""Sinks that feed the pipeline's own sources: what they send would come back, and be taken for events."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from limecep.config.files import channel_of
from limecep.contracts.options import ReadingSeveral
from limecep.output.template import sample

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.findings import Findings
    from limecep.config.model import ComponentConfig, SinkConfig, SourceConfig
    from limecep.config.nodes import Block


def advise_echoes(
    sources: Sequence[SourceConfig], sinks: Sequence[SinkConfig], findings: Findings, block: Block
) -> None:
    """Warns of sinks whose channel a source reads at the same broker.

    Args:
        sources: The sources.
        sinks: The sinks.
        findings: Where problems go.
        block: The `sinks` block, for places.
    """
    for sink in sinks:
        for source in sources:
            where = _where(sink.connector)
            if not sink.channel or where is None or where != _where(source.connector):
                continue
            options, sent = source.connector.options, sample(sink.channel)
            several = isinstance(options, ReadingSeveral)
            if options.reads(source.channel, sent) if several else source.channel == sent:
                findings.warning(
                    "echo",
                    f"source '{source.name}' reads what sink '{sink.name}' sends: records would come back as "
                    "events, or as what is no event",
                    channel_of(block, sink.name),
                    "give the sink a channel that no source reads",
                )


def _where(connector: ComponentConfig) -> tuple[str, dict[str, Any]] | None:
    """What says how a broker is reached: the options that have no default; None where there are none."""
    options = connector.options
    needed = {
        f.name: getattr(options, f.name)
        for f in dataclasses.fields(options)
        if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    }
    return (connector.spec.name, needed) if needed else None
