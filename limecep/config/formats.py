"""What codecs find wrong with the files that they name, or with messages that are lines. Few name any."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from limecep.config.asked import asked
from limecep.config.nodes import Block

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.config.findings import Findings
    from limecep.config.model import ComponentConfig
    from limecep.config.nodes import Node


def vet_format(
    codec: ComponentConfig, connector: ComponentConfig, root: Path, node: Node, findings: Findings
) -> None:
    """Reports what the options of a codec find.

    Args:
        codec: The codec; its options are `VettingFormats`.
        connector: The source's.
        root: The folder that relative paths are below.
        node: The node that names the codec.
        findings: Where problems go.
    """
    if not all(map(find_spec, codec.spec.requires)):
        # That is reported already, and it could not look.
        return
    lines = "lines" in connector.spec.capabilities
    for key, problem in asked(f"codec '{codec.spec.name}'", node, findings, codec.options, root, lines):
        findings.add(problem, (node.get(key) if isinstance(node, Block) else None) or node)
