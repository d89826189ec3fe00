"""What a configuration is made of, before it means anything: blocks, lists and scalars with their origins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.scalars import Value
    from limecep.config.text import Origin


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scalar:
    """A single value.

    Attributes:
        value: What it means.
        text: As written, quotes and escapes undone.
        plain: Whether it was written without quotes, so that its text decides what it means.
        substituted: Whether something was put in from the environment. Then a text that reads as a number
            may be meant as one, for `${PORT}` needs quotes inside braces.
        failed: Whether something could not be put in, which is reported: nothing else is said about it.
    """

    value: Value
    text: str
    origin: Origin
    plain: bool = False
    substituted: bool = False
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Listing:
    """A list."""

    items: tuple[Node, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entry:
    """A key of a block and what it holds."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """A mapping, by the text of its keys, in the order written."""

    entries: dict[str, Entry]
    origin: Origin

    def get(self, key: str) -> Node | None:
        """What a key holds; None where it is not there."""
        entry = self.entries.get(key)
        return entry.value if entry else None


Node = Scalar | Listing | Block


def described(node: Node) -> str:
    """What a node is, for messages: `the number 5`, `a list`."""
    if isinstance(node, Listing):
        return "a list"
    if isinstance(node, Block):
        return "a block of keys"
    if node.value is None:
        return "empty"
    if isinstance(node.value, bool):
        return f"the boolean {node.text}"
    if isinstance(node.value, (int, float)):
        return f"the number {node.text}"
    shown = node.text if len(node.text) <= 40 else node.text[:37] + "..."
    return f"the text '{shown}'" if "\n" not in shown else "a text"


def plain_value(node: Node) -> object:
    """The Python value of a node."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Listing):
        return [plain_value(item) for item in node.items]
    return {key: plain_value(entry.value) for key, entry in node.entries.items()}


def deepest(root: Block, path: Sequence[str]) -> Node:
    """The key that stands deepest on the way along a path."""
    node: Node = root
    place: Node = root
    for name in path:
        entry = node.entries.get(name) if isinstance(node, Block) else None
        if entry is None:
            break
        node, place = entry.value, entry.key
    return place


def holds(node: Node, text: str) -> bool:
    """Whether a text stands somewhere in the scalars of a node."""
    if isinstance(node, Block):
        return any(holds(entry.value, text) for entry in node.entries.values())
    if isinstance(node, Listing):
        return any(holds(item, text) for item in node.items)
    return isinstance(node.value, str) and text in node.text
