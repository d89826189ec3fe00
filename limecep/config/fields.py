"""Fields that a source names: text, and lists of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.config.nodes import Listing, Node, Scalar, described
from limecep.intake.fields import exact, path_problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.config.findings import Findings


#: The keys that may name a level of the channel.
NAMING = ("key", "payload")


class Fields:
    """Reads the names of fields; what is wrong goes to the findings."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings

    def one(self, key: str, node: Node | None) -> str | None:
        """A path into the record, or a level of the channel."""
        text = self.text(key, node, None)
        if text is not None and node is not None and (said := path_problem(text, key in NAMING)):
            self._findings.error("bad-field", f"'{key}': {said}", node)
            return None
        return text

    def some(self, key: str, node: Listing) -> list[str | None]:
        """The fields that a list names; None for each that is none."""
        if not node.items:
            self._findings.error(
                "bad-value", f"'{key}' is an empty list", node, "leave it out, or name fields"
            )
        return self.each(key, node.items)

    def each(self, key: str, nodes: Iterable[Node]) -> list[str | None]:
        """The fields that nodes name; None for each that is none, or that was named before."""
        fields: list[str | None] = []
        # `v` in backquotes is the field v.
        known: set[str | tuple[str, ...]] = set()
        for node in nodes:
            field = self.one(key, node)
            if field is not None:
                names = exact(field) or field
                if names in known:
                    self._findings.error("bad-value", f"'{key}' names '{field}' twice", node, "name it once")
                    field = None
                known.add(names)
            fields.append(field)
        return fields

    def text(self, key: str, node: Any, default: str | None) -> str | None:
        """Text, or the default where nothing is given."""
        if node is None:
            return default
        if isinstance(node, Scalar) and node.failed:
            return None
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return node.value
        self._findings.error("wrong-type", f"'{key}' must be text, not {described(node)}", node)
        return None
