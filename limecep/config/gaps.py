"""Gaps in the channels of sinks that nothing fills."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.findings import Findings
    from limecep.config.model import PatternConfig, SinkConfig
    from limecep.config.nodes import Node

_VALUE = re.compile(r"\{values\.([^{}]+)\}")


def advise_gaps(
    sink: SinkConfig, patterns: Sequence[PatternConfig], findings: Findings, channel: Node
) -> None:
    """Warns of values in the channel of a sink that a pattern whose updates it takes does not return.

    Args:
        sink: The sink.
        patterns: The patterns of the pipeline.
        findings: What is wrong so far.
        channel: Where the channel stands.
    """
    names = dict.fromkeys(_VALUE.findall(sink.channel))
    if sink.of != "updates" and names:
        said = f"'{{values.{next(iter(names))}}}' is never filled in: only updates have values"
        findings.warning("unfilled-gap", said, channel, "leave it out: '-' stands in its place")
        return
    for pattern in patterns if names else ():
        returned = [r.name for r in pattern.pattern.returns]
        for name in names:
            if (not sink.patterns or pattern.name in sink.patterns) and name not in returned:
                findings.warning(
                    "unfilled-gap",
                    f"'{{values.{name}}}' is never filled in for pattern '{pattern.name}', which does not "
                    f"return '{name}': '-' stands in its place",
                    channel,
                    suggestion(name, returned) or f"add RETURN ... AS {name} to its query",
                )
