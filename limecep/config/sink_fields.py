"""Fields of records that transforms name and no record has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.options import AddingFields, NamingFields
from limecep.model.alternatives import sequences, written
from limecep.output.fields import OF_LATE, OF_UPDATES
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.findings import Findings
    from limecep.config.model import PatternConfig, SinkConfig
    from limecep.config.nodes import Node


def advise_fields(
    sink: SinkConfig, patterns: Sequence[PatternConfig], findings: Findings, through: Node
) -> None:
    """Warns of fields that the transforms of a sink name, and that no record which comes to them has.

    Args:
        sink: The sink.
        patterns: The patterns of the pipeline.
        findings: What is wrong so far.
        through: Where the transforms stand.
    """
    fields = set(OF_UPDATES if sink.of == "updates" else OF_LATE)
    taken = [p for p in patterns if sink.of == "updates" and p.name in (sink.patterns or (p.name,))]
    fields |= {f"key.{'.'.join(path)}" for p in taken for path in p.pattern.partition}
    steps = [step for p in taken for q in sequences(p.pattern.structure) for step in written(q.parts)]
    variables = {step.variable for step in steps if not step.negated}
    for transform in sink.through:
        options = transform.options
        if isinstance(options, NamingFields):
            for name in options.unknown(fields, variables):
                findings.warning(
                    "unknown-field",
                    f"'{transform.spec.name}' of sink '{sink.name}' names '{name}', which no record has",
                    through,
                    suggestion(name, fields),
                )
        if not isinstance(options, AddingFields):
            # What it makes of records is its own.
            return
        fields |= set(options.added)
