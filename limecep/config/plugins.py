"""The `plugins` block: Python files that a pipeline brings along."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.config.document import parse, read_text
from limecep.config.environment import substitute
from limecep.config.findings import Findings
from limecep.config.nodes import Block, Listing, Scalar, described
from limecep.host import Host
from limecep.local import of_file
from limecep.problems import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.nodes import Node
    from limecep.problems import Problem
    from limecep.registry import Plugin

KEY = "plugins"


def plugins_of(node: Node | None, root: Path, findings: Findings) -> list[Plugin]:
    """The plugins that a pipeline names. Runs their files.

    Args:
        node: What stands there; what is no list is said where the document is read.
        root: The folder of the pipeline.
        findings: Where problems go.
    """
    # What a text names is known all the same: the text is the one thing that is wrong.
    items: Sequence[Node] = ()
    if isinstance(node, Listing):
        items = node.items
    elif isinstance(node, Scalar) and isinstance(node.value, str) and node.text:
        items = [node]
    found: dict[Path, Plugin] = {}
    for item in items:
        if not (isinstance(item, Scalar) and isinstance(item.value, str) and item.text):
            if not (isinstance(item, Scalar) and item.failed):
                said = f"'plugins' must be a list of files, not of {described(item)}"
                findings.error("wrong-type", said, item, "name Python files, as in plugins: [./mine.py]")
            continue
        path = (root / item.text).resolve()
        if path in found:
            findings.warning(
                "duplicate-plugin", f"'{item.text}' is named twice; it is loaded once", item, "remove one"
            )
            continue
        found[path] = plugin = of_file(item.text, path)
        for problem in plugin.problems:
            findings.add(problem, problem.place or item)
    return list(found.values())


def host_of(file: str, host: Host) -> tuple[Host, list[Problem]]:
    """A host with the plugins that a pipeline's file names, too, and what is wrong with them or the file.

    Args:
        file: The file.
        host: The plugins that are installed.
    """
    findings = Findings()
    path = Path(file)
    try:
        text = read_text(path.read_bytes(), file, findings)
    except OSError as e:
        findings.error("unreadable-file", f"cannot be read: {e.strerror}", Place(file=file, line=0, column=0))
        return host, findings.sorted()
    node = None if text is None else parse(text, findings)
    if not isinstance(node, Block) or KEY not in node.entries:
        return host, findings.sorted()
    listed = substitute(node.entries[KEY].value, os.environ, path.parent, findings)
    if not isinstance(listed, Listing):
        findings.error("wrong-type", f"'{KEY}' must be a list, not {described(listed)}", listed)
    plugins = plugins_of(listed, path.parent, findings)
    # What is wrong with them is told with where they are named.
    quiet = [replace(p, problems=()) for p in plugins]
    return Host((*host.plugins, *quiet)), findings.sorted()
