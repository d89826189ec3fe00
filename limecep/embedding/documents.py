"""YAML as the kernel reads it: a tree of nodes that know their places, with every problem found at once."""

from __future__ import annotations

from limecep.config.blocks import SourceBlock
from limecep.config.document import from_object, parse, read_text
from limecep.config.findings import Findings
from limecep.config.nodes import Block, Listing, Node, Scalar, described
from limecep.config.options import check_keys, keys, read
from limecep.config.overrides import override
from limecep.config.scalars import resolve
from limecep.config.text import SourceText

__all__ = [  # noqa: RUF022 - by what they are for
    # Text, or what `json.loads` gives, to nodes.
    "SourceText",
    "from_object",
    "parse",
    "read_text",
    # Nodes.
    "Block",
    "Listing",
    "Node",
    "Scalar",
    "described",
    "override",
    "resolve",
    # Nodes to options, and what is wrong with them.
    "Findings",
    "check_keys",
    "keys",
    "read",
    # The keys of a source that are the kernel's, whatever brings its messages.
    "SourceBlock",
]
