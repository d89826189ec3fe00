"""Values of RETURN at sinks: those that a channel asks for and nobody gives, and those that say what is to be
hidden."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limecep.contracts.options import Hiding, ShowingValues
from limecep.model.walk import named
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.findings import Findings
    from limecep.config.model import PatternConfig, SinkConfig
    from limecep.config.nodes import Node

_VALUE = re.compile(r"\{values\.([^{}]+)\}")
_KEY = re.compile(r"\{key\.([^{}]+)\}")


def advise_values(
    sink: SinkConfig, patterns: Sequence[PatternConfig], findings: Findings, channel: Node
) -> None:
    """Warns of values in the channel of a sink, or in what changes its records, that a pattern whose updates
    it takes does not return, and of attributes in the channel by which it is not partitioned. Warns of values
    that are computed of attributes that its records are not to have.

    Args:
        sink: The sink.
        patterns: The patterns of the pipeline.
        findings: What is wrong so far.
        channel: Where the channel stands.
    """
    taken = [p for p in patterns if sink.of == "updates" and p.name in (sink.patterns or (p.name,))]
    shown = [name for t in sink.through if isinstance(t.options, ShowingValues) for name in t.options.values]
    for name in dict.fromkeys([*_VALUE.findall(sink.channel), *shown]):
        lacking = [p for p in taken if name not in (r.name for r in p.pattern.returns)]
        if not taken:
            said = f"'{{values.{name}}}' is never filled in: only updates have values"
            findings.warning("unfilled-gap", said, channel, "leave it out: '-' stands in its place")
        for pattern in lacking:
            findings.warning(
                "unfilled-gap",
                f"'{{values.{name}}}' is never filled in for pattern '{pattern.name}', which does not "
                f"return '{name}': '-' stands in its place",
                channel,
                suggestion(name, [r.name for r in pattern.pattern.returns])
                or f"add RETURN ... AS {name} to its query",
            )
    for name in dict.fromkeys(_KEY.findall(sink.channel)):
        for pattern in taken:
            known = [".".join(path) for path in pattern.pattern.partition]
            if name not in known:
                findings.warning(
                    "unfilled-gap",
                    f"'{{key.{name}}}' is never filled in for pattern '{pattern.name}', whose PARTITION BY "
                    f"does not name '{name}': '-' stands in its place",
                    channel,
                    suggestion(name, known) or f"add PARTITION BY {name} to its query",
                )
    _advise_hidden(sink, taken, findings, channel)


def _advise_hidden(sink: SinkConfig, taken: Sequence[PatternConfig], findings: Findings, node: Node) -> None:
    hidden = {name for t in sink.through if isinstance(t.options, Hiding) for name in t.options.hidden}
    for pattern in taken if hidden else ():
        for value in pattern.pattern.returns:
            paths = [path for paths in named(value.expression).values() for path in paths]
            told = next((name for path in paths for name in path if name in hidden), "")
            if told and value.name not in hidden:
                findings.warning(
                    "unhidden-value",
                    f"pattern '{pattern.name}' returns '{value.name}', which is computed of '{told}', and "
                    f"sink '{sink.name}' is not to have '{told}'",
                    node,
                    f"hide '{value.name}' as well, or leave it out of RETURN",
                )
