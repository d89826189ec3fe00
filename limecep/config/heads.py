"""Formats that say what an event is: what a source need not name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.config.nodes import Block, Entry, Listing, Node, Scalar
from limecep.contracts.options import Heading

if TYPE_CHECKING:
    from limecep.config.components import Components
    from limecep.config.text import Origin


def headed(node: Block, format: Node, components: Components) -> Block:
    """The block of a source with the keys that its format has for those that are not given.

    Args:
        node: The block.
        format: Its format.
        components: Reads the format. What is wrong with that is reported once, however often it is read.
    """
    named = format.get("type") if isinstance(format, Block) else format
    spec = components.look("codec", named.text) if isinstance(named, Scalar) else None
    # Another name may be that of a format of the connector's.
    if spec is None or not hasattr(spec.options, "heads"):
        return node
    codec = components.read("codec", format, format)
    if codec is None or not isinstance(codec.options, Heading):
        return node
    more = {
        key: Entry(key=_node(key, format.origin), value=_node(value, format.origin))
        for key, value in codec.options.heads.items()
        if key not in node.entries
    }
    return replace(node, entries={**node.entries, **more})


def _node(value: Any, origin: Origin) -> Any:
    """What would stand in the file."""
    if isinstance(value, str):
        return Scalar(value=value, text=value, origin=origin)
    if isinstance(value, dict):
        entries = {k: Entry(key=_node(k, origin), value=_node(v, origin)) for k, v in value.items()}
        return Block(entries=entries, origin=origin)
    return Listing(items=tuple(_node(item, origin) for item in value), origin=origin)
