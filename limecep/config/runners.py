"""The runner: named in the file, or for one run instead of that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from limecep.config.nodes import Block, Entry, Scalar, deepest
from limecep.config.text import SourceText, TextOrigin
from limecep.contracts.options import VettingPipelines

if TYPE_CHECKING:
    from limecep.config.findings import Findings
    from limecep.config.model import ComponentConfig, PipelineConfig
    from limecep.config.nodes import Node

KEY = "runner"


def with_runner(root: Block, name: str | None) -> Block:
    """The document with its runner as a block, so that overrides find a place for options.

    Args:
        root: The document.
        name: The runner to use; None: that of the document. The options there are kept where they are that
            runner's.
    """
    entry = root.entries.get(KEY)
    if name is None:
        if entry is None or not (isinstance(entry.value, Scalar) and isinstance(entry.value.value, str)):
            return root
        return _put(root, Entry(key=entry.key, value=_block(entry.value)))
    source = SourceText("--runner", name)
    key = Scalar(value=KEY, text=KEY, origin=TextOrigin(source, 0, 0, None, KEY))
    named = Scalar(value=name, text=name, origin=TextOrigin(source, 0, len(name), None, name))
    if entry is not None and _name(entry.value) == name:
        return _put(root, replace(entry, value=_block(entry.value)))
    return _put(root, Entry(key=key, value=_block(named)))


def vet_runner(runner: ComponentConfig, config: PipelineConfig, root: Block, findings: Findings) -> None:
    """Adds what a runner says of a pipeline, each at its place."""
    if not isinstance(runner.options, VettingPipelines):
        return
    from limecep.config.asked import asked

    what = f"runner '{runner.spec.name}'"
    for path, problem in asked(what, root, findings, runner.options, config):
        findings.add(problem, deepest(root, path))


def _put(root: Block, entry: Entry) -> Block:
    return replace(root, entries={**root.entries, KEY: entry})


def _block(node: Node) -> Node:
    """A runner that is but named, as a block."""
    if isinstance(node, Block):
        return node
    key = Scalar(value="type", text="type", origin=node.origin)
    return Block(entries={"type": Entry(key=key, value=node)}, origin=node.origin)


def _name(node: Node) -> str | None:
    named = node.get("type") if isinstance(node, Block) else node
    return named.text if isinstance(named, Scalar) else None
