"""Where a pattern begins that is new to a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.config.nodes import described
from limecep.intake.times import time_reader

if TYPE_CHECKING:
    from limecep.config.findings import Findings
    from limecep.config.nodes import Scalar

WORDS = ("now", "memory", "beginning")


def begins(node: Scalar, findings: Findings) -> str | int:
    """What `from` of a pattern says: one of `WORDS`, or a time in microseconds. What is none is added to the
    findings."""
    if node.failed or node.value in WORDS:
        return "memory" if node.failed else str(node.value)
    try:
        return time_reader("iso8601", None)(node.value)
    except ValueError:
        findings.error(
            "bad-value",
            f"'from' is {described(node)}: neither a time with its zone nor one of {', '.join(WORDS)}",
            node,
            "write it as 2026-03-01T00:00:00Z",
        )
        return "memory"
