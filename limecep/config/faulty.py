"""Reports a plugin whose options fail."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limecep.config.findings import Findings
    from limecep.config.nodes import Node


def report(what: str, error: BaseException, where: Node, findings: Findings) -> None:
    """Reports an exception that the options of a component should not raise."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "its options class"
    findings.error(
        "faulty-plugin",
        f"the options of {what} raise {type(error).__name__}: {error}",
        where,
        f"this is a mistake in the plugin; report it to its author: {at}",
    )
