"""Which files a pipeline reads and writes: no two sinks write one, and none writes what a source reads.

A component whose options are `InFolder` works with files.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from limecep.config.nodes import Block
from limecep.contracts.options import InFolder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.findings import Findings
    from limecep.config.model import ComponentConfig, SinkConfig, SourceConfig
    from limecep.config.nodes import Node

_TEMPLATE = re.compile(r"\{[^{}]*\}")
_MAGIC = re.compile(r"[*?\[]")


def check_files(
    sources: Sequence[SourceConfig], sinks: Sequence[SinkConfig], root: Path, findings: Findings, block: Block
) -> None:
    """Reports sinks whose files are in the way of others.

    Args:
        sources: The sources.
        sinks: The sinks.
        root: The folder of the pipeline's file.
        findings: Where problems go.
        block: The `sinks` block, for places.
    """
    written: dict[PurePath, str] = {}
    for sink in sinks:
        path = _path(sink.connector, sink.channel, root)
        if path is None:
            continue
        where = channel_of(block, sink.name)
        if template := _TEMPLATE.search(sink.channel):
            findings.error(
                "bad-value",
                f"nothing is put in for {template.group()} in the name of a file",
                where,
                "files take no templates: write one sink a file, and 'patterns' that says what goes there",
            )
        elif path in written:
            findings.error(
                "conflict",
                f"sinks '{written[path]}' and '{sink.name}' write the same file",
                where,
                "give each a file of its own",
            )
        for source in sources:
            read = _path(source.connector, source.channel, root)
            if read is not None and _fits(path, read):
                findings.error(
                    "conflict",
                    f"sink '{sink.name}' writes a file that source '{source.name}' reads",
                    where,
                    "give the sink another file",
                )
        written.setdefault(path, sink.name)


def _path(connector: ComponentConfig, channel: str, root: Path) -> PurePath | None:
    """The path, or glob, that a channel means; None if it is no file's."""
    options = connector.options
    if not isinstance(options, InFolder) or channel in ("", "-"):
        return None
    return PurePath(os.path.abspath(root / options.root / channel))


def _fits(path: PurePath, read: PurePath) -> bool:
    return path.match(str(read)) if _MAGIC.search(str(read)) else path == read


def channel_of(block: Block, name: str) -> Node:
    """Where a sink says its channel."""
    entry = block.entries[name]
    given = (entry.value.get(k) for k in ("channel", "path")) if isinstance(entry.value, Block) else ()
    return next((node for node in given if node is not None), entry.key)
